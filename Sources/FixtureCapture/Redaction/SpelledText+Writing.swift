internal import ProbeCore

/// Writing other bytes in the spelling of those that stood there, so that they take as much room.
extension SpelledText {
  /// Writes other bytes in place of those meant, one for one, each in as many bytes as the one it replaces.
  ///
  /// - Parameters:
  ///   - standIn: What is to be meant.
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
      text[place.upperBound - 2] = digits[Int(byte >> 4)]
      text[place.upperBound - 1] = digits[Int(byte & 15)]
    } else {
      let isNumber =
        text[place.lowerBound] == UInt8(ascii: "\\") || text[place.lowerBound + 1] == UInt8(ascii: "#")
      let character = bytes.count == 1 ? UInt32(byte) : bytes.text.unicodeScalars.first?.value ?? 0
      if isNumber, text[place].last != UInt8(ascii: "}"), writeNumber(of: character, at: place, to: &text) {
        return
      }
      // A reference by name is of one character alone: what stood there must go all the same.
      for index in place { text[index] = UInt8(ascii: "x") }
    }
  }

  /// Writes the number of a character in place of another's, as in `&#65;` and `\u0041`.
  ///
  /// - Returns: Whether there is a number, and room for the other.
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
    // Of a capital the number is shorter.
    if number.count > digits.count, (0x61...0x7A).contains(character) {
      number = Array(String(character - 0x20, radix: isDecimal ? 10 : 16).utf8)
    }
    guard number.count <= digits.count else { return false }
    for index in digits { text[index] = UInt8(ascii: "0") }
    for (index, digit) in zip(digits.suffix(number.count), number) { text[index] = digit }
    return true
  }

  /// How a byte is spelled where it first stands, or as itself.
  func spelling(of byte: UInt8, in text: [UInt8]) -> [UInt8] {
    bytes.firstIndex(of: byte).map { Array(text[places[$0]]) } ?? [byte]
  }
}
