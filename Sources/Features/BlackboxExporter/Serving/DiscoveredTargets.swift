import ProbeCore
import ProbePipeline
import ProbeReporting

/// The URLs of the pipelines, which Prometheus discovers through http_sd_config.
struct DiscoveredTargets {
  /// A URL with its labels.
  private struct Group: Encodable {
    let targets: [String]
    let labels: [String: String]
  }

  private let groups: [Group]

  /// The URLs of these modules; modules other than pipelines have none.
  init(_ modules: [ExporterModule]) {
    groups = modules.sorted { $0.name < $1.name }.flatMap { module -> [Group] in
      guard case .pipeline(let pipeline) = module.probe else { return [] }
      return pipeline.plan.sets.flatMap { set in
        set.probes.map { Self.group($0, in: set.name, of: module.name) }
      }
    }
  }

  private static func group(_ probe: PlannedProbe, in set: String, of pipeline: String) -> Group {
    var labels = ["pipeline": pipeline, "set": set]
    if let name = probe.name { labels["name"] = name }
    for (key, value) in probe.labels { labels["label_\(key)"] = value }
    return Group(
      targets: [probe.url.safeURL],
      labels: Dictionary(uniqueKeysWithValues: labels.map { ("__meta_probekit_\($0.key)", $0.value) }))
  }

  /// The list as JSON.
  var text: String { (try? JSONLine.text(groups)) ?? "[]\n" }
}
