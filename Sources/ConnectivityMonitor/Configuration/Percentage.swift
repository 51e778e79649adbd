/// A part of a hundred, from 0 to 100.
///
/// What lies outside is moved to the nearer end, as in Connectivity.
public struct Percentage: Hashable, Sendable {
  /// The percentage, 0…100.
  public let value: Double

  /// A percentage; what is below 0 or no number becomes 0, what is above 100 becomes 100.
  public init(_ value: Double) {
    self.value = value.isNaN ? 0 : min(max(0, value), 100)
  }

  /// So many of so many, in per cent; of nothing it is 0.
  public init(_ part: Int, of total: Int) {
    self.init(total > 0 ? 100 * Double(part) / Double(total) : 0)
  }
}

extension Percentage: Comparable {
  /// Whether one is the smaller part.
  public static func < (left: Percentage, right: Percentage) -> Bool { left.value < right.value }
}

extension Percentage: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A percentage.
  public init(floatLiteral value: Double) { self.init(value) }
  /// A percentage.
  public init(integerLiteral value: Int) { self.init(Double(value)) }
}

extension Percentage: CustomStringConvertible {
  /// Such as `50 %` or `33.3 %`.
  public var description: String {
    value == value.rounded() ? "\(Int(value)) %" : "\(value) %"
  }
}
