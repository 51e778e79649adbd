/// A route that a request did not match, and why.
public struct NearMiss: Hashable, Sendable {
  /// The fixture's name.
  public var fixture: String
  /// The route's name.
  public var route: String
  /// What did not fit, a text for each thing.
  public var reasons: [String]
}

extension NearMiss: CustomStringConvertible {
  /// The route and the reasons on one line.
  public var description: String { "\(fixture)/\(route): \(reasons.joined(separator: "; "))" }
}
