/// The numbers of a text, each replaced by numbers that overflow an integer, a duration or a double.
package struct ExtremeNumbers: Sequence {
  /// The extremes; units behind the numbers of a text remain.
  package static let all = [
    "0", "-0", "-1", "9007199254740992", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "18446744073709551616", "99999999999999999999999999", "1e308", "-1e308", "1e400", "nan", "inf", "5e-324",
    "0x7fffffffffffffff", "0.000000000000000000001", "2147483648", "-2147483648", "4294967296", "65536",
  ]

  private let text: [UInt8]
  private let seed: UInt64
  private let each: Int

  /// The variants of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - seed: The seed of the choice of extremes.
  ///   - each: How many extremes to choose for each number.
  package init(in text: [UInt8], seed: UInt64, each: Int) {
    (self.text, self.seed, self.each) = (text, seed, each)
  }

  /// The texts.
  package func makeIterator() -> AnyIterator<[UInt8]> {
    var random = SeededNumbers(seed: seed)
    var places: [Range<Int>] = []
    var place = 0
    while place < text.count {
      let end = text[place...].firstIndex { !(0x30...0x39).contains($0) && $0 != 0x2E } ?? text.count
      if end > place, (0x30...0x39).contains(text[place]) { places.append(place..<end) }
      place = Swift.max(end, place + 1)
    }
    let variants = places.flatMap { place in
      Self.all.shuffled(using: &random).prefix(each).map {
        Array(text[..<place.lowerBound] + $0.utf8 + text[place.upperBound...])
      }
    }
    return AnyIterator(variants.makeIterator())
  }
}
