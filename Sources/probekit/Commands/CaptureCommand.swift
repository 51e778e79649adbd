import EngineProfiles
import FixtureCapture
import FixtureReplay
import FoundationEssentials
import PortalAnalysis
import ProbeCore
import ProbePipeline
import ProbeReporting
import SourceDocuments

/// `probekit capture`: probes the network, and writes the exchanges as a fixture.
struct CaptureCommand: Subcommand {
  /// The plugins to probe with.
  let plugins: PluginRegistry
  /// The clock that measures the run.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Returns the date for the fixture's source.
  var now: @Sendable () -> Date = { Date() }

  /// Probes, writes the fixture and replays it; the exit code states whether the replay has the same verdict.
  func run(_ options: CaptureOptions, in context: CommandContext) async -> ExitCode {
    if let code = context.unwritableReport(options.probing.outputFile, option: "--report") { return code }
    do throws(Stop) {
      let folder = try Self.folder(options, in: context)
      let name = options.name ?? folder.name
      let capture =
        options.recording == nil
        ? try await probe(options, named: name, in: context)
        : try await imported(options, named: name, in: context)
      guard !Task.isCancelled else { throw Stop.interrupted(in: context) }
      return try await write(capture, to: folder, options, named: name, in: context)
    } catch {
      return error.code
    }
  }
}

extension CaptureCommand {
  /// Ends the command after the reason has been reported.
  struct Stop: Error {
    let code: ExitCode

    static func interrupted(in context: CommandContext) -> Stop {
      Stop(code: context.interrupted("nothing was written"))
    }

    static func unusable(_ error: UnusableFolder, in context: CommandContext) -> Stop {
      context.report("--output: \(error)")
      return Stop(code: error.code == .unwritable ? .unavailable : .badInput)
    }
  }

  /// The data for a fixture.
  struct Capture {
    /// The exchanges.
    var exchanges: [RecordedExchange]
    /// The findings, or nil if there is no verdict yet.
    var finding: CapturedFixture.Finding?
    /// How the exchanges were captured.
    var reference: String
    /// What the source of the exchanges does not contain.
    var losses: [String] = []
    /// The text of the fixture's pipeline file, or nil for none.
    var pipeline: String?
    /// Removes the secrets that the requests contain, or nil if there are none.
    var secrets: Redactor?
    /// The plan to probe the fixture with if it has no pipeline file.
    var plan: ProbePlan?
    /// The result of the run, or nil if nothing was probed.
    var result: RunResult?
  }

  private static func folder(_ options: CaptureOptions, in context: CommandContext) throws(Stop)
    -> CaptureFolder
  {
    do throws(UnusableFolder) {
      return try CaptureFolder(options.folder ?? "")
    } catch {
      throw Stop.unusable(error, in: context)
    }
  }
}

