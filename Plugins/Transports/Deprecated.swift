// Names of version 0.2, for one version: docs/migration.md lists them.

extension Dialog {
  /// The data that a step searches for, by its name in version 0.2.
  @available(*, deprecated, renamed: "SearchTerm")
  public typealias Sought = SearchTerm
}
