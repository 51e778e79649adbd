import CommandKit
import EngineProfiles
import FixtureCapture
import PortalAnalysis
import ProbeCore
import ProbePipeline
import ProbeReporting
import SourceDocuments

/// Captures from the network.
extension CaptureCommand {
  func probe(
    _ options: CaptureOptions, named name: String, in context: CommandContext
  ) async throws(Stop) -> Capture {
    var (plan, pipeline) = try self.plan(options, named: name, in: context)
    // The login page is requested below, with its redirects.
    plan.followsRedirects = false
    let recorder = ExchangeRecorder()
    let requestedURLs =
      plan.probes.compactMap { try? $0.request.get().url } + [plan.capport].compactMap(\.self)
    let transports = recorder.recording(plugins.transports).keptOffThisMachine(unlessFor: requestedURLs)
    let progress =
      context.showsProgress && context.format == .text
      ? RunProgress(total: plan.probes.count, on: context.errors, clock: clock) : nil
    let notify: @Sendable (Int, ProbeResult) -> Void = { _, _ in progress?.oneFinished() }
    let result = await RunProgress.show(progress) {
      await PipelineRunner(transports, clock: clock).run(plan, progress: progress == nil ? nil : notify)
    }
    guard !Task.isCancelled else { throw Stop(code: context.interrupted("nothing was written")) }
    if let probe = result.localFailure {
      let problem = probe.detail ?? "something is missing"
      throw Stop(code: context.ended(.unavailable, because: "this machine cannot probe: \(problem)"))
    }
    var visit = LoginVisit.Findings()
    if options.visitsPage, let url = result.portal?.loginURL, [.http, .https].contains(url.scheme),
      options.followsLogin || !recorder.exchanges.contains(where: { $0.url == url })
    {
      visit = await self.visit(url, options, over: transports)
      guard !Task.isCancelled else { throw Stop(code: context.interrupted("nothing was written")) }
    }
    // The order is: the probes, then the login page and its redirects, then its files.
    let files = visit.files.enumerated().map { ($0.element.string, 2 * plan.probes.count + 1 + $0.offset) }
    let order = Dictionary(
      plan.probes.enumerated().map { ($0.element.url, $0.offset) } + files,
      uniquingKeysWith: { first, _ in first })
    let secrets = Redactor(ofAll: plan.probes.compactMap { try? $0.request.get() })
    // A URL from which a secret was removed differs from the one in the replayed response.
    let loginURL = result.loginURL.flatMap { url in
      secrets != nil && url.string.contains("redacted") ? nil : url
    }
    let exchanges = recorder.exchanges.enumerated().sorted {
      let (left, right) = ($0.element.url.string, $1.element.url.string)
      return (order[left] ?? plan.probes.count, $0.offset) < (order[right] ?? plan.probes.count, $1.offset)
    }
    return Capture(
      exchanges: exchanges.map(\.element),
      finding: CapturedFixture.Finding(verdict: result.verdict, loginURL: loginURL),
      reference: "\(context.caller), by the pipeline \(plan.name)", losses: visit.losses,
      pipeline: pipeline, secrets: secrets, forms: visit.forms,
      plan: pipeline == nil ? plan : nil, result: result)
  }

  /// Requests the login page, as a phone's login window does, and its files if requested.
  private func visit(
    _ url: ProbeURL, _ options: CaptureOptions, over transports: TransportRegistry
  ) async -> LoginVisit.Findings {
    var request = ProbeRequest(url)
    for setting in options.probing.settings.settings {
      try? setting.apply(to: &request, in: .process)
    }
    request.redirects = 5
    request.maxBody = 1 << 20
    let prober = Prober(transports, policy: .plaintextAllowed, clock: clock)
    if options.followsLogin { return await LoginVisit(prober, request).findings() }
    // A page that cannot be loaded is part of the network too, so its exchanges are always kept.
    _ = try? await prober.probe(request)
    return LoginVisit.Findings()
  }

  private func plan(
    _ options: CaptureOptions, named name: String, in context: CommandContext
  ) throws(Stop) -> (ProbePlan, pipeline: String?) {
    var pipelines = PlannedPipelines(options.probing, in: context)
    var text: String?
    if let path = options.pipeline {
      pipelines.add(file: path, plugins)
    } else if options.urls.isEmpty {
      pipelines.add(EngineProfile.own.loaded(over: plugins), named: name)
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

extension TransportRegistry {
  /// Returns these transports, restricted to connect to loopback and link-local addresses only for the user's
  /// own URLs.
  ///
  /// A portal must not redirect a recording to a service of this machine, because the response would end up
  /// in a file that is shared with others.
  ///
  /// - Parameter urls: The user's URLs. Their servers may have any address, as may the targets of
  ///   `--connect-to` rules.
  /// - Returns: The transports.
  func keptOffThisMachine(unlessFor urls: [ProbeURL]) -> TransportRegistry {
    let servers = Set(urls.map(Server.init(of:)))
    return guarded(by: .offThisMachine) { servers.contains(Server(of: $0)) }
  }
}

/// The server of a URL.
private struct Server: Hashable {
  let host: String
  let port: UInt16?

  init(of url: ProbeURL) {
    (host, port) = (url.host, url.port)
  }
}

/// The pipeline that captures URLs, and later probes the fixture.
struct CapturePipeline {
  let pipeline: Pipeline
  /// The text of the fixture's pipeline file.
  let text: String

  /// The targets of the built-in pipeline by URL, with their validators.
  static func knownTargets(over plugins: PluginRegistry) -> [String: ProbeTarget] {
    let targets = EngineProfile.own.loaded(over: plugins).pipeline?.sets.flatMap(\.targets) ?? []
    return Dictionary(targets.map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Creates the pipeline for URLs.
  ///
  /// A URL of the built-in pipeline has the same validators as there; for any other, a 2xx status is
  /// accepted.
  init(_ urls: [ProbeURL], name: String, _ options: CaptureOptions, over plugins: PluginRegistry) {
    let known = Self.knownTargets(over: plugins)
    var seen: Set<String> = []
    let targets = urls.map(\.string).filter { seen.insert($0).inserted }.map { url in
      var target = ProbeTarget(url)
      target.judge = known[url]?.judge
      return target
    }
    var pipeline = Pipeline(name, sets: [ProbeSet("urls", targets: targets)])
    pipeline.policy = .plaintextAllowed
    pipeline.stopsEarly = false
    self.pipeline = pipeline

    var lines = ["version: 1", "name: \(name.inYAML)", "policy: { https: optional }"]
    if let request = options.probing.settings.inYAML { lines.append("request: \(request)") }
    lines += ["sets:", "  - name: urls", "    urls:"]
    for target in targets {
      lines.append("      - url: \(target.url.inYAML)")
      if case .file(let node)? = known[target.url]?.origin, let judge = node.entry("validate")?.value {
        lines.append("        validate: \(judge.inYAML)")
      }
    }
    text = lines.joined(separator: "\n") + "\n"
  }
}
