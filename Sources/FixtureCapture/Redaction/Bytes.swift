internal import ProbeCore

extension UInt8 {
  /// Whether it is a letter or a digit of ASCII.
  var isWord: Bool { isASCIILetter || isASCIIDigit }
}

extension Collection<UInt8> {
  /// The bytes as a text, those that are not UTF-8 repaired.
  var text: String { String(decoding: self, as: UTF8.self) }
  /// The bytes with ASCII letters in lower case.
  var lowercased: [UInt8] { map(\.asciiLowercased) }
}

extension Range<Int> {
  /// The same range, so much further on.
  func moved(by distance: Int) -> Range<Int> { (lowerBound + distance)..<(upperBound + distance) }
}
