/// Builds the list of sets of a ``Pipeline``.
@resultBuilder public enum SetListBuilder {
  /// A set.
  public static func buildExpression(_ set: ProbeSet) -> [ProbeSet] { [set] }
  /// A list of sets.
  public static func buildExpression(_ sets: [ProbeSet]) -> [ProbeSet] { sets }
  /// Sets in order.
  public static func buildBlock(_ parts: [ProbeSet]...) -> [ProbeSet] { parts.flatMap(\.self) }
  /// Sets from a loop.
  public static func buildArray(_ parts: [[ProbeSet]]) -> [ProbeSet] { parts.flatMap(\.self) }
  /// Sets from an `if` without `else`.
  public static func buildOptional(_ part: [ProbeSet]?) -> [ProbeSet] { part ?? [] }
  /// Sets from the first branch.
  public static func buildEither(first part: [ProbeSet]) -> [ProbeSet] { part }
  /// Sets from the second branch.
  public static func buildEither(second part: [ProbeSet]) -> [ProbeSet] { part }
}

/// Builds the list of URLs of a ``ProbeSet``.
@resultBuilder public enum TargetListBuilder {
  /// A URL.
  public static func buildExpression(_ target: ProbeTarget) -> [ProbeTarget] { [target] }
  /// A URL as text.
  public static func buildExpression(_ url: String) -> [ProbeTarget] { [ProbeTarget(url)] }
  /// A list of URLs.
  public static func buildExpression(_ targets: [ProbeTarget]) -> [ProbeTarget] { targets }
  /// URLs in order.
  public static func buildBlock(_ parts: [ProbeTarget]...) -> [ProbeTarget] { parts.flatMap(\.self) }
  /// URLs from a loop.
  public static func buildArray(_ parts: [[ProbeTarget]]) -> [ProbeTarget] { parts.flatMap(\.self) }
  /// URLs from an `if` without `else`.
  public static func buildOptional(_ part: [ProbeTarget]?) -> [ProbeTarget] { part ?? [] }
  /// URLs from the first branch.
  public static func buildEither(first part: [ProbeTarget]) -> [ProbeTarget] { part }
  /// URLs from the second branch.
  public static func buildEither(second part: [ProbeTarget]) -> [ProbeTarget] { part }
}
