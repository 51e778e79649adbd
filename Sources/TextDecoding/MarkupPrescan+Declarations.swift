extension MarkupPrescan {
  /// The charset in the content of a `<meta http-equiv>` (HTML Standard §2.4.5, "extracting a character encoding from a
  /// meta element"), given in lower case.
  static func charset(ofContent content: [UInt8]) -> Charset? {
    let word = Array("charset".utf8)
    var place = 0
    while place + word.count <= content.count {
      guard content[place...].starts(with: word) else {
        place += 1
        continue
      }
      place += word.count
      var rest = content[place...].drop(while: \.isASCIISpace)
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst().drop(while: \.isASCIISpace)
      if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        rest = rest.dropFirst()
        return rest.firstIndex(of: quote).flatMap { Charset(label: rest[..<$0]) }
      }
      return Charset(label: rest.prefix { !$0.isASCIISpace && $0 != UInt8(ascii: ";") })
    }
    return nil
  }

  /// The charset of an XML declaration at the very start ("get an XML encoding").
  static func xmlCharset(in bytes: ArraySlice<UInt8>) -> Charset? {
    guard bytes.starts(with: "<?xml".utf8), let end = bytes.firstIndex(of: UInt8(ascii: ">")) else {
      return nil
    }
    let declaration = bytes[..<end]
    let word = Array("encoding".utf8)
    guard let start = declaration.indices.first(where: { declaration[$0...].starts(with: word) }) else {
      return nil
    }
    var rest = declaration[(start + word.count)...].drop { $0 <= 0x20 }
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst().drop { $0 <= 0x20 }
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    rest = rest.dropFirst()
    guard let closing = rest.firstIndex(of: quote), !rest[..<closing].contains(where: { $0 <= 0x20 }) else {
      return nil
    }
    return Charset(label: rest[..<closing])?.asDeclaredInsideText
  }
}

extension Charset {
  /// What a charset means in a declaration that stands in the text itself: who can read it as ASCII has no UTF-16
  /// before him.
  var asDeclaredInsideText: Charset {
    switch self {
    case .utf16le, .utf16be: .utf8
    case .userDefined: .windows1252
    default: self
    }
  }
}
