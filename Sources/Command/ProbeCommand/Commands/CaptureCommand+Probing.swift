import EngineProfiles
import FixtureCapture
import PortalAnalysis
import ProbeCore
import ProbePipeline
import ProbeReporting
import CommandKit

/// Captures from the network.
extension CaptureCommand {
  func probe(
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
    let notify: @Sendable (Int, ProbeResult) -> Void = { _, _ in progress?.oneFinished() }
    let result = await RunProgress.show(progress) {
      await PipelineRunner(transports, clock: clock).run(plan, progress: progress == nil ? nil : notify)
    }
    guard !Task.isCancelled else { throw Stop.interrupted(in: context) }
    if let probe = result.localFailure {
      context.report("this machine cannot probe: \(probe.detail ?? "something is missing")")
      throw Stop(code: .unavailable)
    }
    var visit = LoginVisit.Findings()
    if options.visitsPage, let url = result.portal?.loginURL, [.http, .https].contains(url.scheme),
      options.followsLogin || !recorder.exchanges.contains(where: { $0.url == url })
    {
      visit = await self.visit(url, options, over: transports)
      guard !Task.isCancelled else { throw Stop.interrupted(in: context) }
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
    for setting in options.probing.overrides + options.asking.overrides {
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
