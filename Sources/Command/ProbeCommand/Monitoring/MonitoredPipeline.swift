import EngineProfiles
import ProbeCore
import ProbePipeline
import SourceDocuments
import CommandKit

/// The pipeline of a monitor, which can be reloaded.
struct MonitoredPipeline: Sendable {
  private let options: MonitorOptions
  private let plugins: PluginRegistry
  private let context: CommandContext

  /// Creates the pipeline that the options name.
  init(_ options: MonitorOptions, _ plugins: PluginRegistry, in context: CommandContext) {
    self.options = options
    self.plugins = plugins
    self.context = context
  }

  /// The name of the pipeline: the path, or the profile's name.
  var name: String { options.path ?? (options.profile ?? .own).name }

  /// Whether the pipeline is from standard input, which can be read only once.
  var isFromStandardInput: Bool { options.path == "-" }

  /// The transports for its probes.
  var transports: TransportRegistry { plugins.transports }

  /// Reads the pipeline, its secrets, and the other files that it names.
  ///
  /// - Returns: The pipeline with its plan, or all errors.
  func read() -> PlannedPipelines {
    var pipelines = PlannedPipelines(options.probing, in: context)
    if let path = options.path {
      pipelines.add(file: path, plugins)
    } else {
      pipelines.add((options.profile ?? .own).loaded(over: plugins), named: name)
    }
    return pipelines
  }
}
