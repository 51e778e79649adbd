import EngineProfiles
import ProbeCore
import ProbePipeline

extension EngineProfile {
  /// The plan of the profile, with a timeout that is long enough for a heavily loaded machine.
  ///
  /// The engines' own timeouts are as short as a second.
  func patientPlan(with plugins: PluginRegistry) throws -> ProbePlan {
    var loaded = self.loaded(with: plugins)
    loaded.change { $0.overrides = [RequestSetting { request, _ in request.timeout = .seconds(600) }] }
    return try loaded.plan()
  }
}
