/// Something that holds for every validator, or for every transport.
///
/// The rules and their reasons are at its static members.
public struct ConformanceRule: Hashable, Sendable {
  /// The name it is reported under, such as `validator.offset`.
  public let name: String
  /// What it asks, in words.
  public let demand: String

  /// A rule.
  public init(_ name: String, _ demand: String) {
    self.name = name
    self.demand = demand
  }
}

extension ConformanceRule: CustomStringConvertible {
  /// Name and demand.
  public var description: String { "\(name) (\(demand))" }
}
