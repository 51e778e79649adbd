import EngineProfiles
import FixtureReplay
import ProbeCore
import ProbePipeline
import SourceDocuments
import CommandKit

extension VerifyCommand {
  /// There is no usable pipeline, which has been reported.
  struct NoPlan: Error {
    let code: ExitCode
  }

  /// The plans for all fixtures: those of the profiles, by default ProbeKit's own, or that of the pipeline
  /// file.
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

  /// The plans of fixtures that contain a pipeline file, by fixture path; errors in the file are added to the
  /// fixture's findings.
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
  /// Whether a fixture's own pipeline file replaces the plans for all fixtures.
  var usesOwnPipelines: Bool { pipeline == nil && !wantsMatrix }

  /// Adds a profile, or all of them; a profile that is named twice has only one column.
  mutating func add(profile name: String) throws(InvalidInput) {
    wantsMatrix = true
    let named = name == Self.allProfiles ? EngineProfile.all : [try .find(name)]
    for profile in named where !profiles.contains(where: { $0.name == profile.name }) {
      profiles.append(profile)
    }
  }

  /// The word for all profiles.
  static let allProfiles = "all"
}
