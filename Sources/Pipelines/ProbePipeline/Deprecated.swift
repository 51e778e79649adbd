// Names of version 0.2, for one version: docs/migration.md lists them.

extension ProbeSet {
  /// Whether the set must be met.
  @available(*, deprecated, renamed: "isRequired")
  public var required: Bool {
    get { isRequired }
    set { isRequired = newValue }
  }
}

extension PlannedSet {
  /// Whether the set must be met.
  @available(*, deprecated, renamed: "isRequired")
  public var required: Bool {
    get { isRequired }
    set { isRequired = newValue }
  }
}

extension SetResult {
  /// Whether the set must be met.
  @available(*, deprecated, renamed: "isRequired")
  public var required: Bool { isRequired }

  /// Whether the set is met; nil if that is undecided.
  @available(*, deprecated, renamed: "isMet")
  public var met: Bool? { isMet }
}

extension EvidenceKind {
  /// Several operators returned the same response.
  @available(*, deprecated, renamed: "sameResponse")
  public static var sameAnswer: EvidenceKind { sameResponse }
}
