import ProbeBase

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
