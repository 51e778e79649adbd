/// A decimal number at the start of a text, kept exact, and the text after it.
package struct DecimalNumber {
  /// The text after the number.
  package let rest: Substring
  private let whole: Substring
  private let fraction: Substring

  /// Parses digits, optionally followed by a point and more digits.
  ///
  /// - Returns: nil if the text does not start with such a number.
  package init?(prefixOf text: some StringProtocol) {
    let text = Substring(text)
    whole = Substring(text.utf8.prefix(while: \.isASCIIDigit))
    guard !whole.isEmpty else { return nil }
    let remainder = text[whole.endIndex...]
    guard remainder.utf8.first == UInt8(ascii: ".") else {
      fraction = ""
      rest = remainder
      return
    }
    fraction = Substring(remainder.utf8.dropFirst().prefix(while: \.isASCIIDigit))
    guard !fraction.isEmpty else { return nil }
    rest = remainder[fraction.endIndex...]
  }

  /// Multiplies the number by a unit.
  ///
  /// - Throws: ``InvalidInput`` when the product is not whole or does not fit.
  package func scaled(by unit: Int) throws(InvalidInput) -> Int {
    let zero = UInt8(ascii: "0")
    let whole = self.whole.utf8.drop { $0 == zero }
    let fraction = self.fraction.utf8.reversed().drop { $0 == zero }.reversed()
    // At most 18 digits on both sides of the point, so that nothing below overflows 128 bits.
    guard whole.count <= 18 else { throw InvalidInput("the number is too large") }
    let tooFine = InvalidInput(
      "the number has too many decimal places", remedy: "round it")
    guard fraction.count <= 18 else { throw tooFine }
    var scale: Int128 = 1
    var numerator: Int128 = 0
    for digit in whole { numerator = numerator * 10 + Int128(digit - zero) }
    for digit in fraction {
      scale *= 10
      numerator = numerator * 10 + Int128(digit - zero)
    }
    let (product, overflow) = numerator.multipliedReportingOverflow(by: Int128(unit))
    guard !overflow else { throw InvalidInput("the number is too large") }
    let (quotient, remainder) = product.quotientAndRemainder(dividingBy: scale)
    guard remainder == 0 else { throw tooFine }
    guard let result = Int(exactly: quotient) else { throw InvalidInput("the number is too large") }
    return result
  }
}

extension UnsignedInteger {
  /// The number of units, such as 1 500 000 of a millionth, as a decimal number without trailing zeros: `1.5`.
  ///
  /// - Parameter unit: A power of ten: how many units make one.
  /// - Returns: The number, such as `1.5`, or `2` without a fraction.
  @inlinable package func decimalText(unit: Self) -> String {
    let (whole, fraction) = quotientAndRemainder(dividingBy: unit)
    guard fraction > 0 else { return "\(whole)" }
    let digits = String(unit + fraction).dropFirst()
    return "\(whole).\(digits.trimmingEnd { $0 == "0" })"
  }
}
