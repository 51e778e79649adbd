// Names of version 0.2, for one version: docs/migration.md lists them.

extension MonitorSettings.Polling {
  /// The maximum interval that ``backoff`` results in.
  @available(*, deprecated, renamed: "maximumInterval")
  public var longestInterval: Duration {
    get { maximumInterval }
    set { maximumInterval = newValue }
  }
}

extension HostResolver {
  /// The result of a lookup, by its name in version 0.2.
  @available(*, deprecated, renamed: "LookupResult")
  public typealias Answer = LookupResult

  /// Resolves a name.
  @available(*, deprecated, renamed: "resolve(_:)")
  public func answer(for name: String) async -> LookupResult { await resolve(name) }
}
