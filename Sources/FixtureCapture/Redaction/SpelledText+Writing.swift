internal import ProbeCore

/// Replaces decoded bytes in the original spelling, so that the length stays the same.
extension SpelledText {
  /// The decoded bytes of a part of a text, without their places.
  static func bytes(_ range: Range<Int>, of text: [UInt8]) -> [UInt8] {
    let isSpelled = text[range].contains {
      $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "\\")
    }
    return isSpelled ? SpelledText(range, of: text).bytes : Array(text[range])
  }

  /// Replaces the decoded bytes one for one, each in as many bytes as the one it replaces.
  ///
  /// - Parameters:
  ///   - standIn: The decoded bytes to write.
  ///   - text: The text.
  func write(_ standIn: [UInt8], to text: inout [UInt8]) {
    var index = 0
    while index < min(bytes.count, standIn.count) {
      let place = places[index]
      let end = places[index...].prefix { $0 == place }.endIndex
      let new = standIn[index..<min(standIn.count, end)]
      if new != bytes[index..<end] { Self.write(new, at: place, to: &text) }
      index = end
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, at place: Range<Int>, to text: inout [UInt8]) {
    guard let byte = bytes.first else { return }
    if place.count == 1 {
      text[place.lowerBound] = byte
    } else if text[place.lowerBound] == UInt8(ascii: "%") {
      let digits = Array("0123456789ABCDEF".utf8)
      text[place.upperBound - 2] = digits[Int(widening: byte >> 4)]
      text[place.upperBound - 1] = digits[Int(widening: byte & 15)]
    } else {
      let isNumber =
        text[place.lowerBound] == UInt8(ascii: "\\") || text[place.lowerBound + 1] == UInt8(ascii: "#")
      let character = bytes.count == 1 ? UInt32(widening: byte) : bytes.text.unicodeScalars.first?.value ?? 0
      if isNumber, text[place].last != UInt8(ascii: "}"), writeNumber(of: character, at: place, to: &text) {
        return
      }
      // A named reference exists for its own character only, but the original must not stay.
      for index in place { text[index] = UInt8(ascii: "x") }
    }
  }

  /// Writes the number of a character into a numeric escape, such as `&#65;` or `\u0041`.
  ///
  /// - Returns: Whether there is a number, and the new one fits.
  private static func writeNumber(of character: UInt32, at place: Range<Int>, to text: inout [UInt8]) -> Bool
  {
    let sign = place.lowerBound + 1
    let isDecimal = text[sign] == UInt8(ascii: "#") && text[sign + 1] | 0x20 != UInt8(ascii: "x")
    let digits = place.filter { $0 > sign && text[$0].hexDigitValue != nil }
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
    bytes.firstIndex(of: byte).map { Array(text[places[$0]]) } ?? [byte]
  }
}
