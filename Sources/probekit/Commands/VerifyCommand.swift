import EngineProfiles
import FixtureReplay
import ProbeCore
import ProbePipeline
import ProbeReporting
import SourceDocuments

/// `probekit verify`: replays fixtures, and tells whether a pipeline finds in each what it expects.
struct VerifyCommand: Subcommand {
  /// What `probekit verify` was told on its command line.
  struct Options: Sendable {
    /// Fixtures, or folders of them.
    var paths: [String] = []
    /// The file of the pipeline that the fixtures are asked by, `-` for standard input, or nil for the built-in one.
    var pipeline: String?
    /// The built-in profiles that the fixtures are asked by, each once, in the order of the columns.
    var profiles: [EngineProfile] = []
    /// Whether a matrix is wanted: a profile was named, also one that does not exist.
    var wantsMatrix = false
    /// Whether login URLs must have the same query, too.
    var isStrict = false
    /// How many runs go on at a time.
    var concurrency = 16
    /// What all commands that probe can be told.
    var probing = ProbingOptions()
    /// Whether the evidence is shown where everything is as expected, too.
    var isVerbose = false
  }

  /// What it probes with, and what pipelines can name.
  let plugins: PluginRegistry
  /// Measures the whole, and the time until progress is shown.
  var clock: any Clock<Duration> = ContinuousClock()

  /// Verifies, reports, and says what came of it by the exit code.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    let elapsed = Self.stopwatch(clock)
    guard options.wantsMatrix || !OutputFormat.ofMatrices.contains(context.format) else {
      context.report("--format \(context.format): only a matrix has this form: add --profile all")
      return .usage
    }
    if let code = context.unwritableReport(options.probing.outputFile) { return code }
    let plans: [ProbePlan]
    do throws(NoPlan) {
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
      context.report("\(error)")
      return .unavailable
    }
    for verification in verifications {
      guard let shortage = verification.shortage else { continue }
      context.report("\(verification.path): \(shortage)")
    }
    let answer = VerifyAnswer(
      verifications, options, duration: elapsed(),
      style: options.probing.outputFile == nil ? context.style : TextStyle(usesColor: false),
      width: MatrixText.width(in: context, isFile: options.probing.outputFile != nil))
    guard !Task.isCancelled else {
      // Half a report looks like a whole one to a program.
      if context.format == .text { context.output.write(answer.text) }
      return context.interrupted("\(verifications.count) of \(loaded.count) fixtures were verified")
    }
    do {
      let text = try answer.text(as: context.format)
      return await context.writingReport(to: options.probing.outputFile) { output, _ in
        output.write(text)
        return .worst(of: verifications.map { ExitCode($0, judgesVerdicts: !options.wantsMatrix) })
      }
    } catch {
      context.report("the report could not be written as \(context.format): \(error)")
      return .internalError
    }
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}

extension VerifyCommand {
  /// Loads fixtures; one that is named in several ways is loaded once.
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
