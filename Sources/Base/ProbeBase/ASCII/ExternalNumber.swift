/// A whole number from outside the process, such as a length, a count or a time that a peer, a file or a script
/// states.
///
/// It is within ±(2^53 − 1), the range in which JSON and scripts are exact: a number beyond it becomes the bound
/// where it enters. Its arithmetic saturates at the same bounds, so that no input ends the process by an overflow.
package struct ExternalNumber: Hashable, Sendable {
  /// The greatest one; the least is its opposite.
  package static let maximum = ExternalNumber(1 << 53 - 1)

  /// Its value; the sum or difference of a few of them does not overflow either.
  package let value: Int

  /// The nearest number within the bounds.
  package init(_ number: some BinaryInteger) {
    value = min(max(Int(clamping: number), -(1 << 53 - 1)), 1 << 53 - 1)
  }

  /// The number without its fraction, or the nearest within the bounds; 0 for NaN.
  package init(_ number: Double) {
    // Beyond 2^62 nothing but the sign matters.
    self.init(number.isNaN ? 0 : Int(min(max(number, -0x1p62), 0x1p62)))
  }

  /// The number that a text consists of, in decimal digits and with an optional sign; nil if it is none.
  package init?(text: some StringProtocol) {
    if let number = Int(text) {
      self.init(number)
    } else {
      let digits =
        text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+")
        ? text.utf8.dropFirst() : text.utf8.dropFirst(0)
      guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
      self.init(text.utf8.first == UInt8(ascii: "-") ? Int.min : Int.max)
    }
  }

  /// The value if the range contains it; otherwise nil.
  package func within(_ range: ClosedRange<Int>) -> Int? { range.contains(value) ? value : nil }
}

extension ExternalNumber: Comparable, ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) { self.init(value) }

  package static func < (left: ExternalNumber, right: ExternalNumber) -> Bool { left.value < right.value }

  package static func + (left: ExternalNumber, right: ExternalNumber) -> ExternalNumber {
    ExternalNumber(left.value + right.value)
  }

  package static func - (left: ExternalNumber, right: ExternalNumber) -> ExternalNumber {
    ExternalNumber(left.value - right.value)
  }

  package static func * (left: ExternalNumber, right: ExternalNumber) -> ExternalNumber {
    let (product, isTooLarge) = left.value.multipliedReportingOverflow(by: right.value)
    guard isTooLarge else { return ExternalNumber(product) }
    return ExternalNumber((left.value < 0) == (right.value < 0) ? Int.max : Int.min)
  }

  package static prefix func - (number: ExternalNumber) -> ExternalNumber { ExternalNumber(-number.value) }
}

extension FixedWidthInteger {
  /// The number that a text consists of, in digits and with an optional sign; nil if it is none, or outside of a
  /// range.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - radix: The base of its digits.
  ///   - range: The range: all numbers of the type that an ``ExternalNumber`` can have, unless another is given.
  package init?(text: some StringProtocol, radix: Int = 10, in range: ClosedRange<Self>? = nil) {
    guard let number = Self(text, radix: radix) else { return nil }
    guard range?.contains(number) ?? (number == ExternalNumber(number).value) else { return nil }
    self = number
  }
}

extension Int {
  /// A number without its fraction, within the bounds of an ``ExternalNumber``; 0 for NaN.
  package init(bounding number: Double) { self = ExternalNumber(number).value }
}

/// Conversions of narrow integers to wider ones, which cannot fail.
///
/// There are only those that hold every value, so that the compiler refuses any other: instead of `Int(number)`,
/// which ends the process if the number does not fit, and accepts a number of any type. Conversions of other
/// integers have the label `clamping:`, `exactly:` or `truncatingIfNeeded:`, which names the treatment of the others.
extension Int {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt32) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: Int8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: Int16) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: Int32) { self.init(truncatingIfNeeded: number) }
}

extension Int64 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt32) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: Int32) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: Int) { self.init(truncatingIfNeeded: number) }
}

extension UInt {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt32) { self.init(truncatingIfNeeded: number) }
}

extension UInt64 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt32) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt) { self.init(truncatingIfNeeded: number) }
}

extension UInt32 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
}

extension Int32 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
}

extension UInt16 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
}

extension UInt128 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
}
