public import ProbeCore
import ProbeBase

/// A threshold: a percentage or a count.
public struct Threshold: Hashable, Sendable {
  private enum Measure: Hashable {
    /// A percentage in millionths of a percent, so that decimal fractions such as 33.3 % stay exact.
    case percent(Int)
    case count(Int)
  }

  private static let unit = 1_000_000
  private let measure: Measure

  private init(_ measure: Measure) {
    self.measure = measure
  }

  /// All: 100 %.
  public static let all = Threshold(.percent(100 * unit))

  /// A percentage.
  ///
  /// - Throws: `InvalidInput` unless it is between 1 and 100.
  public static func percent(_ percent: Int) throws(InvalidInput) -> Threshold {
    try Threshold("\(percent)%")
  }

  /// A count.
  ///
  /// - Throws: `InvalidInput` unless it is at least 1.
  public static func count(_ count: Int) throws(InvalidInput) -> Threshold {
    try Threshold("\(count)")
  }
}

extension Threshold {
  /// Parses `75%`, `33.3 %` or `3`.
  ///
  /// - Throws: `InvalidInput` unless the text is a percentage above 0 and up to 100, or a whole number above
  ///   0.
  public init(_ text: String) throws(InvalidInput) {
    let remedy = "write a percentage such as 75%, or a count such as 3"
    let number = DecimalNumber(prefixOf: text)
    switch number?.rest.drop(while: { $0 == " " }) {
    case "%":
      let percent = try number?.scaled(by: Self.unit) ?? 0
      guard percent > 0, percent <= 100 * Self.unit else {
        throw InvalidInput(
          "the threshold \(Excerpt(text)) is not above 0 % and at most 100 %", remedy: remedy)
      }
      measure = .percent(percent)
    case "":
      let count = try number?.scaled(by: 1) ?? 0
      guard count > 0 else {
        throw InvalidInput("a threshold of 0 would always be met", remedy: "use at least 1")
      }
      measure = .count(count)
    default:
      throw InvalidInput("the threshold \(Excerpt(text)) is neither a percentage nor a count", remedy: remedy)
    }
  }

  /// Whether a number of accepted items out of a total is enough; never true if the total is 0.
  public func isMet(accepted: Int, of total: Int) -> Bool {
    total > 0 && accepted >= needed(of: total)
  }

  /// The smallest number out of a total that is enough.
  package func needed(of total: Int) -> Int {
    switch measure {
    case .count(let count): count
    // Met if 100·accepted ≥ p·total, so the quotient is rounded up. In 128 bits no product overflows.
    case .percent(let percent):
      Int(clamping: (Int128(percent) * Int128(total) + Int128(100 * Self.unit - 1)) / Int128(100 * Self.unit))
    }
  }

  /// Whether the threshold can be reached with this total.
  package func isReachable(of total: Int) -> Bool {
    total > 0 && needed(of: total) <= total
  }
}

extension Threshold: CustomStringConvertible {
  /// `75 %` or `3`.
  public var description: String {
    switch measure {
    case .count(let count): return String(count)
    case .percent(let percent):
      return percent.magnitude.decimalText(unit: Self.unit.magnitude) + " %"
    }
  }
}
