internal import ProbeCore

/// The URLs that a style sheet loads, as written (CSS Syntax Level 3 §4).
///
/// Comments and strings are skipped as in browsers. The work is linear in the length of the sheet.
struct StyleReferences {
  /// A URL, and whether it refers to another style sheet.
  struct Reference: Hashable {
    let text: String
    let isSheet: Bool
  }

  /// The maximum number of references of a sheet to keep.
  static let limit = 256

  /// The references, in the order of the sheet.
  private(set) var references: [Reference] = []
  private let sheet: ArraySlice<UInt8>
  private var position: Int
  /// Whether an `@import` waits for its URL.
  private var isImport = false

  /// Reads a style sheet, or the value of a `style` attribute.
  init(_ sheet: ArraySlice<UInt8>) {
    self.sheet = sheet
    position = sheet.startIndex
    while let byte = byte(at: position), references.count < Self.limit { read(byte) }
  }

  private mutating func read(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "/") where self.byte(at: position + 1) == UInt8(ascii: "*"): skipComment()
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let text = readString(byte)
      if isImport { add(text) }
    case UInt8(ascii: "@"):
      position += 1
      isImport = readName() == "import"
    case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      position += 1
      isImport = false
    case _ where byte.isInName:
      if readName() == "url", self.byte(at: position) == UInt8(ascii: "(") { readURL() }
    default: position += 1
    }
  }
}

extension StyleReferences {
  private func byte(at index: Int) -> UInt8? { index < sheet.endIndex ? sheet[index] : nil }

  private mutating func add(_ bytes: [UInt8]) {
    let isSheet = isImport
    isImport = false
    guard !bytes.isEmpty, bytes.count <= Page.Limit.reference else { return }
    references.append(Reference(text: String(decoding: bytes, as: UTF8.self), isSheet: isSheet))
  }

  private mutating func skipComment() {
    position += 2
    while let byte = byte(at: position) {
      position += 1
      guard byte == UInt8(ascii: "*"), self.byte(at: position) == UInt8(ascii: "/") else { continue }
      position += 1
      return
    }
  }

  /// Reads a name, in lower case, up to a length that is sufficient to recognize it.
  private mutating func readName() -> String {
    let start = position
    while let byte = byte(at: position), byte.isInName { position += 1 }
    return String(decoding: sheet[start..<position].prefix(8), as: UTF8.self).lowercased()
  }

  /// Reads the value of a string; a line break ends it.
  private mutating func readString(_ quote: UInt8) -> [UInt8] {
    position += 1
    var text: [UInt8] = []
    while let byte = byte(at: position) {
      switch byte {
      case quote:
        position += 1
        return text
      case 0x0A, 0x0C, 0x0D: return []
      case UInt8(ascii: "\\"): readEscape(into: &text)
      default:
        text.append(byte)
        position += 1
      }
    }
    return text
  }

  private mutating func readURL() {
    position += 1
    skipSpaces()
    guard let first = byte(at: position) else { return }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return add(readString(first)) }
    var text: [UInt8] = []
    while let byte = byte(at: position), byte != UInt8(ascii: ")") {
      if byte == UInt8(ascii: "\\") {
        readEscape(into: &text)
      } else {
        text.append(byte)
        position += 1
      }
    }
    add(Array(text.trimmingEnd(where: \.isASCIISpace)))
  }

  private mutating func skipSpaces() {
    while byte(at: position)?.isASCIISpace == true { position += 1 }
  }

  /// Reads a backslash and decodes the character that it escapes (§4.3.7).
  private mutating func readEscape(into text: inout [UInt8]) {
    position += 1
    var code: UInt32 = 0
    var digits = 0
    while digits < 6, let digit = byte(at: position)?.hexDigitValue {
      code = code << 4 | UInt32(widening: digit)
      digits += 1
      position += 1
    }
    if digits > 0 {
      text += Array(String(Unicode.Scalar(code).map(Character.init) ?? "\u{FFFD}").utf8)
      if byte(at: position)?.isASCIISpace == true { position += 1 }
    } else if let byte = byte(at: position) {
      position += 1
      if byte != 0x0A { text.append(byte) }
    }
  }
}

extension UInt8 {
  /// Whether it is part of a name; an escape in a name is not recognized.
  fileprivate var isInName: Bool {
    isASCIILetter || isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") || self >= 0x80
  }
}
