internal import CProbeShims
internal import Glibc
internal import ProbeCore
internal import ProbeSockets

/// A listening TCP socket that treats connections according to a ``ListenerMode``; it is closed when
/// deinitialized.
final class ListeningSocket: Sendable {
  let descriptor: Int32
  /// The address it is bound to.
  let address: SocketAddress
  /// The connection that fills the queue of a black hole.
  private let filler: Int32?

  /// Binds the socket.
  ///
  /// - Throws: ``ReplayError``.
  init(_ wanted: SocketAddress, mode: ListenerMode) throws(ReplayError) {
    let descriptor = try Self.bound(to: wanted)
    do throws(ReplayError) {
      address = SocketAddress(wanted.address, port: Self.port(of: descriptor))
      filler = try Self.receive(on: descriptor, address, mode)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit {
    if let filler { close(filler) }
    close(descriptor)
  }

  /// Accepts the next connection without blocking; nil if none is pending, or none can be accepted.
  func accept() -> (descriptor: Int32?, isShort: Bool) {
    while true {
      let accepted = probe_accept_nonblocking(descriptor)
      if accepted >= 0 { return (accepted, false) }
      switch errno {
      case EINTR, ECONNABORTED: continue
      // Reported even if none is pending: the system allocates a descriptor first.
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return (nil, isWaitedAt)
      default: return (nil, false)
      }
    }
  }

  /// Whether a connection is pending.
  private var isWaitedAt: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) == 1
  }
}

extension ListeningSocket {
  private static func bound(to address: SocketAddress) throws(ReplayError) -> Int32 {
    let descriptor = try made(for: address)
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    // Connections of an earlier server may be in TIME_WAIT on an explicit port.
    if address.port != 0 { unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size) }
    // Accepted connections inherit it: each part of an answer is sent at once.
    unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    guard unsafe address.withSocketAddress({ unsafe bind(descriptor, $0, $1) }) == 0 else {
      let code = errno
      close(descriptor)
      let remedy = code == EADDRINUSE ? ": choose another port, or none for a free one" : ""
      throw ReplayError(.cannotBind, "cannot listen on \(address): \(words(code))\(remedy)")
    }
    return descriptor
  }

  private static func made(for address: SocketAddress) throws(ReplayError) -> Int32 {
    let family = address.address.family == .v6 ? AF_INET6 : AF_INET
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw ReplayError(.noResources, "cannot create a socket: \(words(errno))") }
    return descriptor
  }

  /// Starts to listen, unless the mode refuses connections.
  ///
  /// - Returns: The filler connection of a black hole.
  private static func receive(
    on descriptor: Int32, _ address: SocketAddress, _ mode: ListenerMode
  ) throws(ReplayError) -> Int32? {
    switch mode {
    // Bound but not listening: the system refuses connections, and gives the port to no other process.
    case .refused: return nil
    case .open, .rst, .hold:
      try listen(descriptor, address, backlog: 4096)
      return nil
    case .blackhole:
      // If one connection fills a queue of one, the system drops every further attempt.
      try listen(descriptor, address, backlog: 0)
      let filler = try made(for: address)
      let result = unsafe address.withSocketAddress { unsafe connect(filler, $0, $1) }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard result == 0 || errno == EINPROGRESS, unsafe poll(&entry, 1, 5000) == 1 else {
        close(filler)
        throw ReplayError(.cannotBind, "cannot create a black hole on \(address)")
      }
      return filler
    }
  }

  private static func listen(_ descriptor: Int32, _ address: SocketAddress, backlog: Int32)
    throws(ReplayError)
  {
    guard Glibc.listen(descriptor, backlog) == 0 else {
      throw ReplayError(.cannotBind, "cannot listen on \(address): \(words(errno))")
    }
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    // The port is at the same offset in the addresses of both families.
    return result == 0 ? UInt16(bigEndian: storage.sin6_port) : 0
  }

  private static func words(_ code: Int32) -> String {
    unsafe String(cString: strerror(code))
  }
}
