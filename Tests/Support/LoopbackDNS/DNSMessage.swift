/// A question that a DNS server received (RFC 1035 §4.1).
package struct DNSQuestion: Sendable, Hashable {
  /// The requested record type.
  package struct Kind: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// IPv4 addresses.
    package static let a = Kind(rawValue: 1)
    /// IPv6 addresses (RFC 3596).
    package static let aaaa = Kind(rawValue: 28)
    package static let txt = Kind(rawValue: 16)
  }

  /// The number that the response repeats.
  package var id: UInt16
  /// The name, without a dot at its end; bytes beyond ASCII as U+0080 to U+00FF.
  package var name: String
  /// The requested record type.
  package var kind: Kind
  /// Whether it was received over TCP.
  package var isTCP = false
  /// The source port.
  package var port: UInt16 = 0
  /// The question as received: name, type and class.
  package var bytes: [UInt8]

  /// The entire message.
  package var message: [UInt8]

  /// Reads a message with one question.
  ///
  /// - Returns: nil when it is something else.
  package init?(_ message: [UInt8]) {
    guard message.count > 16, message[2] & 0x80 == 0, message[4] == 0, message[5] == 1 else { return nil }
    var labels: [String] = []
    var offset = 12
    while offset < message.count, message[offset] > 0 {
      let end = offset + 1 + Int(message[offset])
      guard message[offset] < 64, end < message.count else { return nil }
      labels.append(String(String.UnicodeScalarView(message[(offset + 1)..<end].map { Unicode.Scalar($0) })))
      offset = end
    }
    guard offset + 5 <= message.count else { return nil }
    kind = Kind(rawValue: UInt16(message[offset + 1]) << 8 | UInt16(message[offset + 2]))
    self.message = message
    id = UInt16(message[0]) << 8 | UInt16(message[1])
    name = labels.joined(separator: ".")
    bytes = Array(message[12..<(offset + 5)])
  }
}

/// A DNS response, well-formed unless it is built otherwise.
package struct DNSMessage: Sendable {
  /// A record of the answer.
  package enum Record: Sendable {
    /// An IPv4 or IPv6 address in its bytes.
    case address([UInt8])
    /// Another name.
    case alias(String)
    /// Arbitrary record data.
    case other(type: UInt16, [UInt8])
  }

  /// The number of the question.
  package var id: UInt16
  /// The question it repeats.
  package var question: [UInt8]
  /// The response code: 0, 2 (SERVFAIL), 3 (NXDOMAIN), 5 (REFUSED).
  package var code: UInt8 = 0
  /// Whether it is marked as truncated.
  package var isTruncated = false
  private var records: [UInt8] = []
  private var count: UInt16 = 0

  /// A response without a record.
  package init(to question: DNSQuestion, code: UInt8 = 0) {
    id = question.id
    self.question = question.bytes
    self.code = code
  }

  /// A copy with one more record.
  ///
  /// - Parameters:
  ///   - record: The record's data.
  ///   - name: The record's name; nil for the requested one.
  ///   - timeToLive: The time to live in seconds.
  /// - Returns: The copy.
  package func with(_ record: Record, of name: String? = nil, timeToLive: UInt32 = 60) -> DNSMessage {
    var message = self
    let (type, value): (UInt16, [UInt8]) =
      switch record {
      case .address(let bytes): (bytes.count == 4 ? 1 : 28, bytes)
      case .alias(let name): (5, Self.encoded(name))
      case .other(let type, let bytes): (type, bytes)
      }
    // C0 0C: the name of the question.
    message.records += name.map(Self.encoded) ?? [0xC0, 12]
    message.records += Self.bytes(type) + [0, 1]
    message.records +=
      Self.bytes(UInt16(timeToLive >> 16)) + Self.bytes(UInt16(truncatingIfNeeded: timeToLive))
    message.records += Self.bytes(UInt16(value.count)) + value
    message.count += 1
    return message
  }

  /// A copy with another number.
  package func with(id: UInt16) -> DNSMessage {
    var message = self
    message.id = id
    return message
  }

  /// A copy that is marked as truncated.
  package var truncated: DNSMessage {
    var message = self
    message.isTruncated = true
    return message
  }

  /// The bytes on the wire.
  package var bytes: [UInt8] {
    Self.bytes(id) + [isTruncated ? 0x87 : 0x85, 0x80 | code] + [0, 1] + Self.bytes(count) + [0, 0, 0, 0]
      + question + records
  }

  /// A name in labels.
  package static func encoded(_ name: String) -> [UInt8] {
    name.utf8.split(separator: UInt8(ascii: ".")).flatMap { [UInt8($0.count)] + $0 } + [0]
  }

  private static func bytes(_ number: UInt16) -> [UInt8] {
    [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
  }
}
