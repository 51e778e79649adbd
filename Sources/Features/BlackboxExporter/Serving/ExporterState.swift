import FoundationEssentials
import ProbeCore
import ProbeBase
import ProbeReporting

/// The current configuration, and the state of its reloads.
final class ExporterState: Sendable {
  private struct Values: Sendable {
    var configuration: ExporterConfiguration
    var isReloaded = true
    var reloadTime = Date.now
    var unknownModules = 0
  }

  private let values: Guarded<Values>

  /// The state with a configuration that was just read.
  init(_ configuration: ExporterConfiguration) {
    values = Guarded(Values(configuration: configuration))
  }

  /// The current configuration.
  var configuration: ExporterConfiguration { values.withLock(\.configuration) }

  /// Replaces the configuration; nil if the new one is unusable and the old one remains in effect.
  func replace(with configuration: ExporterConfiguration?) {
    values.withLock { values in
      values.isReloaded = configuration != nil
      guard let configuration else { return }
      values.configuration = configuration
      values.reloadTime = .now
    }
  }

  /// Counts a request for a module that does not exist.
  func countUnknownModule() {
    values.withLock { $0.unknownModules += 1 }
  }

  /// The metrics in the text format; names and help texts are those of blackbox_exporter.
  ///
  /// - Parameters:
  ///   - commit: The commit of this build; nil if unknown.
  ///   - webFileIsUsable: Whether the web configuration file is in effect as it is; nil without one.
  /// - Returns: The metrics.
  func text(commit: String?, webFileIsUsable: Bool? = nil) -> String {
    let values = values.withLock { $0 }
    var build = MetricFamily(
      "blackbox_exporter_build_info", "The version of the program that serves this, which is ProbeKit.")
    build.add([("program", "probekit"), ("revision", commit ?? ""), ("version", probeKitVersion)], "1")
    var success = MetricFamily(
      "blackbox_exporter_config_last_reload_successful", "Blackbox exporter config loaded successfully.")
    success.add([], values.isReloaded)
    var time = MetricFamily(
      "blackbox_exporter_config_last_reload_success_timestamp_seconds",
      "Timestamp of the last successful configuration reload.")
    time.add([], values.reloadTime.timeIntervalSince1970)
    var unknown = MetricFamily(
      "blackbox_module_unknown_total", "Count of unknown modules requested by probes", .counter)
    unknown.add([], "\(values.unknownModules)")
    var web = MetricFamily(
      "probekit_web_config_last_reload_successful",
      "Whether the web configuration file is in effect as it is.")
    if let webFileIsUsable { web.add([], webFileIsUsable) }
    return ([build, success, time, unknown] + (webFileIsUsable == nil ? [] : [web])).map(\.text).joined()
  }
}
