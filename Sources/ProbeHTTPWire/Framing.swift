internal import ProbeASCII

/// How the end of a message's content is seen (RFC 9112 §6.3).
package enum Framing: Hashable, Sendable {
  /// There is no content.
  case none
  /// It has so many bytes.
  case length(Int)
  /// Its last chunk ends it.
  case chunked
  /// It ends with the connection.
  case close
}

/// What the header fields of a message say of the length of its content.
package struct FramingFields: Hashable, Sendable {
  /// The values of Content-Length.
  package private(set) var lengths: [Range<Int>] = []
  /// The codings of all Transfer-Encoding fields, in their order.
  package private(set) var codings: [Range<Int>] = []

  /// Whether there is a Transfer-Encoding field, with or without a coding.
  package private(set) var hasCodings = false

  /// No field.
  package init() {}

  /// Notes a field if it is one of these two.
  package mutating func note(_ field: FieldPlace, of bytes: Span<UInt8>) {
    switch field.name.count {
    case 14 where field.isNamed("content-length", in: bytes): lengths.append(field.value)
    case 17 where field.isNamed("transfer-encoding", in: bytes):
      hasCodings = true
      codings += bytes.listed(field.value)
    default: break
    }
  }

  /// Whether the last coding is chunks.
  package func isChunked(in bytes: Span<UInt8>) -> Bool {
    codings.last.map { bytes.isWord($0, "chunked") } ?? false
  }

  /// Whether chunks are among the codings, as browsers ask.
  func hasChunks(in bytes: Span<UInt8>) -> Bool {
    codings.contains { bytes.isWord($0, "chunked") }
  }

  /// How they break the standard where a lenient reader takes them.
  func leniencies(of bytes: Span<UInt8>) -> Leniencies {
    if lengths.isEmpty, codings.isEmpty { return [] }
    var found: Leniencies = []
    if !lengths.isEmpty, hasChunks(in: bytes) { found.insert(.lengthAndChunks) }
    for value in lengths where bytes.decimal(value) == nil {
      let words = bytes.listed(value)
      if words.isEmpty || words.contains(where: { bytes.decimal($0) == nil }) { found.insert(.noLength) }
    }
    for coding in codings where !bytes.isWord(coding, "chunked") && !bytes.isWord(coding, "identity") {
      found.insert(.unknownTransferCoding)
    }
    return found
  }

  /// The announced length; nil when none is announced.
  ///
  /// The same number several times counts as one (RFC 9110 §8.6). A strict reader takes it in several fields, and not as
  /// a list in one of them; a lenient one passes over what is no length.
  ///
  /// - Throws: ``WireFault`` for two lengths that differ, and to a strict reader for what is no length.
  package func length(in bytes: Span<UInt8>, _ reading: Reading) throws(WireFault) -> Int? {
    var length: Int??
    func take(_ count: Int?) throws(WireFault) {
      if let length, length != count { throw WireFault("two Content-Length fields that differ") }
      length = .some(count)
    }
    for value in lengths {
      let count = bytes.decimal(value)
      if count == nil, reading == .strict { throw WireFault("a Content-Length that is no length") }
      // Nearly every one is a number alone.
      let listed = count == nil ? bytes.listed(value) : []
      if listed.isEmpty { try take(count) }
      for number in listed { try take(bytes.decimal(number)) }
    }
    return length ?? nil
  }
}

/// How bytes are read.
package enum Reading: Hashable, Sendable {
  /// As a server that is not to be deceived reads: what two readers could understand differently is a fault
  /// (RFC 9112 §11.2).
  case strict
  /// As browsers read.
  case lenient
}

extension Span<UInt8> {
  /// The number that digits say, up to 2^48; nil for anything else.
  package func decimal(_ digits: Range<Int>) -> Int? {
    var number = 0
    for place in digits {
      guard self[place].isASCIIDigit, number < 1 << 48 else { return nil }
      number = number * 10 + Int(self[place] - UInt8(ascii: "0"))
    }
    return digits.isEmpty ? nil : number
  }
}
