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

  package func makeIterator() -> AnyIterator<[UInt8]> {
    var random = SeededNumbers(seed: seed)
    var ranges: [Range<Int>] = []
    var offset = 0
    while offset < text.count {
      let end = text[offset...].firstIndex { !(0x30...0x39).contains($0) && $0 != 0x2E } ?? text.count
      if end > offset, (0x30...0x39).contains(text[offset]) { ranges.append(offset..<end) }
      offset = Swift.max(end, offset + 1)
    }
    let variants = ranges.flatMap { range in
      Self.all.shuffled(using: &random).prefix(each).map {
        Array(text[..<range.lowerBound] + $0.utf8 + text[range.upperBound...])
      }
    }
    return AnyIterator(variants.makeIterator())
  }
}
