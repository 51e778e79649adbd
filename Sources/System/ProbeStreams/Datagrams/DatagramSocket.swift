import ProbeBase
internal import CProbeSystem
internal import Glibc
internal import ProbeSystem

/// A socket for datagrams to and from one address; the system discards those from any other.
///
/// Pings use a datagram socket if the system permits it to a group of this process (`ping_group_range` in
/// icmp(7)), otherwise a raw socket, for which a process needs `CAP_NET_RAW` (raw(7)).
///
/// It must be used on the loop's thread.
struct DatagramSocket {
  let descriptor: Int32
  /// What the system does only for datagram sockets; nil for these.
  private let raw: RawEcho?

  enum Received {
    /// A datagram, and the remaining hop limit of its packet, if the system reports it.
    case bytes([UInt8], hopLimit: Int?)
    /// A packet or an error for another process, which a raw socket receives too.
    case other
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
    (descriptor, raw) = try Self.open(kind, isV6: isV6)
    do throws(SocketFailure) {
      guard !descriptorIsReserved(descriptor) else { throw .system(EMFILE) }
      if raw != nil, !probe_receive_only_icmp(descriptor, isV6, -1) { throw .system(errno) }
      // Also report transient errors, such as an unreachable host (ip(7)).
      _ = set(isV6 ? IPV6_RECVERR : IP_RECVERR, 1, isV6: isV6)
      if case .ping(let options) = kind { try apply(options, isV6: isV6) }
      try source?.bind(descriptor, for: address.address.family)
      let result = unsafe address.withSocketAddress { unsafe connect(descriptor, $0, $1) }
      guard result == 0 else { throw .system(errno) }
      if let raw { try receiveReplies(of: raw) }
      guard thread.watch(descriptor, .readable, watcher) else { throw .system(errno) }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  /// Opens a socket of the first type that the system permits.
  private static func open(
    _ kind: DatagramProtocol, isV6: Bool
  ) throws(SocketFailure) -> (descriptor: Int32, raw: RawEcho?) {
    func descriptor(_ type: Int32, _ number: Int) -> Int32 {
      probe_open_socket(isV6 ? AF_INET6 : AF_INET, type, Int32(truncatingIfNeeded: number))
    }
    guard case .ping = kind else {
      let udp = descriptor(probe_datagram, IPPROTO_UDP)
      guard udp >= 0 else { throw .system(errno) }
      return (udp, nil)
    }
    let number = isV6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP
    for type in [probe_datagram, probe_raw] {
      let opened = descriptor(type, number)
      if opened >= 0 { return (opened, type == probe_raw ? RawEcho(isV6: isV6) : nil) }
      guard errno == EACCES || errno == EPERM else { throw .system(errno) }
    }
    throw .notPermitted
  }

  /// Discards what a raw socket received from any address before it was connected, and lets it receive echo
  /// replies.
  ///
  /// - Throws: ``SocketFailure`` if the system does not support that.
  private func receiveReplies(of raw: RawEcho) throws(SocketFailure) {
    var byte: UInt8 = 0
    // It receives nothing meanwhile.
    while unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 {}
    guard probe_receive_only_icmp(descriptor, raw.isV6, Int32(widening: raw.replyType)) else {
      throw .system(errno)
    }
  }

  /// Applies options to sent packets, and enables the hop limit of received ones.
  ///
  /// - Throws: ``SocketFailure`` if the system does not support the options.
  private func apply(_ options: PacketOptions, isV6: Bool) throws(SocketFailure) {
    // Without it, the hop limit is not known.
    _ = set(isV6 ? IPV6_RECVHOPLIMIT : IP_RECVTTL, 1, isV6: isV6)
    if let limit = options.hopLimit {
      guard set(isV6 ? IPV6_UNICAST_HOPS : IP_TTL, Int32(truncatingIfNeeded: limit), isV6: isV6) else {
        throw .system(errno)
      }
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
      descriptor, Int32(truncatingIfNeeded: isV6 ? IPPROTO_IPV6 : IPPROTO_IP), option, &value,
      socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  /// Sends a datagram.
  ///
  /// - Returns: The system's error, or 0; a datagram for which there is no room is lost, as on the network.
  func send(_ bytes: [UInt8]) -> Int32 {
    let bytes = raw?.request(bytes) ?? bytes
    while true {
      let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 || errno == EAGAIN { return 0 }
      if errno != EINTR { return errno }
    }
  }

  func receive(on thread: LoopThread) -> Received {
    guard let room = unsafe thread.buffer.baseAddress else { return .nothing }
    var limit: Int32 = -1
    while true {
      let count = unsafe probe_receive_with_hop_limit(descriptor, room, thread.buffer.count, &limit)
      if count >= 0 {
        var bytes = unsafe Array(thread.buffer[..<count])
        if let raw {
          guard let message = raw.reply(in: bytes) else { return .other }
          bytes = message
        }
        return .bytes(bytes, hopLimit: limit < 0 ? nil : Int(widening: limit))
      }
      let error = errno
      if error == EINTR { continue }
      let reported = nextError(on: thread)
      if raw != nil, let reported { return .failed(reported) }
      if error == EAGAIN { return .nothing }
      return raw == nil ? .failed(error) : .other
    }
  }

  /// The next error that the network reported for a request of this raw socket; empties the error queue if
  /// there is none.
  ///
  /// A datagram socket has only errors of its own, whose details are not used: the queue is emptied, because the
  /// socket counts as broken while any are queued.
  private func nextError(on thread: LoopThread) -> Int32? {
    guard let room = unsafe thread.buffer.baseAddress else { return nil }
    while true {
      var error: Int32 = 0
      let count = unsafe probe_receive_error(descriptor, room, thread.buffer.count, &error)
      guard count >= 0 else { return nil }
      if error != 0, let raw, unsafe raw.isRequest(Array(thread.buffer[..<count])) { return error }
    }
  }

  /// Closes the socket; no event follows.
  func close(on thread: LoopThread) {
    thread.unwatch(descriptor, isClosing: true)
    Glibc.close(descriptor)
  }
}

/// The parts of pings over a raw socket that the system handles for datagram sockets (icmp(7)); does no I/O.
///
/// A raw socket of IPv4 receives packets with their headers and unchecked, and every raw socket also those for
/// other processes (raw(7)). The identifier distinguishes them. The system computes and verifies checksums of
/// ICMPv6 (RFC 3542 §3.1).
struct RawEcho: Sendable {
  let isV6: Bool
  /// The identifier of the requests and their replies (RFC 792, RFC 4443 §4.1).
  let identifier: UInt16

  init(isV6: Bool, identifier: UInt16 = .random(in: 0 ... .max)) {
    (self.isV6, self.identifier) = (isV6, identifier)
  }

  /// The ICMP type of a reply.
  var replyType: UInt8 { isV6 ? 129 : 0 }

  private var requestType: UInt8 { isV6 ? 128 : 8 }

  /// The message to send for a request without an identifier and a checksum.
  func request(_ message: [UInt8]) -> [UInt8] {
    guard message.count >= 8 else { return message }
    var message = message
    (message[4], message[5]) = (
      UInt8(truncatingIfNeeded: identifier >> 8), UInt8(truncatingIfNeeded: identifier)
    )
    guard !isV6 else { return message }
    let checksum = Self.checksum(of: message[...])
    (message[2], message[3]) = (UInt8(truncatingIfNeeded: checksum >> 8), UInt8(truncatingIfNeeded: checksum))
    return message
  }

  /// The reply in a received packet; nil if it is no intact reply to one of these requests.
  func reply(in packet: [UInt8]) -> [UInt8]? {
    var message = packet[...]
    if !isV6 {
      // The length of the header in units of four bytes (RFC 791 §3.1).
      guard let first = packet.first, first >> 4 == 4 else { return nil }
      let length = Int(widening: first & 15) * 4
      guard length >= 20, length <= packet.count else { return nil }
      message = packet[length...]
      guard Self.checksum(of: message) == 0 else { return nil }
    }
    return isEcho(message, type: replyType) ? Array(message) : nil
  }

  /// Whether a message, which an error may have cut, is one of these requests.
  func isRequest(_ message: [UInt8]) -> Bool { isEcho(message[...], type: requestType) }

  private func isEcho(_ message: ArraySlice<UInt8>, type: UInt8) -> Bool {
    let start = message.startIndex
    return message.count >= 8 && message[start] == type && message[start + 1] == 0
      && UInt16(widening: message[start + 4]) << 8 | UInt16(widening: message[start + 5]) == identifier
  }

  /// The checksum of a message (RFC 1071); 0 for a message that contains its own.
  static func checksum(of message: ArraySlice<UInt8>) -> UInt16 {
    // 65536 bytes do not overflow it.
    var sum: UInt32 = 0
    var isHigh = true
    for byte in message {
      sum += isHigh ? UInt32(widening: byte) << 8 : UInt32(widening: byte)
      isHigh.toggle()
    }
    while sum > 0xFFFF { sum = sum & 0xFFFF + sum >> 16 }
    return ~UInt16(truncatingIfNeeded: sum)
  }
}
