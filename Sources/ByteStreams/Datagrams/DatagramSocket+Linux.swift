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
    /// A datagram, and the remaining hop limit of its packet, if the system reports it.
    case bytes([UInt8], hopLimit: Int?)
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
    let (number, packets): (Int, PacketOptions?) =
      switch kind {
      case .udp: (IPPROTO_UDP, nil)
      case .ping(let options): (isV6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP, options)
      }
    descriptor = socket(isV6 ? AF_INET6 : AF_INET, type, Int32(number))
    guard descriptor >= 0 else {
      throw packets != nil && errno == EACCES ? .notPermitted : .system(errno)
    }
    do throws(SocketFailure) {
      guard !isAmongTheLast(descriptor) else { throw .system(EMFILE) }
      // Also report transient errors, such as an unreachable host (ip(7)).
      _ = set(isV6 ? IPV6_RECVERR : IP_RECVERR, 1, isV6: isV6)
      if let packets { try apply(packets, isV6: isV6) }
      try source?.bind(descriptor, for: address.address.family)
      let result = unsafe address.withSocketAddress { unsafe connect(descriptor, $0, $1) }
      guard result == 0 else { throw .system(errno) }
      guard thread.watch(descriptor, .readable, watcher) else { throw .system(errno) }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  /// Applies options to sent packets, and enables the hop limit of received ones.
  ///
  /// - Throws: ``SocketFailure`` if the system does not support the options.
  private func apply(_ options: PacketOptions, isV6: Bool) throws(SocketFailure) {
    // Without it, the hop limit is not known.
    _ = set(isV6 ? IPV6_RECVHOPLIMIT : IP_RECVTTL, 1, isV6: isV6)
    if let limit = options.hopLimit {
      guard set(isV6 ? IPV6_UNICAST_HOPS : IP_TTL, Int32(limit), isV6: isV6) else { throw .system(errno) }
    }
    guard options.forbidsFragments else { return }
    let (option, value) =
      isV6 ? (IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO) : (IP_MTU_DISCOVER, IP_PMTUDISC_DO)
    guard set(option, value, isV6: isV6) else { throw .system(errno) }
  }

  /// Sets an IP option; returns whether it could be set.
  private func set(_ option: Int32, _ value: Int32, isV6: Bool) -> Bool {
    var value = value
    return unsafe setsockopt(
      descriptor, Int32(isV6 ? IPPROTO_IPV6 : IPPROTO_IP), option, &value,
      socklen_t(MemoryLayout<Int32>.size)) == 0
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
    guard let room = unsafe thread.buffer.baseAddress else { return .nothing }
    var limit: Int32 = -1
    while true {
      let count = unsafe probe_receive_with_hop_limit(descriptor, room, thread.buffer.count, &limit)
      if count >= 0 {
        return unsafe .bytes(Array(thread.buffer[..<count]), hopLimit: limit < 0 ? nil : Int(limit))
      }
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

  /// Discards the unused details of errors; the socket counts as broken while any are queued.
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
