internal import ProbeCore

/// Replaces decoded bytes in the original spelling, so that the length stays the same.
extension UnescapedText {
  /// The decoded bytes of a part of a text, without their ranges.
  static func bytes(_ range: Range<Int>, of text: [UInt8]) -> [UInt8] {
    let hasEscapes = text[range].contains {
      $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "\\")
    }
    return hasEscapes ? UnescapedText(range, of: text).bytes : Array(text[range])
  }

  /// Replaces the decoded bytes one for one, each in as many bytes as the one it replaces.
  ///
  /// - Parameters:
  ///   - placeholder: The decoded bytes to write.
  ///   - text: The text.
  func write(_ placeholder: [UInt8], to text: inout [UInt8]) {
    var index = 0
    while index < min(bytes.count, placeholder.count) {
      let range = ranges[index]
      let end = ranges[index...].prefix { $0 == range }.endIndex
      let new = placeholder[index..<min(placeholder.count, end)]
      if new != bytes[index..<end] { Self.write(new, at: range, to: &text) }
      index = end
    }
  }

  /// The decoding of a range at the level at which it has a property: escapes can be nested.
  ///
  /// - Returns: The decoding, or nil if no level has the property.
  static func decoded(
    _ range: Range<Int>, of text: [UInt8], where isMeant: ([UInt8]) -> Bool
  ) -> UnescapedText? {
    var unescaped = UnescapedText(range, of: text)
    for _ in 0..<3 {
      if isMeant(unescaped.bytes) { return unescaped }
      unescaped = UnescapedText(decoding: unescaped)
    }
    return nil
  }

  private static func write(_ bytes: ArraySlice<UInt8>, at range: Range<Int>, to text: inout [UInt8]) {
    guard let byte = bytes.first else { return }
    if range.count == 1 {
      text[range.lowerBound] = byte
      return
    }
    let candidates = [
      encoded(byte, like: text[range]), numbered(bytes, at: range, of: text), named(byte, like: text[range]),
    ]
    for candidate in candidates.compactMap(\.self)
    where decoded(candidate.indices, of: candidate, where: { $0.lowercased == bytes.lowercased }) != nil {
      text.replaceSubrange(range, with: candidate)
      return
    }
    // The original must not stay, although the new character does not fit.
    for index in range { text[index] = UInt8(ascii: "x") }
  }

  /// A percent-encoded byte.
  private static func encoded(_ byte: UInt8, like escape: ArraySlice<UInt8>) -> [UInt8]? {
    guard escape.first == UInt8(ascii: "%") else { return nil }
    return Array(escape.dropLast(2)) + [byte].hexDigits.map(\.asciiUppercased)
  }

  /// A numeric escape with the number of a character instead of its own.
  private static func numbered(_ bytes: ArraySlice<UInt8>, at range: Range<Int>, of text: [UInt8]) -> [UInt8]?
  {
    var escape = Array(text[range])
    let isNumber = escape[0] == UInt8(ascii: "\\") || escape[1] == UInt8(ascii: "#")
    let character =
      bytes.count == 1 ? bytes.first.map { UInt32(widening: $0) } : bytes.text.unicodeScalars.first?.value
    guard isNumber, let character,
      writeNumber(of: character, at: escape.indices, to: &escape)
    else { return nil }
    return escape
  }

  /// A numeric reference instead of a named one, which exists for its own character only.
  private static func named(_ byte: UInt8, like escape: ArraySlice<UInt8>) -> [UInt8]? {
    let number = Array("\(byte)".utf8)
    guard escape.first == UInt8(ascii: "&"), escape.count >= number.count + 3 else { return nil }
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: escape.count - number.count - 3)
    return Array("&#".utf8) + zeros + number + [UInt8(ascii: ";")]
  }

  /// Writes the number of a character into a numeric escape, such as `&#65;` or `\u0041`.
  ///
  /// - Returns: Whether there is a number, and the new one fits.
  private static func writeNumber(of character: UInt32, at range: Range<Int>, to text: inout [UInt8]) -> Bool
  {
    let sign = range.lowerBound + 1
    let isDecimal = text[sign] == UInt8(ascii: "#") && text[sign + 1] | 0x20 != UInt8(ascii: "x")
    let digits = range.filter { $0 > sign && text[$0].hexDigitValue != nil }
    // Two numbers are a character beyond 16 bits.
    guard let first = digits.first, let last = digits.last, digits.count == last - first + 1 else {
      return false
    }
    var number = Array(String(character, radix: isDecimal ? 10 : 16).utf8)
    // The number of a capital is shorter.
    if number.count > digits.count, (0x61...0x7A).contains(character) {
      number = Array(String(character - 0x20, radix: isDecimal ? 10 : 16).utf8)
    }
    guard number.count <= digits.count else { return false }
    for index in digits { text[index] = UInt8(ascii: "0") }
    for (index, digit) in zip(digits.suffix(number.count), number) { text[index] = digit }
    return true
  }

  /// The spelling of a byte where it first occurs, or the byte itself.
  func spelling(of byte: UInt8, in text: [UInt8]) -> [UInt8] {
    bytes.firstIndex(of: byte).map { Array(text[ranges[$0]]) } ?? [byte]
  }
}