/// Captures from the network.
extension CaptureCommand {
  private func probe(
    _ options: CaptureOptions, named name: String, in context: CommandContext
  ) async throws(Stop) -> Capture {
    var (plan, pipeline) = try self.plan(options, named: name, in: context)
    // The login page is requested below, with its redirects.
    plan.followsRedirects = false
    let recorder = ExchangeRecorder()
    let asked = plan.probes.compactMap { try? $0.request.get().url } + [plan.capport].compactMap(\.self)
    let transports = recorder.recording(plugins.transports).keptOffThisMachine(unlessFor: asked)
    let progress =
      context.showsProgress && context.format == .text
      ? RunProgress(total: plan.probes.count, on: context.errors, clock: clock) : nil
    let tell: @Sendable (Int, ProbeResult) -> Void = { _, _ in progress?.oneFinished() }
    let result = await RunProgress.show(progress) {
      await PipelineRunner(transports, clock: clock).run(plan, progress: progress == nil ? nil : tell)
    }
    guard !Task.isCancelled else { throw Stop.interrupted(in: context) }
    if let probe = result.localFailure {
      context.report("this machine cannot probe: \(probe.detail ?? "something is missing")")
      throw Stop(code: .unavailable)
    }
    if options.visitsPage, let url = result.portal?.loginURL, [.http, .https].contains(url.scheme),
      !recorder.exchanges.contains(where: { $0.url == url })
    {
      await visit(url, options, over: transports)
    }
    let order = Dictionary(
      plan.probes.enumerated().map { ($0.element.url, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let secrets = Redactor(ofAll: plan.probes.compactMap { try? $0.request.get() })
    // A URL from which a secret was removed differs from the one in the replayed answer.
    let loginURL = result.portal.map(\.loginURL).flatMap { url in
      secrets != nil && url.string.contains("redacted") ? nil : url
    }
    let exchanges = recorder.exchanges.enumerated().sorted {
      let (left, right) = ($0.element.url.string, $1.element.url.string)
      return (order[left] ?? .max, $0.offset) < (order[right] ?? .max, $1.offset)
    }
    return Capture(
      exchanges: exchanges.map(\.element),
      finding: CapturedFixture.Finding(verdict: result.verdict, loginURL: loginURL),
      reference: "\(context.caller), by the pipeline \(plan.name)", pipeline: pipeline,
      secrets: secrets,
      plan: pipeline == nil ? plan : nil, result: result)
  }

  /// Requests the login page, as a phone's login window does.
  private func visit(_ url: ProbeURL, _ options: CaptureOptions, over transports: TransportRegistry) async {
    var request = ProbeRequest(url)
    for setting in options.probing.overrides + options.asking.overrides {
      try? setting.apply(to: &request, in: .process)
    }
    request.redirects = 5
    request.maxBody = 1 << 20
    // A page that cannot be loaded is part of the network too: its exchanges are kept in any case.
    _ = try? await Prober(transports, policy: .plaintextAllowed, clock: clock).probe(request)
  }

  private func plan(
    _ options: CaptureOptions, named name: String, in context: CommandContext
  ) throws(Stop) -> (ProbePlan, pipeline: String?) {
    var pipelines = PlannedPipelines(options.probing, in: context)
    var text: String?
    if let path = options.pipeline {
      pipelines.add(file: path, plugins)
    } else if options.urls.isEmpty {
      var loaded = EngineProfile.own.loaded(over: plugins)
      loaded.change { $0.overrides = options.asking.overrides }
      pipelines.add(loaded, named: name)
    } else {
      let pipeline = CapturePipeline(options.urls, name: name, options, over: plugins)
      text = pipeline.text
      pipelines.add(LoadedPipeline(pipeline.pipeline, over: plugins.transports), named: name)
    }
    if let code = pipelines.report() { throw Stop(code: code) }
    guard var plan = pipelines.plans.first?.plan else { throw Stop(code: .internalError) }
    if options.pipeline != nil { plan.stopsEarly = false }
    return (plan, text)
  }
}

/// Imports recordings of other programs.
extension CaptureCommand {
  private func imported(
    _ options: CaptureOptions, named name: String, in context: CommandContext
  ) async throws(Stop) -> Capture {
    let path = options.recording ?? ""
    let reading = await unlessCancelled {
      Result { () throws(InvalidImport) in try CaptureImport.read(path) }
    }
    guard let reading else { throw Stop.interrupted(in: context) }
    do throws(InvalidImport) {
      let recording = try reading.get()
      return Capture(
        exchanges: recording.exchanges, reference: "imported from \(recording.origin)",
        losses: recording.losses,
        pipeline: CapturePipeline(
          firstURLs(of: recording.exchanges), name: name, options, over: plugins
        ).text)
    } catch {
      for mistake in error.mistakes {
        context.report("--import: \(Excerpt(path, limit: 200)): \(mistake.descriptionWithPlace)")
      }
      throw Stop(code: .badInput)
    }
  }

  /// The URLs to probe in the fixture: those known to the built-in pipeline, or else the first one.
  private func firstURLs(of exchanges: [RecordedExchange]) -> [ProbeURL] {
    let known = CapturePipeline.knownTargets(over: plugins)
    let asked = exchanges.map(\.url).filter { known[$0.string] != nil }
    return asked.isEmpty ? Array(exchanges.prefix(1).map(\.url)) : asked
  }
}

/// Writes the fixture and verifies it.
extension CaptureCommand {
  private func write(
    _ capture: Capture, to folder: CaptureFolder, _ options: CaptureOptions, named name: String,
    in context: CommandContext
  ) async throws(Stop) -> ExitCode {
    guard let making = await unlessCancelled({ await make(capture, options, named: name) }), !Task.isCancelled
    else { throw Stop.interrupted(in: context) }
    do {
      let (fixture, replayed, replacements) = try making.get()
      let files = try fixture.files()
      try folder.write(files)
      let report = CaptureReport(
        fixture: fixture, path: folder.path, files: files, replayed: replayed, result: capture.result,
        replacements: replacements, pipeline: options.pipeline, program: context.program)
      let isFile = options.probing.outputFile != nil
      let text = try report.text(
        as: context.format, isFile ? TextStyle(usesColor: false) : context.style)
      return await context.writingReport(to: options.probing.outputFile, option: "--report") { output, _ in
        output.write(text)
        return report.isTrue ? .success : .notOnline
      }
    } catch let error as UnusableFolder {
      throw Stop.unusable(error, in: context)
    } catch let error as UnfitCapture {
      context.report("\(error)")
      throw Stop(code: .badInput)
    } catch let error as ReplayError {
      context.report("the fixture cannot be replayed: \(error)")
      throw Stop(code: .unavailable)
    } catch {
      context.report("the fixture could not be made: \(error)")
      throw Stop(code: .internalError)
    }
  }

  private typealias Made = (
    fixture: CapturedFixture, replayed: VerifiedRun, replacements: [CaptureRedaction.Replacement]
  )

  /// Creates the fixture of a capture and replays it, without writing any file.
  private func make(
    _ capture: Capture, _ options: CaptureOptions, named name: String
  ) async -> Result<Made, any Error> {
    do {
      try UnfitCapture.check(capture.exchanges)
      let redaction =
        options.redacts
        ? CaptureRedaction(learningFrom: capture.exchanges, secrets: capture.secrets)
        : capture.secrets.map { CaptureRedaction(ofSecretsAlone: $0, in: capture.exchanges) } ?? .none
      let source = FixtureSource(
        kind: .captured, reference: capture.reference,
        date: now().formatted(.iso8601.year().month().day()))
      var fixture = CapturedFixture(
        name: name, source: source, exchanges: capture.exchanges, redaction: redaction, losses: capture.losses
      )
      fixture.vendor = options.vendor
      fixture.pipeline = capture.pipeline
      fixture.finding = capture.finding
      let replayed = try await replay(fixture, by: capture.plan)
      if fixture.finding == nil {
        fixture.finding = CapturedFixture.Finding(verdict: replayed.verdict, loginURL: replayed.loginURL)
      }
      return .success((fixture, replayed, redaction.replacements))
    } catch {
      return .failure(error)
    }
  }

  /// The result of replaying the fixture with its own pipeline, or else with that of the capture.
  private func replay(
    _ fixture: CapturedFixture, by capturePlan: ProbePlan?
  ) async throws -> VerifiedRun {
    let files = try fixture.files()
    try UnfitCapture.check(files)
    let named = files.map { ("fixture/\($0.name)", $0.bytes) }
    let memory = MemoryFiles(Dictionary(named, uniquingKeysWith: { first, _ in first }))
    let loaded = FixtureLoader(files: memory).load(["fixture"])
    // As it will be read from the fixture: private data in it is replaced.
    var plan = try files.first { $0.name == LoadedFixture.pipelineName }
      .map { try PipelineLoader(plugins).load(path: $0.name, bytes: $0.bytes).plan() }
    plan?.stopsEarly = false
    plan = plan ?? capturePlan
    let verifier = try FixtureVerifier(plan.map { [$0] } ?? [], over: plugins.transports)
    let verifications = await verifier.verify(loaded)
    if let finding = verifications.first?.findings.first {
      throw UnreplayableCapture(message: finding.description)
    }
    guard let run = verifications.first?.runs.first else {
      throw UnreplayableCapture(message: verifications.first?.shortage ?? "it was not replayed")
    }
    return run
  }
}

/// A capture that exceeds the limits of a fixture.
private struct UnfitCapture: Error, CustomStringConvertible {
  private let message: String

  var description: String { "\(message): leave out what has nothing to do with getting into the network" }

  /// Checks the limits before any expensive work.
  static func check(_ exchanges: [RecordedExchange]) throws(UnfitCapture) {
    let routes = CapturedNetwork(exchanges).routes
    if routes.count > FixtureLoader.maximumRouteCount {
      throw UnfitCapture(
        message: "there are answers to \(routes.count) different requests, and a fixture can have "
          + "\(FixtureLoader.maximumRouteCount)")
    }
    if let route = routes.first(where: { $0.answer.count > FixtureLoader.maximumFileLength }) {
      throw UnfitCapture(
        message: "the answer of \(route.url) has \(route.answer.count) bytes, and in a fixture it can have "
          + "\(FixtureLoader.maximumFileLength)")
    }
  }

  /// Checks that `fixture.yaml` is within the limits for reading.
  static func check(_ files: [CapturedFixture.File]) throws(UnfitCapture) {
    let (size, limit) = (files.first?.bytes.count ?? 0, SourceDocument.Limits().bytes)
    if size > limit {
      throw UnfitCapture(
        message: "the URLs make a \(FixtureLoader.fileName) of \(size) bytes, and it can have \(limit)")
    }
  }
}

/// A captured fixture that cannot be replayed, which is a bug.
struct UnreplayableCapture: Error, CustomStringConvertible {
  let message: String

  var description: String { message }
}
