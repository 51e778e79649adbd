internal import ProbeBase

/// Finds the charset that a page declares in its first bytes.
///
/// It follows the HTML Standard §13.2.3.2, "prescan a byte stream to determine its encoding", which reads
/// 1024 bytes; an XML declaration is used if no `<meta>` declares a charset ("get an XML encoding").
package struct MarkupPrescan {
  /// The number of bytes to examine.
  static let limit = 1024

  private let bytes: ArraySlice<UInt8>
  private var index: Int

  /// The declared charset, or nil.
  package static func charset(in page: ArraySlice<UInt8>) -> Charset? {
    var scan = MarkupPrescan(bytes: page.prefix(limit), index: page.startIndex)
    if scan.starts(with: "<\0?\0x\0") { return .utf16le }
    if scan.starts(with: "\0<\0?\0x") { return .utf16be }
    return scan.metaCharset() ?? xmlCharset(in: scan.bytes)
  }

  /// Scans the tags up to a `<meta>` that declares a charset.
  private mutating func metaCharset() -> Charset? {
    while let tag = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = tag
      if starts(with: "<!--") {
        // The two hyphens that start a comment can also end it.
        index += 4
        guard skipComment(from: tag + 2) else { return nil }
      } else if starts(with: "<meta"), let next = byte(at: tag + 5), next.isASCIISpace || next == slash {
        index += 5
        if let charset = charsetOfMeta() { return charset }
      } else if isTagName(at: tag + 1) || byte(at: tag + 1) == slash && isTagName(at: tag + 2) {
        while let next = byte(at: index), !next.isASCIISpace, next != greater { index += 1 }
        while attribute() != nil {}
      } else if let next = byte(at: tag + 1), [UInt8(ascii: "!"), slash, UInt8(ascii: "?")].contains(next) {
        guard let end = bytes[index...].firstIndex(of: greater) else { return nil }
        index = end
      }
      index += 1
      guard index <= bytes.endIndex else { return nil }
    }
    return nil
  }

  private mutating func skipComment(from hyphens: Int) -> Bool {
    var end = hyphens + 2
    while let next = byte(at: end) {
      if next == greater, bytes[end - 1] == hyphen, bytes[end - 2] == hyphen {
        index = end
        return true
      }
      end += 1
    }
    return false
  }

  private mutating func charsetOfMeta() -> Charset? {
    var names: Set<[UInt8]> = []
    var isPragma = false
    var needsPragma: Bool?
    var charset: Charset?
    while let attribute = attribute() {
      guard names.insert(attribute.name).inserted else { continue }
      switch String(decoding: attribute.name, as: UTF8.self) {
      case "http-equiv": isPragma = isPragma || attribute.value.elementsEqual("content-type".utf8)
      case "content":
        guard charset == nil, let found = Self.charset(ofContent: attribute.value) else { continue }
        charset = found
        needsPragma = true
      case "charset":
        charset = Charset(label: attribute.value)
        needsPragma = false
      default: break
      }
    }
    // A tag that is truncated by the limit is ignored.
    guard byte(at: index) != nil, let needsPragma, !needsPragma || isPragma else { return nil }
    return charset?.asDeclaredInsideText
  }

  /// The next attribute of a tag ("get an attribute"), in lower case; nil at the end of the tag or of the
  /// bytes.
  private mutating func attribute() -> (name: [UInt8], value: [UInt8])? {
    while let next = byte(at: index), next.isASCIISpace || next == slash { index += 1 }
    guard let first = byte(at: index), first != greater else { return nil }
    var name: [UInt8] = []
    while let next = byte(at: index), next != slash, next != greater, !next.isASCIISpace {
      if next == equals, !name.isEmpty { break }
      name.append(next.asciiLowercased)
      index += 1
    }
    skipSpace()
    guard byte(at: index) == equals else { return byte(at: index) == nil ? nil : (name, []) }
    index += 1
    skipSpace()
    var value: [UInt8] = []
    if let quote = byte(at: index), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      index += 1
      while let next = byte(at: index), next != quote {
        value.append(next.asciiLowercased)
        index += 1
      }
      // An attribute that is truncated by the limit is ignored.
      guard byte(at: index) != nil else { return nil }
      index += 1
      return (name, value)
    }
    while let next = byte(at: index), !next.isASCIISpace, next != greater {
      value.append(next.asciiLowercased)
      index += 1
    }
    return byte(at: index) == nil ? nil : (name, value)
  }

  private mutating func skipSpace() {
    while byte(at: index)?.isASCIISpace == true { index += 1 }
  }

  private func byte(at index: Int) -> UInt8? {
    index < bytes.endIndex ? bytes[index] : nil
  }

  private func isTagName(at index: Int) -> Bool {
    byte(at: index)?.isASCIILetter == true
  }

  private func starts(with text: StaticString) -> Bool {
    String(describing: text).utf8.enumerated().allSatisfy { byte(at: index + $0)?.asciiLowercased == $1 }
  }
}

private let slash = UInt8(ascii: "/")
private let greater = UInt8(ascii: ">")
private let equals = UInt8(ascii: "=")
private let hyphen = UInt8(ascii: "-")

extension MarkupPrescan {
  /// The charset in the content of a `<meta http-equiv>` (HTML Standard §2.4.5, "extracting a character encoding from a
  /// meta element"), given in lower case.
  static func charset(ofContent content: [UInt8]) -> Charset? {
    let word = Array("charset".utf8)
    var index = 0
    while index + word.count <= content.count {
      guard content[index...].starts(with: word) else {
        index += 1
        continue
      }
      index += word.count
      var rest = content[index...].drop(while: \.isASCIISpace)
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

  /// The charset in an XML declaration at the very start ("get an XML encoding").
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
  /// The charset to use for a declaration inside the text: because the declaration could be read as ASCII,
  /// the text cannot be UTF-16.
  var asDeclaredInsideText: Charset {
    switch self {
    case .utf16le, .utf16be: .utf8
    case .userDefined: .windows1252
    default: self
    }
  }
}
