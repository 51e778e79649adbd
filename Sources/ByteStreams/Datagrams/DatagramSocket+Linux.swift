internal import CProbeShims
internal import Glibc
internal import ProbeCore
internal import ProbeSockets
internal import ProbeThreading

/// A socket for datagrams to and from one address; the system discards those from any other.
///
/// It must be used on the loop's thread.
struct DatagramSocket {
  let descriptor: Int32

  /// The result of receiving.
  enum Received {
    case bytes([UInt8])
    case nothing
    case failed(Int32)
  }

  /// Opens a socket, from a port that the system chooses at random.
  ///
  /// - Throws: ``SocketFailure``.
  init(
    _ kind: DatagramProtocol, to address: SocketAddress, from source: ProbeSource?,
    for watcher: any DescriptorWatcher, on thread: LoopThread
  ) throws(SocketFailure) {
    let isV6 = address.address.family == .v6
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let number =
      switch kind {
      case .udp: IPPROTO_UDP
      case .ping: isV6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP
      }
    descriptor = socket(isV6 ? AF_INET6 : AF_INET, type, Int32(number))
    guard descriptor >= 0 else { throw kind == .ping && errno == EACCES ? .notPermitted : .system(errno) }
    do throws(SocketFailure) {
      guard !isAmongTheLast(descriptor) else { throw .system(EMFILE) }
      reportErrors(isV6: isV6)
      try source?.bind(descriptor, for: address.address.family)
      let result = unsafe address.withSocketAddress { unsafe connect(descriptor, $0, $1) }
      guard result == 0 else { throw .system(errno) }
      guard thread.watch(descriptor, .readable, watcher) else { throw .system(errno) }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  /// Reports also the errors that may pass, such as an unreachable host, ip(7).
  private func reportErrors(isV6: Bool) {
    var on: Int32 = 1
    _ = unsafe setsockopt(
      descriptor, Int32(isV6 ? IPPROTO_IPV6 : IPPROTO_IP), isV6 ? IPV6_RECVERR : IP_RECVERR, &on,
      socklen_t(MemoryLayout<Int32>.size))
  }

  /// Sends a datagram.
  ///
  /// - Returns: The system's error, or 0; a datagram for which there is no room is lost, as on the network.
  func send(_ bytes: [UInt8]) -> Int32 {
    while true {
      let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 || errno == EAGAIN { return 0 }
      if errno != EINTR { return errno }
    }
  }

  /// Receives a datagram.
  func receive(on thread: LoopThread) -> Received {
    while true {
      let count = unsafe recv(descriptor, thread.buffer.baseAddress, thread.buffer.count, 0)
      if count >= 0 { return unsafe .bytes(Array(thread.buffer[..<count])) }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        emptyErrorQueue(on: thread)
        return .nothing
      case let error:
        emptyErrorQueue(on: thread)
        return .failed(error)
      }
    }
  }

  /// Removes the details of errors, which are not needed; while there are some, the socket counts as broken.
  private func emptyErrorQueue(on thread: LoopThread) {
    let flags = Int32(MSG_ERRQUEUE)
    while unsafe recv(descriptor, thread.buffer.baseAddress, thread.buffer.count, flags) >= 0 {}
  }

  /// Closes the socket; no event follows.
  func close(on thread: LoopThread) {
    thread.unwatch(descriptor, isClosing: true)
    Glibc.close(descriptor)
  }
}
