internal import ProbeBase

/// Parses a Content-Type field (RFC 9110 §8.3) leniently.
///
/// Parameters are separated by semicolons. Values may be quoted with `"`, which the RFC allows, or with `'`,
/// which it does not. A comma ends a value, because two fields may have been joined into one.
package enum ContentTypeValue {
  /// The charset of the first `charset` parameter with a known value.
  package static func charset(in bytes: Span<UInt8>) -> Charset? {
    var index = bytes.skip(from: 0) { $0 != semicolon && $0 != comma }
    while index < bytes.count {
      let name = bytes.skip(from: index + 1) { $0.isASCIISpace }
      let nameEnd = bytes.skip(from: name) { $0.isNameByte }
      let sign = bytes.skip(from: nameEnd) { $0.isASCIISpace }
      index = sign
      if sign < bytes.count, bytes[sign] == UInt8(ascii: "=") {
        let value = bytes.value(at: bytes.skip(from: sign + 1) { $0.isASCIISpace })
        if bytes.isCharset(name..<nameEnd), let charset = bytes.declaredCharset(value) { return charset }
        index = value.upperBound
      }
      index = bytes.skip(from: index) { $0 != semicolon && $0 != comma }
    }
    return nil
  }

  /// Whether the media type is one of those for HTML or XML; nil if the field has no type.
  package static func isMarkup(_ bytes: Span<UInt8>) -> Bool? {
    let end = bytes.skip(from: 0) { $0 != semicolon && $0 != comma }
    guard bytes.skip(from: 0, while: { $0 != UInt8(ascii: "/") }) < end else { return nil }
    return bytes.hasWord("html", endingAt: end) || bytes.hasWord("xml", endingAt: end)
  }
}

private let semicolon = UInt8(ascii: ";")
private let comma = UInt8(ascii: ",")

extension Span<UInt8> {
  fileprivate func skip(from start: Int, while condition: (UInt8) -> Bool) -> Int {
    var index = start
    while index < count, condition(self[index]) { index += 1 }
    return index
  }

  /// Whether a lower-case word precedes a position, in any case and with optional spaces.
  fileprivate func hasWord(_ word: String, endingAt end: Int) -> Bool {
    var index = end
    for byte in word.utf8.reversed() {
      repeat { index -= 1 } while index >= 0 && self[index].isASCIISpace
      guard index >= 0, self[index].asciiLowercased == byte else { return false }
    }
    return true
  }

  /// The range of a value without its quotes.
  fileprivate func value(at start: Int) -> Range<Int> {
    guard start < count else { return count..<count }
    let quote = self[start]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      return (start + 1)..<skip(from: start + 1) { $0 != quote }
    }
    return start..<skip(from: start) { $0 != semicolon && $0 != comma && !$0.isASCIISpace }
  }

  fileprivate func isCharset(_ name: Range<Int>) -> Bool {
    guard name.count == 7 else { return false }
    let start = name.lowerBound
    return self[start] | 0x20 == UInt8(ascii: "c") && self[start + 1] | 0x20 == UInt8(ascii: "h")
      && self[start + 2] | 0x20 == UInt8(ascii: "a") && self[start + 3] | 0x20 == UInt8(ascii: "r")
      && self[start + 4] | 0x20 == UInt8(ascii: "s") && self[start + 5] | 0x20 == UInt8(ascii: "e")
      && self[start + 6] | 0x20 == UInt8(ascii: "t")
  }

  /// The charset of a label; UTF-8, by far the most common, is detected without creating a string.
  fileprivate func declaredCharset(_ label: Range<Int>) -> Charset? {
    let start = label.lowerBound
    if label.count == 5, self[start] | 0x20 == UInt8(ascii: "u"), self[start + 1] | 0x20 == UInt8(ascii: "t"),
      self[start + 2] | 0x20 == UInt8(ascii: "f"), self[start + 3] == UInt8(ascii: "-"),
      self[start + 4] == UInt8(ascii: "8")
    {
      return .utf8
    }
    return Charset(label: label.map { self[$0] })
  }
}

extension UInt8 {
  /// Whether the byte can be part of a parameter's name: any byte that does not end one.
  fileprivate var isNameByte: Bool {
    !isASCIISpace && self != UInt8(ascii: "=") && self != semicolon && self != comma
  }
}
