import ProbeCore
import BlackboxExporter
import ProbePipeline
import SourceDocuments
import CommandKit
import PortalSurvey
import ProbeSystem
import ProbeScan
import ReplayControl

/// The configuration files of an exporter: blackbox.yml and pipelines.
struct ServedConfiguration: Sendable {
  /// The maximum size of blackbox.yml in bytes.
  private static let limit = 16 << 20

  private let options: ServeOptions
  private let plugins: PluginRegistry
  private let context: CommandContext

  /// Creates the configuration of the files in the options.
  init(_ options: ServeOptions, _ plugins: PluginRegistry, in context: CommandContext) {
    (self.options, self.plugins, self.context) = (options, plugins, context)
  }

  /// Reads the files.
  ///
  /// - Returns: The configuration, nil if it is invalid, and the errors in the files.
  func read() -> (configuration: ExporterConfiguration?, findings: [SourceFinding]) {
    var (configuration, findings) = modules
    for path in options.pipelines {
      do throws(UnusablePipeline) {
        let pipeline = try pipeline(path)
        let name = pipeline.plan.name
        guard configuration?.modules[name] == nil else {
          let mistake = InvalidInput(
            "there is a module \(Excerpt(name)) already", remedy: "give the pipeline another name")
          findings.append(SourceFinding(path: path, mistake))
          continue
        }
        configuration?.modules[name] = ExporterModule(
          name: name, prober: "pipeline", probe: .pipeline(pipeline))
      } catch {
        findings += error.findings
      }
    }
    return (findings.contains { $0.severity == .error } ? nil : configuration, findings)
  }

  private func pipeline(_ path: String) throws(UnusablePipeline) -> ServedPipeline {
    let loaded: LoadedPipeline
    do throws(InvalidInput) {
      loaded = try PlannedPipelines.load(path, plugins, values: [:], in: context)
    } catch {
      throw UnusablePipeline(findings: [SourceFinding(path: path, error)])
    }
    return try ServedPipeline(loaded, in: context.requestContext())
  }

  private var modules: (ExporterConfiguration?, [SourceFinding]) {
    guard let path = options.fileToRead else { return (ExporterConfiguration(), []) }
    do throws(InvalidInput) {
      return ExporterConfiguration.read(try FileContents.read(path, limit: Self.limit), path: path)
    } catch {
      return (nil, [SourceFinding(path: path, error)])
    }
  }
}
