/// Lists the sets of a ``Pipeline``.
@resultBuilder public enum SetListBuilder {
  /// A set.
  public static func buildExpression(_ set: ProbeSet) -> [ProbeSet] { [set] }
  /// Sets made elsewhere.
  public static func buildExpression(_ sets: [ProbeSet]) -> [ProbeSet] { sets }
  /// Sets in their order.
  public static func buildBlock(_ parts: [ProbeSet]...) -> [ProbeSet] { parts.flatMap(\.self) }
  /// Sets of a loop.
  public static func buildArray(_ parts: [[ProbeSet]]) -> [ProbeSet] { parts.flatMap(\.self) }
  /// Sets under a condition.
  public static func buildOptional(_ part: [ProbeSet]?) -> [ProbeSet] { part ?? [] }
  /// Sets of the first alternative.
  public static func buildEither(first part: [ProbeSet]) -> [ProbeSet] { part }
  /// Sets of the second alternative.
  public static func buildEither(second part: [ProbeSet]) -> [ProbeSet] { part }
}

/// Lists the URLs of a ``ProbeSet``.
@resultBuilder public enum TargetListBuilder {
  /// A URL.
  public static func buildExpression(_ target: ProbeTarget) -> [ProbeTarget] { [target] }
  /// A URL as a text.
  public static func buildExpression(_ url: String) -> [ProbeTarget] { [ProbeTarget(url)] }
  /// URLs made elsewhere.
  public static func buildExpression(_ targets: [ProbeTarget]) -> [ProbeTarget] { targets }
  /// URLs in their order.
  public static func buildBlock(_ parts: [ProbeTarget]...) -> [ProbeTarget] { parts.flatMap(\.self) }
  /// URLs of a loop.
  public static func buildArray(_ parts: [[ProbeTarget]]) -> [ProbeTarget] { parts.flatMap(\.self) }
  /// URLs under a condition.
  public static func buildOptional(_ part: [ProbeTarget]?) -> [ProbeTarget] { part ?? [] }
  /// URLs of the first alternative.
  public static func buildEither(first part: [ProbeTarget]) -> [ProbeTarget] { part }
  /// URLs of the second alternative.
  public static func buildEither(second part: [ProbeTarget]) -> [ProbeTarget] { part }
}
