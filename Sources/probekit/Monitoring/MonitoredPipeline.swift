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
  var name: String { options.path ?? options.profile?.name ?? BuiltInPipeline.ownName }

  /// Whether it cannot be read more than once.
  var isFromStandardInput: Bool { options.path == "-" }

  /// What its probes travel by.
  var transports: TransportRegistry { plugins.transports.overridden(by: options.overrides) }

  /// Reads it, with the secrets and the other files that it names.
  ///
  /// - Returns: The plan, or nil when something is wrong, and everything that is, ready to be shown.
  func read() -> (plan: ProbePlan?, findings: [String]) {
    var plugins = plugins
    plugins.transports = transports
    let settings = options.overrides.settings
    if let path = options.path {
      let files = PipelineFiles([path], plugins, in: context, overriding: settings)
      return (files.plans.first.map { adjusted($0.plan) }, files.findings.map(\.description))
    }
    do {
      let profile = try options.profile ?? .find(BuiltInPipeline.ownName)
      return (adjusted(try profile.plan(with: plugins.withProfileLanguage, overriding: settings)), [])
    } catch let error as UnusablePipeline {
      return (nil, error.findings.map(\.description))
    } catch {
      return (nil, ["\(error)"])
    }
  }

  private func adjusted(_ plan: ProbePlan) -> ProbePlan {
    var plan = plan
    plan.announcedCapport = options.announcedCapport
    if options.probesAll { plan.stopsEarly = false }
    return plan
  }
}
