import FixtureCapture
import FixtureReplay
import FoundationEssentials
import PortalAnalysis
import ProbeCore
import ProbePipeline
import ProbeReporting
import SourceDocuments
import CommandKit
import ProbeSystem

/// `probekit capture`: probes the network, and writes the exchanges as a fixture.
struct CaptureCommand: Subcommand {
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
      guard !Task.isCancelled else { throw Stop(code: context.interrupted("nothing was written")) }
      return try await write(capture, to: folder, options, named: name, in: context)
    } catch {
      return error.code
    }
  }
}

extension CaptureCommand {
  /// The data for a fixture.
  struct Capture {
    var exchanges: [RecordedExchange]
    /// The findings, or nil if there is no verdict yet.
    var finding: CapturedFixture.Finding?
    /// A description of how the exchanges were captured.
    var reference: String
    /// The information that is missing from the source of the exchanges.
    var losses: [String] = []
    /// The text of the fixture's pipeline file, or nil for none.
    var pipeline: String?
    /// Removes the secrets that the requests contain, or nil if there are none.
    var secrets: Redactor?
    /// The forms of the login page, which were not sent.
    var forms: [PageReferences.Form] = []
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

extension Stop {
  /// The folder of the fixture cannot be used.
  fileprivate static func unusable(_ error: UnusableFolder, in context: CommandContext) -> Stop {
    let code: ExitCode = error.code == .unwritable ? .unavailable : .badInput
    return Stop(code: context.ended(code, because: "--output: \(error)"))
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
    guard let reading else { throw Stop(code: context.interrupted("nothing was written")) }
    var recording: ImportedCapture
    do throws(InvalidImport) {
      recording = try reading.get()
    } catch {
      for mistake in error.mistakes {
        context.report("--import: \(Excerpt(path, limit: 200)): \(mistake.descriptionWithOffset)")
      }
      throw Stop(code: .badInput)
    }
    do throws(InvalidInput) {
      try recording.keep(hosts: options.hosts, atMost: options.importLimit)
    } catch {
      throw Stop(
        code: context.ended(.badInput, because: "--import: \(Excerpt(path, limit: 200)): \(error)"))
    }
    return Capture(
      exchanges: recording.exchanges, reference: "imported from \(recording.origin)",
      losses: recording.losses,
      pipeline: CapturePipeline(
        firstURLs(of: recording.exchanges), name: name, options, over: plugins
      ).text)
  }

  /// The URLs to probe in the fixture: those known to the built-in pipeline, or else the first one.
  private func firstURLs(of exchanges: [RecordedExchange]) -> [ProbeURL] {
    let known = CapturePipeline.knownTargets(over: plugins)
    let requestedURLs = exchanges.map(\.url).filter { known[$0.string] != nil }
    return requestedURLs.isEmpty ? Array(exchanges.prefix(1).map(\.url)) : requestedURLs
  }
}

/// Writes the fixture and verifies it.
extension CaptureCommand {
  private func write(
    _ capture: Capture, to folder: CaptureFolder, _ options: CaptureOptions, named name: String,
    in context: CommandContext
  ) async throws(Stop) -> ExitCode {
    guard let making = await unlessCancelled({ await make(capture, options, named: name) }), !Task.isCancelled
    else { throw Stop(code: context.interrupted("nothing was written")) }
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
      throw Stop(code: context.ended(.badInput, because: "\(error)"))
    } catch let error as ReplayError {
      throw Stop(code: context.ended(.unavailable, because: "the fixture cannot be replayed: \(error)"))
    } catch {
      throw Stop(code: context.ended(.internalError, because: "the fixture could not be made: \(error)"))
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
        date: UTCTime(now()).dateText)
      var fixture = CapturedFixture(
        name: name, source: source, exchanges: capture.exchanges, redaction: redaction, losses: capture.losses
      )
      fixture.vendor = options.vendor
      fixture.add(unsent: capture.forms)
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
    // Load the pipeline as it will be in the fixture, with private data replaced.
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

  var description: String { "\(message): omit pages that the login does not need" }

  /// Checks the limits before expensive work.
  static func check(_ exchanges: [RecordedExchange]) throws(UnfitCapture) {
    let routes = CapturedNetwork(exchanges).routes
    if routes.count > FixtureLoader.maximumRouteCount {
      throw UnfitCapture(
        message: "there are responses to \(routes.count) different requests, and a fixture can have at most "
          + "\(FixtureLoader.maximumRouteCount)")
    }
    if let route = routes.first(where: { $0.response.count > FixtureLoader.maximumFileLength }) {
      throw UnfitCapture(
        message:
          "the response of \(route.url) has \(route.response.count) bytes, and in a fixture it can have at most "
          + "\(FixtureLoader.maximumFileLength)")
    }
  }

  /// Checks that `fixture.yaml` is within the limits for reading.
  static func check(_ files: [CapturedFixture.File]) throws(UnfitCapture) {
    let (size, limit) = (files.first?.bytes.count ?? 0, SourceDocument.Limits().bytes)
    if size > limit {
      throw UnfitCapture(
        message:
          "the URLs make a \(FixtureLoader.fileName) of \(size) bytes, and it can have at most \(limit)")
    }
  }
}

/// A captured fixture that cannot be replayed, which is a bug.
struct UnreplayableCapture: Error, CustomStringConvertible {
  let message: String

  var description: String { message }
}
