internal import ProbeBase

/// The way in which the end of a message's content is determined (RFC 9112 §6.3).
package enum Framing: Hashable, Sendable {
  /// There is no content.
  case none
  /// The content has this number of bytes.
  case length(Int)
  /// The last chunk ends the content.
  case chunked
  /// The end of the connection ends the content.
  case close
}

/// The header fields of a message that determine the length of its content.
package struct FramingFields: Hashable, Sendable {
  /// The values of Content-Length.
  package private(set) var lengths: [Range<Int>] = []
  /// The codings of all Transfer-Encoding fields, in order.
  package private(set) var codings: [Range<Int>] = []

  /// Whether there is a Transfer-Encoding field, with or without a coding.
  package private(set) var hasCodings = false

  package init() {}

  /// Records a field if it is Content-Length or Transfer-Encoding.
  package mutating func note(_ field: FieldPosition, of bytes: Span<UInt8>) {
    switch field.name.count {
    case 14 where field.isNamed("content-length", in: bytes): lengths.append(field.value)
    case 17 where field.isNamed("transfer-encoding", in: bytes):
      hasCodings = true
      codings += bytes.listed(field.value)
    default: break
    }
  }

  /// Whether the last coding is chunked.
  package func isChunked(in bytes: Span<UInt8>) -> Bool {
    codings.last.map { bytes.isWord($0, "chunked") } ?? false
  }

  /// Whether any coding is chunked, which is the check that browsers make.
  func hasChunks(in bytes: Span<UInt8>) -> Bool {
    codings.contains { bytes.isWord($0, "chunked") }
  }

  /// The violations of the standard that a lenient parser accepts.
  func leniencies(of bytes: Span<UInt8>) -> Leniencies {
    if lengths.isEmpty, codings.isEmpty { return [] }
    var found: Leniencies = []
    if !lengths.isEmpty, hasChunks(in: bytes) { found.insert(.lengthAndChunks) }
    for value in lengths where bytes.number(value) == nil {
      let words = bytes.listed(value)
      if words.isEmpty || words.contains(where: { bytes.number($0) == nil }) { found.insert(.noLength) }
    }
    for coding in codings where !bytes.isWord(coding, "chunked") && !bytes.isWord(coding, "identity") {
      found.insert(.unknownTransferCoding)
    }
    return found
  }

  /// The announced length; nil if there is none.
  ///
  /// The same number several times counts as one (RFC 9110 §8.6). A strict parser accepts it in several
  /// fields, but not as a list in one of them; a lenient one ignores values that are not a length, or are more
  /// than 2^63 - 1.
  ///
  /// - Throws: ``HTTPMessageError`` for two different lengths and, with strict parsing, for a value that is not a
  ///   length.
  package func length(in bytes: Span<UInt8>, _ reading: Reading) throws(HTTPMessageError) -> Int? {
    var length: Int??
    func take(_ count: Int?) throws(HTTPMessageError) {
      if let length, length != count { throw .differentLengths }
      length = .some(count)
    }
    for value in lengths {
      let count = reading == .lenient ? bytes.number(value) : bytes.decimal(value)
      if count == nil, reading == .strict { throw HTTPMessageError("a Content-Length that is no length") }
      // Nearly every value is a single number.
      let listed = count == nil ? bytes.listed(value) : []
      if listed.isEmpty { try take(count) }
      for number in listed { try take(bytes.number(number)) }
    }
    return length ?? nil
  }
}

/// The strictness of parsing.
package enum Reading: Hashable, Sendable {
  /// As a secure server does: anything that two parsers could interpret differently is an error (RFC 9112
  /// §11.2).
  case strict
  /// As browsers do.
  case lenient
}

extension Span<UInt8> {
  /// The number that decimal digits represent, up to 2^48; nil for anything else.
  package func decimal(_ digits: Range<Int>) -> Int? {
    var number = 0
    for index in digits {
      guard self[index].isASCIIDigit, number < 1 << 48 else { return nil }
      number = number * 10 + Int(widening: self[index] - UInt8(ascii: "0"))
    }
    return digits.isEmpty ? nil : number
  }

  /// The number that decimal digits represent, up to 2^63 - 1; nil for anything else.
  func number(_ digits: Range<Int>) -> Int? {
    var number = 0
    for index in digits {
      guard self[index].isASCIIDigit else { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = product.addingReportingOverflow(Int(widening: self[index] - UInt8(ascii: "0")))
      guard !isTooLarge, !overflows else { return nil }
      number = sum
    }
    return digits.isEmpty ? nil : number
  }
}
