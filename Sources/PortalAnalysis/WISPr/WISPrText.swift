import ProbeASCII

/// Decoding raw bytes of XML, as leniently as gateway messages require.
extension ArraySlice<UInt8> {
  /// The text: CDATA sections unchanged, entities decoded elsewhere, surrounding white space removed.
  ///
  /// CDATA is often written incorrectly: with an extra bracket, or without its `<!`.
  var plainText: [UInt8] {
    let trimmed = trimmingWhiteSpace
    var text: [UInt8] = []
    var rest = trimmed
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      text += rest[..<open].decodingEntities
      let section = rest[open...].dropFirst(cdataStart.count)
      var end = section.startIndex
      while end < section.endIndex, !section[end...].starts(with: cdataEnd) { end += 1 }
      text += section[..<end].withoutBrackets
      rest = section[end...].dropFirst(cdataEnd.count)
    }
    if text.isEmpty, rest.starts(with: misspelt) {
      text = rest.dropFirst(misspelt.count).withoutClosing.decodingEntities
    } else {
      text += rest.decodingEntities
    }
    return [UInt8](text[...].trimmingWhiteSpace)
  }

  /// The bytes with XML entities (XML 1.0 §4.6) and character references decoded; others are unchanged.
  var decodingEntities: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(count)
    var rest = self
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += rest[..<mark]
      let behind = rest[(mark + 1)...]
      if let end = behind.prefix(10).firstIndex(of: UInt8(ascii: ";")),
        let character = Self.character(named: behind[..<end])
      {
        text += String(character).utf8
        rest = behind[(end + 1)...]
      } else {
        text.append(UInt8(ascii: "&"))
        rest = behind
      }
    }
    return text + rest
  }

  private static func character(named name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    if name.first == UInt8(ascii: "#") {
      let digits = name.dropFirst()
      let isHexadecimal = (digits.first ?? 0) | 0x20 == UInt8(ascii: "x")
      let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
      guard let first = text.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else {
        return nil
      }
      return UInt32(text: text, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    }
    switch String(decoding: name, as: UTF8.self).lowercased() {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: return nil
    }
  }

  private var trimmingWhiteSpace: ArraySlice<UInt8> {
    var rest = drop { $0 <= 0x20 }
    while let last = rest.last, last <= 0x20 { rest.removeLast() }
    return rest
  }

  /// The bytes without the extra brackets in `<![CDATA[[text]]]>`.
  private var withoutBrackets: ArraySlice<UInt8> {
    guard first == UInt8(ascii: "[") else { return self }
    return last == UInt8(ascii: "]") ? dropFirst().dropLast() : dropFirst()
  }

  private var withoutClosing: ArraySlice<UInt8> {
    var rest = self
    if rest.last == UInt8(ascii: ">") { rest.removeLast() }
    for _ in 0..<2 where rest.last == UInt8(ascii: "]") { rest.removeLast() }
    return rest
  }
}

private let cdataStart = Array("<![CDATA[".utf8)
private let cdataEnd = Array("]]>".utf8)
private let misspelt = Array("CDATA[[".utf8)
