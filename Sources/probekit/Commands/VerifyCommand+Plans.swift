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
    if let path = options.pipeline { return [try plan(path, options, in: context)] }
    var check = CheckOptions()
    if let timeout = options.timeout { check.adjustRequests { $0.timeout = timeout } }
    do {
      let profiles: [EngineProfile?] = options.profiles.isEmpty ? [nil] : options.profiles
      return try profiles.map { profile in
        try BuiltInPipeline.plan(of: profile, check, over: plugins)
      }
    } catch {
      context.report("\(error)")
      throw NoPlan(code: .internalError)
    }
  }

  private func plan(
    _ path: String, _ options: Options, in context: CommandContext
  ) throws(NoPlan) -> ProbePlan {
    let files = PipelineFiles([path], plugins, in: context, overriding: options.overrides)
    for finding in files.findings { context.errors.writeLine(finding.description) }
    guard let plan = files.plans.first?.plan, files.findings.isEmpty else { throw NoPlan(code: .badInput) }
    return plan
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
      let files = PipelineFiles(
        [path], plugins, in: context, overriding: options.overrides, reading: PipelineFiles.read(inFixture:))
      fixtures[index].findings += files.findings
      plans[fixtures[index].path] = files.plans.first?.plan
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

  /// What holds for every request whatever a pipeline's file says.
  fileprivate var overrides: [RequestSetting] {
    guard let timeout else { return [] }
    return [RequestSetting { (request, _) throws(InvalidInput) in request.timeout = timeout }]
  }

  /// The word that stands for all profiles.
  static let allProfiles = "all"
}
