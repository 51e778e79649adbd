import EngineProfiles
import FixtureReplay
import ProbeCore
import ProbePipeline
import SourceDocuments

extension VerifyCommand {
  /// There is no pipeline to ask by, which was told.
  struct NoPlan: Error {
    let code: ExitCode
  }

  /// What all fixtures are asked by: the profiles, our own when none is named, or the one pipeline.
  func plans(_ options: Options, in context: CommandContext) throws(NoPlan) -> [ProbePlan] {
    var pipelines = PlannedPipelines(options.probing, in: context)
    if let path = options.pipeline {
      pipelines.add(file: path, plugins)
    } else {
      for profile in options.profiles.isEmpty ? [.own] : options.profiles {
        pipelines.add(profile.loaded(over: plugins), named: profile.name)
      }
    }
    if let code = pipelines.report() { throw NoPlan(code: code) }
    return pipelines.plans.map(\.plan)
  }

  /// The pipelines that fixtures bring along, by the paths of the fixtures; what is wrong with one is wrong with its
  /// fixture.
  func ownPlans(
    of fixtures: inout [LoadedFixture], _ options: Options, in context: CommandContext
  ) -> [String: ProbePlan] {
    var plans: [String: ProbePlan] = [:]
    for index in fixtures.indices {
      let path = fixtures[index].pipelinePath
      guard fixtures[index].fixture != nil, DiskFiles().kind(of: path) != nil else { continue }
      var pipelines = PlannedPipelines(options.probing, in: context)
      pipelines.add(file: path, plugins, reading: PlannedPipelines.read(inFixture:))
      fixtures[index].findings += pipelines.findings
      plans[fixtures[index].path] = pipelines.plans.first?.plan
    }
    return plans
  }
}

extension VerifyCommand.Options {
  /// Whether a fixture's own pipeline takes the place of what all are asked by.
  var usesOwnPipelines: Bool { pipeline == nil && !wantsMatrix }

  /// Notes that a profile is named, or all of them; one that is named twice has one column.
  mutating func add(profile name: String) throws(InvalidInput) {
    wantsMatrix = true
    let named = name == Self.allProfiles ? EngineProfile.all : [try .find(name)]
    for profile in named where !profiles.contains(where: { $0.name == profile.name }) {
      profiles.append(profile)
    }
  }

  /// The word that stands for all profiles.
  static let allProfiles = "all"
}
