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

  /// The report for people: a line for each setting of each probe.
  var text: String {
    pipelines.map { pipeline in
      "\(pipeline.name.escapedForDisplay)\n" + pipeline.probes.map(Self.text(of:)).joined()
    }.joined(separator: "\n")
  }

  private static func text(of probe: ExplainedProbe) -> String {
    let name = probe.name.map { ", \($0.escapedForDisplay)" } ?? ""
    let head = "  \(probe.url.escapedForDisplay) (set \(probe.set.escapedForDisplay)\(name))\n"
    let width = probe.settings.map(\.key.count).max() ?? 0
    return head
      + probe.settings.map { setting in
        let origin = [setting.place, setting.scope].compactMap(\.self).joined(separator: ", ")
        return
          "    \(setting.key.padded(to: width))  \(setting.value)  (\(origin.isEmpty ? "default" : origin))\n"
      }.joined()
  }

  /// Prints the report.
  ///
  /// - Returns: The exit code.
  func print(in context: CommandContext) -> ExitCode {
    context.write("the settings") { context.format == .json ? try JSONLine.text(self) : text }
  }
}
