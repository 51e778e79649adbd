import EngineProfiles
import ProbeCore
import ProbePipeline
import SourceDocuments

/// The pipeline that a monitor checks with, and how to have it anew.
struct MonitoredPipeline: Sendable {
  private let options: MonitorOptions
  private let plugins: PluginRegistry
  private let context: CommandContext

  /// The pipeline that the options name.
  init(_ options: MonitorOptions, _ plugins: PluginRegistry, in context: CommandContext) {
    self.options = options
    self.plugins = plugins
    self.context = context
  }

  /// What it is called by: its path, or the profile's name.
  var name: String { options.path ?? (options.profile ?? .own).name }

  /// Whether it cannot be read more than once.
  var isFromStandardInput: Bool { options.path == "-" }

  /// What its probes travel by.
  var transports: TransportRegistry { plugins.transports }

  /// Reads it, with the secrets and the other files that it names.
  ///
  /// - Returns: The pipeline with its plan, or everything that is wrong.
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
