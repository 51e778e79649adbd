import PortalSurvey
import ProbeCore
import ProbePipeline

extension ProbingOptions {
  /// What else to ask the network of this machine; nil if these options replace it.
  ///
  /// - Parameters:
  ///   - plugins: The plugins to probe with.
  ///   - clock: The clock of the run.
  /// - Returns: The pipeline.
  func conditions(over plugins: PluginRegistry, clock: any Clock<Duration>) -> NetworkConditions? {
    guard connectTo.isEmpty, !given.contains("--proxy") else { return nil }
    let source = overrides.filter {
      ["--interface", "--family", "-4", "-6", "--resolver", "--timeout"].contains($0.key)
    }
    return try? NetworkConditions(plugins, clock: clock, hasRoute: NetworkState.hasRoute) {
      $0.overrides += source
    }
  }
}
