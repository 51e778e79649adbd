/// Markup as bytes.
extension ArraySlice<UInt8> {
  /// The bytes with XML entities (XML 1.0 §4.6) and character references decoded; others are unchanged.
  package var decodingEntities: [UInt8] {
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
}

extension UInt8 {
  /// Whether the byte may occur in the name of an element of XML; ASCII only.
  package var isXMLNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
