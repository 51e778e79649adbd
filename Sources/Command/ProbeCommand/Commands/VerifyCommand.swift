import CommandKit
import EngineProfiles
import FixtureReplay
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProbeSystem
import ProfileMatrix
import SourceDocuments

/// `probekit verify`: replays fixtures, and reports whether a pipeline finds in each what it expects.
struct VerifyCommand: Subcommand {
  /// The command-line options of `probekit verify`.
  struct Options: ProbingCommandOptions {
    /// The fixtures, or folders that contain fixtures.
    var paths: [String] = []
    /// The pipeline file to run in the fixtures, `-` for standard input, or nil for the built-in pipeline.
    var pipeline: String?
    /// The built-in profiles to run in the fixtures, without duplicates, in the order of the columns.
    var profiles: [EngineProfile] = []
    /// Whether to print a matrix, because a profile was named, even an unknown one.
    var wantsMatrix = false
    /// Whether the queries of login URLs must match too.
    var isStrict = false
    /// The maximum number of concurrent runs.
    var concurrency = 16
    var probing = ProbingOptions()
    /// Whether to print the evidence also for results that are as expected.
    var isVerbose = false
  }

  /// The plugins to probe with, which pipelines can name.
  let plugins: PluginRegistry
  /// The clock that measures the total time and the delay before progress is displayed.
  var clock: any Clock<Duration> = ContinuousClock()

  /// Verifies and reports; the exit code states the result.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    let elapsed = clock.stopwatch()
    guard options.wantsMatrix || !OutputFormat.ofMatrices.contains(context.format) else {
      return context.ended(
        .usage, because: "--format \(context.format): only a matrix has this form: add --profile all")
    }
    if let code = context.unwritableReport(options.probing.outputFile) { return code }
    let plans: [ProbePlan]
    do throws(Stop) {
      plans = try self.plans(options, in: context)
    } catch {
      return error.code
    }
    var loaded = Self.load(options.paths)
    let own = options.usesOwnPipelines ? ownPlans(of: &loaded, options, in: context) : [:]
    guard !Task.isCancelled else { return context.interrupted("nothing was verified") }
    for finding in loaded.flatMap(\.findings) { context.errors.writeLine(finding.description) }
    let verifications: [FixtureVerification]
    do {
      verifications = try await verify(loaded, by: plans, own, options, in: context)
    } catch {
      return context.ended(.unavailable, because: "\(error)")
    }
    for verification in verifications {
      guard let shortage = verification.shortage else { continue }
      context.report("\(verification.path): \(shortage)")
    }
    let output = VerifyOutput(
      verifications, options, duration: elapsed(),
      style: options.probing.outputFile == nil ? context.style : TextStyle(usesColor: false),
      width: MatrixText.width(in: context, isFile: options.probing.outputFile != nil))
    guard !Task.isCancelled else {
      // A program could not distinguish a partial report from a complete one.
      if context.format == .text { context.output.write(output.text) }
      return context.interrupted("\(verifications.count) of \(loaded.count) fixtures were verified")
    }
    do {
      let text = try output.text(as: context.format, by: context.program)
      return await context.writingReport(to: options.probing.outputFile) { sink, _ in
        sink.write(text)
        return .worst(of: verifications.map { ExitCode($0, judgesVerdicts: !options.wantsMatrix) })
      }
    } catch {
      return context.ended(
        .internalError, because: "the report could not be written as \(context.format): \(error)")
    }
  }
}

extension VerifyCommand {
  /// Loads fixtures; a fixture that is named several times is loaded only once.
  private static func load(_ paths: [String]) -> [LoadedFixture] {
    let files = DiskFiles()
    var known: Set<String> = []
    return FixtureLoader(files: files).load(paths).filter {
      known.insert(files.resolved($0.path) ?? $0.path).inserted
    }
  }

  private func verify(
    _ fixtures: [LoadedFixture], by plans: [ProbePlan], _ own: [String: ProbePlan], _ options: Options,
    in context: CommandContext
  ) async throws(ReplayError) -> [FixtureVerification] {
    let verifier = try FixtureVerifier(
      plans, own: own, over: plugins.transports, comparesQueries: options.isStrict,
      concurrency: options.concurrency)
    let progress =
      context.showsProgress
      ? RunProgress(total: fixtures.count, of: "fixture", on: context.errors, clock: clock) : nil
    return await RunProgress.show(progress) {
      await verifier.verify(fixtures) { _ in progress?.oneFinished() }
    }
  }
}

extension ExitCode {
  fileprivate init(_ verification: FixtureVerification, judgesVerdicts: Bool) {
    if verification.shortage != nil {
      self = .unavailable
    } else if !verification.findings.isEmpty {
      self = .badInput
    } else {
      self = verification.hasPassed || !judgesVerdicts ? .success : .notOnline
    }
  }
}

extension VerifyCommand {
  /// The plans for all fixtures: those of the profiles, by default ProbeKit's own, or that of the pipeline
  /// file.
  func plans(_ options: Options, in context: CommandContext) throws(Stop) -> [ProbePlan] {
    var pipelines = PlannedPipelines(options.probing, in: context)
    if let path = options.pipeline {
      pipelines.add(file: path, plugins)
    } else {
      for profile in options.profiles.isEmpty ? [.own] : options.profiles {
        pipelines.add(profile.loaded(over: plugins), named: profile.name)
      }
    }
    if let code = pipelines.report() { throw Stop(code: code) }
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
