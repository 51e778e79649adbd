import CommandKit
import ProbeCore
import ProbePipeline
import ProbeReporting

/// The final settings of the probes of pipelines, each with its origin: what `--explain` prints.
struct SettingsReport: Encodable {
  /// A pipeline, by the name that the user gave.
  struct PipelineSettings: Encodable {
    var name: String
    var probes: [ExplainedProbe]
  }

  let schema = 1
  var pipelines: [PipelineSettings] = []

  private enum CodingKeys: CodingKey {
    case schema, pipelines
  }

  mutating func add(_ loaded: LoadedPipeline, named name: String) {
    pipelines.append(PipelineSettings(name: name, probes: loaded.explanation))
  }

  /// The report for people: a line for each setting, with its origin first; URLs of a set with the same settings have
  /// them once.
  var text: String {
    pipelines.filter { !$0.probes.isEmpty }.map { pipeline in
      var text = "\(pipeline.name.escapedForDisplay)\n"
      for (index, probe) in pipeline.probes.enumerated() {
        let name = probe.name.map { ", \($0.escapedForDisplay)" } ?? ""
        text += "  \(probe.url.escapedForDisplay) (set \(probe.set.escapedForDisplay)\(name))\n"
        let next = index + 1 < pipeline.probes.count ? pipeline.probes[index + 1] : nil
        guard probe.set != next?.set || probe.settings != next?.settings else { continue }
        text += Self.lines(probe.settings)
      }
      return text
    }.joined(separator: "\n")
  }

  private static func lines(_ settings: [ExplainedProbe.Setting]) -> String {
    let origins = settings.map { setting in
      let origin = [setting.location, setting.scope].compactMap(\.self).joined(separator: ", ")
      return origin.isEmpty ? "default" : origin
    }
    let width = origins.map(\.count).max() ?? 0
    return zip(origins, settings).map { origin, setting in
      "    \(origin.padded(to: width))  \(setting.key): \(setting.value)\n"
    }.joined()
  }

  /// Prints the report.
  ///
  /// - Returns: The exit code.
  func print(in context: CommandContext) -> ExitCode {
    guard [.text, .json].contains(context.format) else {
      let mistake = InvalidInput("--explain has no format \(context.format)", remedy: "use text or json")
      return context.ended(.usage, because: "\(mistake)")
    }
    return context.write("the settings") { context.format == .json ? try JSONLine.text(self) : text }
  }
}
