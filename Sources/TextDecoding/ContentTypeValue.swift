/// What a Content-Type field says (RFC 9110 §8.3), read from its bytes with patience for what is around it.
///
/// Parameters are separated by semicolons, as they should be, and values may be quoted with `"`, as they may, or with
/// `'`, as they may not. A comma ends a value, because two fields may have been joined into one.
struct ContentTypeValue {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The first `charset` parameter that names a charset.
  var charset: Charset? {
    var place = skip(in: bytes.startIndex) { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
    while place < bytes.endIndex {
      let name = skip(in: place) { $0.isASCIISpace || $0 == UInt8(ascii: ";") }
      let nameEnd = skip(in: name) { $0.isTokenByte }
      let equals = skip(in: nameEnd, while: \.isASCIISpace)
      guard equals < bytes.endIndex, bytes[equals] == UInt8(ascii: "=") else {
        place = max(equals, skip(in: name) { $0 != UInt8(ascii: ";") }, place + 1)
        continue
      }
      let value = value(at: skip(in: equals + 1, while: \.isASCIISpace))
      if isCharset(name..<nameEnd), let charset = Charset(declared: bytes[value]) { return charset }
      place = max(value.upperBound, place + 1)
      place = skip(in: place) { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
    }
    return nil
  }

  /// Whether the media type is HTML or XML in one of their many names; nil when the field names no type.
  var isMarkup: Bool? {
    let end = skip(in: bytes.startIndex) { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
    let type = bytes[..<end].map(\.asciiLowercased)
    guard type.contains(UInt8(ascii: "/")) else { return nil }
    let text = String(decoding: type.filter { !$0.isASCIISpace }, as: UTF8.self)
    return text.hasSuffix("html") || text.hasSuffix("xml") || text.hasSuffix("html+xml")
  }

  private func skip(in start: Int, while condition: (UInt8) -> Bool) -> Int {
    var place = start
    while place < bytes.endIndex, condition(bytes[place]) { place += 1 }
    return place
  }

  /// The place of a value without its quotes.
  private func value(at start: Int) -> Range<Int> {
    guard start < bytes.endIndex else { return start..<start }
    let quote = bytes[start]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      return (start + 1)..<skip(in: start + 1) { $0 != quote }
    }
    return start..<skip(in: start) {
      $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && !$0.isASCIISpace
    }
  }

  private func isCharset(_ name: Range<Int>) -> Bool {
    guard name.count == 7 else { return false }
    var place = name.lowerBound
    for letter in "charset".utf8 {
      guard bytes[place] | 0x20 == letter else { return false }
      place += 1
    }
    return true
  }
}

extension Charset {
  /// A charset as a server declares it; UTF-8, which nearly all do, is told without making a text of it.
  init?(declared label: ArraySlice<UInt8>) {
    let place = label.startIndex
    if label.count == 5, label[place] | 0x20 == UInt8(ascii: "u"), label[place + 1] | 0x20 == UInt8(ascii: "t"),
      label[place + 2] | 0x20 == UInt8(ascii: "f"), label[place + 3] == UInt8(ascii: "-"),
      label[place + 4] == UInt8(ascii: "8")
    {
      self = .utf8
    } else {
      self.init(label: label)
    }
  }
}

extension UInt8 {
  /// Whether the byte can be part of a parameter's name here: anything that does not end one.
  fileprivate var isTokenByte: Bool {
    !isASCIISpace && self != UInt8(ascii: "=") && self != UInt8(ascii: ";") && self != UInt8(ascii: ",")
  }
}
