import FixtureReplay
import ProbeCore
import ProbePipeline
import SourceDocuments

/// `probekit verify`: replays fixtures, and tells whether a pipeline finds in each what it expects.
struct VerifyCommand: Subcommand {
  /// What `probekit verify` was told on its command line.
  struct Options: Sendable {
    /// Fixtures, or folders of them.
    var paths: [String] = []
    /// The file of the pipeline that the fixtures are asked by, `-` for standard input, or nil for the built-in one.
    var pipeline: String?
    /// Whether login URLs must have the same query, too.
    var isStrict = false
    /// How many fixtures are verified at a time.
    var concurrency = 16
    /// The time for one probe, or nil for what the pipeline says.
    var timeout: Duration?
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
    let plan: ProbePlan
    do throws(NoPlan) {
      plan = try self.plan(options, in: context)
    } catch {
      return error.code
    }
    var loaded = Self.load(options.paths)
    let own = options.pipeline == nil ? ownPlans(of: &loaded, options, in: context) : [:]
    guard !Task.isCancelled else { return interrupted("nothing was verified", in: context) }
    for finding in loaded.flatMap(\.findings) { context.errors.writeLine(finding.description) }
    let verifications: [FixtureVerification]
    do {
      verifications = try await verify(loaded, by: plan, own, options, in: context)
    } catch {
      context.report("\(error)")
      return .unavailable
    }
    for verification in verifications {
      guard let shortage = verification.shortage else { continue }
      context.report("\(verification.path): \(shortage)")
    }
    let report = VerifyReport(
      verifications, duration: elapsed(), showsAllEvidence: options.isVerbose, usesColor: context.usesColor)
    guard !Task.isCancelled else {
      // Half a report looks like a whole one to a program.
      if context.format == .text { context.output.write(report.text) }
      return interrupted("\(verifications.count) of \(loaded.count) fixtures were verified", in: context)
    }
    do {
      context.output.write(context.format == .json ? try report.json() : report.text)
      return .worst(of: verifications.map(ExitCode.init))
    } catch {
      context.report("the report could not be written as JSON: \(error)")
      return .internalError
    }
  }

  private func interrupted(_ progress: String, in context: CommandContext) -> ExitCode {
    context.report("interrupted: \(progress)")
    return .notOnline
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}

extension VerifyCommand {
  /// There is no pipeline to ask by, which was told.
  private struct NoPlan: Error {
    let code: ExitCode
  }

  private func plan(_ options: Options, in context: CommandContext) throws(NoPlan) -> ProbePlan {
    guard let path = options.pipeline else {
      var check = CheckOptions()
      if let timeout = options.timeout { check.adjustRequests { $0.timeout = timeout } }
      do {
        return try BuiltInPipeline.plan(check)
      } catch {
        context.report("the built-in pipeline cannot be used: \(error)")
        throw NoPlan(code: .internalError)
      }
    }
    let files = PipelineFiles([path], plugins, in: context, overriding: options.overrides)
    for finding in files.findings { context.errors.writeLine(finding.description) }
    guard let plan = files.plans.first?.plan, files.findings.isEmpty else { throw NoPlan(code: .badInput) }
    return plan
  }

  /// The pipelines that fixtures bring along, by the paths of the fixtures; what is wrong with one is wrong with its
  /// fixture.
  private func ownPlans(
    of fixtures: inout [LoadedFixture], _ options: Options, in context: CommandContext
  ) -> [String: ProbePlan] {
    var plans: [String: ProbePlan] = [:]
    for index in fixtures.indices {
      let path = fixtures[index].pipelinePath
      guard fixtures[index].fixture != nil, DiskFiles().kind(of: path) != nil else { continue }
      let files = PipelineFiles([path], plugins, in: context, overriding: options.overrides)
      fixtures[index].findings += files.findings
      plans[fixtures[index].path] = files.plans.first?.plan
    }
    return plans
  }

  /// Loads fixtures; one that is named in several ways is loaded once.
  private static func load(_ paths: [String]) -> [LoadedFixture] {
    let files = DiskFiles()
    var known: Set<String> = []
    return FixtureLoader(files: files).load(paths).filter {
      known.insert(files.resolved($0.path) ?? $0.path).inserted
    }
  }

  private func verify(
    _ fixtures: [LoadedFixture], by plan: ProbePlan, _ own: [String: ProbePlan], _ options: Options,
    in context: CommandContext
  ) async throws(ReplayError) -> [FixtureVerification] {
    let verifier = try FixtureVerifier(
      [plan], own: own, over: plugins.transports, comparesQueries: options.isStrict,
      concurrency: options.concurrency)
    guard context.showsProgress else { return await verifier.verify(fixtures) }
    let progress = RunProgress(total: fixtures.count, of: "fixture", on: context.errors, clock: clock)
    let ticker = Task { await progress.show() }
    let verifications = await verifier.verify(fixtures) { _ in progress.oneFinished() }
    ticker.cancel()
    await ticker.value
    return verifications
  }
}

extension VerifyCommand.Options {
  /// What holds for every request whatever a pipeline's file says.
  fileprivate var overrides: [RequestSetting] {
    guard let timeout else { return [] }
    return [RequestSetting { (request, _) throws(InvalidInput) in request.timeout = timeout }]
  }
}

extension ExitCode {
  fileprivate init(_ verification: FixtureVerification) {
    if verification.shortage != nil {
      self = .unavailable
    } else if !verification.findings.isEmpty {
      self = .badInput
    } else {
      self = verification.hasPassed ? .success : .notOnline
    }
  }
}
