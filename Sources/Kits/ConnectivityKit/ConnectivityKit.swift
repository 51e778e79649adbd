// One import for the monitor with the bundled plugins.
@_exported public import BundledPlugins
@_exported public import ConnectivityMonitor
internal import ProbeCore

extension Connectivity {
  /// A monitor with a configuration, over the bundled plugins.
  ///
  /// - Parameters:
  ///   - configuration: The probes, the validation of their responses, and the schedule of checks.
  ///   - paths: The source of interfaces and routes; nil for `PathMonitor`.
  ///   - clock: Measures all times.
  /// - Throws: `InvalidPlan` with everything that cannot be probed as configured, such as an unencrypted URL
  ///   under HTTPS-only; `InvalidInput` for a threshold of 0 %.
  public convenience init(
    _ configuration: ConnectivityConfiguration = ConnectivityConfiguration(), paths: (any PathSource)? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws {
    try self.init(configuration, plugins: .bundled, paths: paths, clock: clock)
  }
}
