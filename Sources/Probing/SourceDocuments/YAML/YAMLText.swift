import ProbeBase

/// The bytes of a YAML text, validated as allowed characters, with the offset of each.
struct YAMLText: Sendable {
  /// The bytes, without a byte order mark.
  let bytes: ArraySlice<UInt8>
  /// The offset of each character after the byte order mark, or nil if each has one byte.
  private let offsets: [Int32]?

  /// A text.
  ///
  /// - Throws: ``YAMLError`` for the first invalid UTF-8 byte, and for the first character that YAML does not
  ///   allow.
  init(_ all: [UInt8]) throws(YAMLError) {
    bytes = all.withoutByteOrderMark
    if all.starts(with: [0xFF, 0xFE]) || all.starts(with: [0xFE, 0xFF]) {
      throw YAMLError(
        .encoding, "the text is UTF-16, not UTF-8", mark: YAMLMark(line: 0, column: 0, offset: 0))
    }
    var offsets: [Int32] = []
    var isASCII = true
    var index = bytes.startIndex
    while index < bytes.endIndex {
      // Most characters are visible ASCII characters, spaces and line feeds.
      let byte = bytes[index]
      if byte >= 0x20 && byte < 0x7F || byte == 0x0A {
        if !isASCII { offsets.append(Int32(truncatingIfNeeded: index - bytes.startIndex)) }
        index += 1
        continue
      }
      let width = Self.width(of: bytes[index...])
      guard width > 0, Self.isAllowed(bytes[index..<(index + width)]) else {
        throw Self.error(at: index, in: bytes, isValid: width > 0)
      }
      if width > 1, isASCII {
        isASCII = false
        offsets = (0..<Int32(truncatingIfNeeded: index - bytes.startIndex)).map { $0 }
      }
      if !isASCII { offsets.append(Int32(truncatingIfNeeded: index - bytes.startIndex)) }
      index += width
    }
    self.offsets = isASCII ? nil : offsets
  }

  /// The offset of a character in bytes from the start of the input; libyaml counts characters.
  func offset(ofCharacter index: Int) -> Int {
    guard let offsets else { return bytes.startIndex + min(max(index, 0), bytes.count) }
    guard index < offsets.count else { return bytes.endIndex }
    return bytes.startIndex + Int(clamping: offsets[max(index, 0)])
  }

  /// The length of the first character in bytes, or 0 if the bytes do not start with one (RFC 3629 §4).
  private static func width(of bytes: ArraySlice<UInt8>) -> Int {
    guard let first = bytes.first, first >= 0x80 else { return bytes.isEmpty ? 0 : 1 }
    var decoder = UTF8()
    var iterator = bytes.prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return 0 }
    return UTF8.width(scalar)
  }

  /// Whether YAML 1.1 §4.1 allows a character.
  private static func isAllowed(_ character: ArraySlice<UInt8>) -> Bool {
    guard let first = character.first else { return false }
    if character.count == 1 {
      return (0x20..<0x7F).contains(first) || [0x09, 0x0A, 0x0D].contains(first)
    }
    // The C1 controls except the line break U+0085; U+FFFE and U+FFFF.
    if first == 0xC2, let second = character.last { return second >= 0xA0 || second == 0x85 }
    return !(first == 0xEF && character.dropFirst().starts(with: [0xBF]) && (character.last ?? 0) >= 0xBE)
  }

  private static func error(at offset: Int, in bytes: ArraySlice<UInt8>, isValid: Bool) -> YAMLError {
    let before = bytes[..<offset]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    let mark = YAMLMark(
      line: before.count { $0 == UInt8(ascii: "\n") },
      column: before[start...].count { $0 & 0xC0 != 0x80 },
      offset: offset)
    return isValid
      ? YAMLError(.character, "control characters are not allowed", mark: mark)
      : YAMLError(.encoding, "the text is not UTF-8", mark: mark)
  }
}
