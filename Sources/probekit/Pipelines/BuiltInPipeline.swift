import ConnectionValidators
import EngineProfiles
import HTTPValidators
import PCRE2Validator
import ProbeCore
import ProbePipeline
import SourceDocuments
import StringValidators

/// The pipelines that are built in: profiles of engines, and first of all our own, which `probekit check` asks without
/// URLs.
enum BuiltInPipeline {
  /// The name of our own profile.
  static let ownName = "default"

  /// The plan of a profile, with what the command line says of requests and of the run.
  ///
  /// - Parameters:
  ///   - profile: The profile, or nil for our own.
  ///   - options: What the command line says.
  ///   - plugins: What probes travel by.
  /// - Returns: The plan.
  /// - Throws: What is wrong with the requests, such as an option that a URL of the profile has no use for.
  static func plan(
    of profile: EngineProfile? = nil, _ options: CheckOptions, over plugins: PluginRegistry
  ) throws -> ProbePlan {
    let language = plugins.withProfileLanguage
    let profile = try profile ?? .find(ownName)
    let loaded = profile.loaded(with: language)
    guard var pipeline = loaded.pipeline else {
      let mistakes = loaded.findings.map(\.message).joined(separator: "; ")
      throw InvalidInput("the profile \(profile.name) cannot be used: \(mistakes)")
    }
    let adjusting = RequestSetting { request, _ in options.adjust(&request) }
    for set in pipeline.sets.indices {
      for target in pipeline.sets[set].targets.indices {
        pipeline.sets[set].targets[target].settings.append(adjusting)
      }
    }
    pipeline.limits.concurrency = options.concurrency
    pipeline.limits.perHost = options.perHost
    if options.probesAll { pipeline.stopsEarly = false }
    var plan = try pipeline.plan(over: language.transports)
    if options.announcedCapport != nil, !plan.asksAnnouncedCapport {
      throw InvalidInput(
        "--capport: the profile \(profile.name) does not ask the API that a network announces",
        remedy: "leave it out")
    }
    plan.announcedCapport = options.announcedCapport
    return plan
  }
}

extension PluginRegistry {
  /// These plugins, with the bundled validators that profiles name where they are missing: what is built in does not
  /// depend on what a program of one's own brings along.
  var withProfileLanguage: PluginRegistry {
    var all = self
    func add<Validator: ConfigurableValidator>(_ type: Validator.Type) {
      // A name that is taken is its owner's.
      try? all.register(type)
    }
    add(EqualsValidator.self)
    add(ContainsValidator.self)
    add(MatchesValidator.self)
    add(StatusValidator.self)
    add(HeaderValidator.self)
    add(AddressValidator.self)
    return all
  }
}
