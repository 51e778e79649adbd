internal import CProbeSystem
internal import Glibc
internal import ProbeCore
internal import ProbeSystem

/// The sockets of a DNS server: one port, for UDP and for TCP; they are closed when deinitialized.
final class DNSSockets: Sendable {
  /// The sender of a datagram, in the form for system calls.
  struct Sender {
    fileprivate var storage = sockaddr_storage()
    fileprivate var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
  }

  /// The socket for UDP.
  let datagrams: Int32
  /// The socket for TCP.
  let listener: ListeningSocket

  /// Binds both to a free port of an address.
  ///
  /// - Throws: ``ReplayError``.
  init(at address: IPAddress) throws(ReplayError) {
    // A port that is free for TCP may be in use for UDP.
    for _ in 0..<100 {
      let listener = try ListeningSocket(SocketAddress(address, port: 0), mode: .open)
      let family = address.family == .v6 ? AF_INET6 : AF_INET
      let datagrams = probe_open_socket(family, probe_datagram, 0)
      guard datagrams >= 0 else { throw ReplayError(.noResources, "cannot create a socket for DNS") }
      if unsafe listener.address.withSocketAddress({ unsafe bind(datagrams, $0, $1) }) == 0 {
        self.datagrams = datagrams
        self.listener = listener
        return
      }
      close(datagrams)
    }
    throw ReplayError(.cannotBind, "no port of \(address) is free for DNS over UDP and TCP")
  }

  deinit {
    close(datagrams)
  }

  /// Receives a datagram without blocking, or nil if there is none.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> (message: [UInt8], sender: Sender)? {
    var sender = Sender()
    let count = unsafe withUnsafeMutableBytes(of: &sender.storage) { storage in
      unsafe recvfrom(
        datagrams, buffer.baseAddress, buffer.count, 0,
        storage.baseAddress?.assumingMemoryBound(to: sockaddr.self), &sender.size)
    }
    guard count >= 0 else { return nil }
    return unsafe (Array(buffer[..<count]), sender)
  }

  /// Sends a datagram; one for which there is no room is lost, as on the network.
  func send(_ message: [UInt8], to sender: Sender) {
    _ = unsafe withUnsafeBytes(of: sender.storage) { storage in
      unsafe sendto(
        datagrams, message, message.count, Int32(MSG_NOSIGNAL),
        storage.baseAddress?.assumingMemoryBound(to: sockaddr.self), sender.size)
    }
  }
}
