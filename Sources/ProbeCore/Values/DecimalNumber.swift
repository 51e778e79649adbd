/// A decimal number at the start of a text, kept exact, and what stands behind it.
package struct DecimalNumber {
  /// The text behind the number.
  package let rest: Substring
  private let whole: Substring
  private let fraction: Substring

  /// Reads digits, and a point with more digits.
  ///
  /// - Returns: nil when the text does not start with such a number.
  package init?(prefixOf text: some StringProtocol) {
    func isDigit(_ character: Character) -> Bool { character.isASCII && character.isWholeNumber }
    let text = Substring(text)
    whole = text.prefix(while: isDigit)
    guard !whole.isEmpty else { return nil }
    let behind = text[whole.endIndex...]
    guard behind.first == "." else {
      fraction = ""
      rest = behind
      return
    }
    fraction = behind.dropFirst().prefix(while: isDigit)
    guard !fraction.isEmpty else { return nil }
    rest = behind[fraction.endIndex...]
  }

  /// The number times a unit.
  ///
  /// - Throws: ``InvalidInput`` when the product is not whole or does not fit.
  package func scaled(by unit: Int) throws(InvalidInput) -> Int {
    let whole = self.whole.drop { $0 == "0" }
    let fraction = self.fraction.reversed().drop { $0 == "0" }.reversed()
    // Up to 18 digits on both sides of the point, so that nothing below overflows 128 bits.
    guard whole.count <= 18 else { throw InvalidInput("the number is too large") }
    let tooFine = InvalidInput(
      "the number has more decimal places than can be told apart", remedy: "round it")
    guard fraction.count <= 18 else { throw tooFine }
    var scale: Int128 = 1
    var numerator: Int128 = 0
    for digit in whole { numerator = numerator * 10 + Int128(digit.wholeNumberValue ?? 0) }
    for digit in fraction {
      scale *= 10
      numerator = numerator * 10 + Int128(digit.wholeNumberValue ?? 0)
    }
    let (product, overflow) = numerator.multipliedReportingOverflow(by: Int128(unit))
    guard !overflow else { throw InvalidInput("the number is too large") }
    let (quotient, remainder) = product.quotientAndRemainder(dividingBy: scale)
    guard remainder == 0 else { throw tooFine }
    guard let result = Int(exactly: quotient) else { throw InvalidInput("the number is too large") }
    return result
  }
}
