import BundledPlugins
import EngineProfiles
import ProbeCore
import ProbePipeline

extension EngineProfile {
  /// All profiles, read once for all tests; the networks of the tests replace the transports, not the language.
  private static let allRead = Result {
    let plugins = try PluginRegistry.bundled
    return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.loaded(with: plugins)) })
  }

  /// The profile as read with the plugins that come with ProbeKit.
  var read: LoadedPipeline {
    get throws {
      if let read = try Self.allRead.get()[name] { return read }
      return loaded(with: try .bundled)
    }
  }

  /// The plan of the profile, with a timeout that is long enough for a heavily loaded machine.
  ///
  /// The engines' own timeouts are as short as a second.
  var patientPlan: ProbePlan {
    get throws {
      var loaded = try read
      loaded.change { $0.overrides = [RequestSetting { request, _ in request.timeout = .seconds(600) }] }
      return try loaded.plan()
    }
  }
}
