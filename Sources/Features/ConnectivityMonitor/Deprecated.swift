// Names of version 0.2, for one version: docs/migration.md lists them.

extension MonitorSettings.Polling {
  /// The maximum interval that ``backoff`` results in.
  @available(*, deprecated, renamed: "maximumInterval")
  public var longestInterval: Duration {
    get { maximumInterval }
    set { maximumInterval = newValue }
  }
}
