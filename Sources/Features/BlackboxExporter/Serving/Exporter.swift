internal import ProbeBase
internal import ProbePipeline
internal import ProbeReporting
package import ProbeCore
package import ProbeServer

/// Serves probes to Prometheus: the handler of an HTTP service, with the paths of blackbox_exporter.
package final class Exporter: Sendable {
  /// Reloads the configuration; fails with the reason if it is unusable.
  package typealias Reload = @Sendable () async -> Result<ExporterConfiguration, InvalidInput>

  private let prober: ExporterProber
  private let settings: ExporterSettings
  private let reading: Reload
  /// The last reload, after which the next one begins: the configuration that was read last remains in effect.
  private let lastReload = Guarded<Task<Result<ExporterConfiguration, InvalidInput>, Never>?>(nil)
  private let state: ExporterState
  private let history: ProbeHistory
  private let counters = ModuleCounters()
  private let timeouts: ScrapeTimeout

  /// Creates an exporter.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - prober: Makes the probes.
  ///   - settings: The settings.
  ///   - reload: Reloads the configuration.
  package init(
    _ configuration: ExporterConfiguration, prober: ExporterProber, settings: ExporterSettings = .init(),
    reload: @escaping Reload
  ) {
    self.prober = prober
    self.settings = settings
    reading = reload
    state = ExporterState(configuration)
    history = ProbeHistory(limit: settings.historyLimit)
    timeouts = ScrapeTimeout(offset: settings.timeoutOffset)
  }

  /// Reloads the configuration; if the new one is unusable, the old one remains in effect.
  ///
  /// - Throws: `InvalidInput` with the reason.
  package func reload() async throws(InvalidInput) {
    let reload = lastReload.withLock { last in
      let reload = Task { [previous = last, reading, state] in
        _ = await previous?.value
        let result = await reading()
        state.replace(with: try? result.get())
        return result
      }
      last = reload
      return reload
    }
    _ = try await reload.value.get()
  }

  /// The paths of the service.
  package var routes: HTTPRoutes {
    var routes = HTTPRoutes()
    let prefix = settings.routePrefix
    func add(
      _ path: String,
      _ handler:
        @escaping @Sendable (Exporter, HTTPServiceRequest) async throws(HTTPServiceFailure) ->
        HTTPServiceResponse
    ) {
      routes.add("GET", prefix + path) { [self] request, _ throws(HTTPServiceFailure) in
        try await handler(self, request)
      }
    }
    add("") { exporter, _ in exporter.home }
    if prefix != "/" {
      let location = settings.externalURL ?? prefix
      routes.add("GET", "/") { _, _ in
        HTTPServiceResponse(
          status: 302, contentType: "text/plain; charset=utf-8", fields: ["Location: \(location)"],
          body: Array("\(location)\n".utf8))
      }
    }
    add("probe") { exporter, request throws(HTTPServiceFailure) in try await exporter.probe(request) }
    add("metrics") { exporter, _ in exporter.metrics }
    add("-/healthy") { _, _ in .text("Healthy") }
    add("config") { exporter, _ in .text(exporter.state.configuration.text) }
    add("sd") { exporter, _ in
      let modules = Array(exporter.state.configuration.modules.values)
      let body = Array(DiscoveredTargets(modules).text.utf8)
      return HTTPServiceResponse(contentType: "application/json", body: body)
    }
    add("logs") { exporter, request throws(HTTPServiceFailure) in try exporter.log(request) }
    for method in ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"] {
      routes.add(method, prefix + "-/reload") { _, _ throws(HTTPServiceFailure) in
        var failure = HTTPServiceFailure(status: 405, "This endpoint requires a POST request.")
        failure.fields = ["Allow: POST"]
        throw failure
      }
    }
    routes.add("POST", prefix + "-/reload") { [self] _, _ throws(HTTPServiceFailure) in
      do throws(InvalidInput) { try await reload() } catch {
        throw HTTPServiceFailure(status: 500, "failed to reload config: \(error)")
      }
      return .text("")
    }
    return routes
  }

  /// Whether the response to a request is immediate, so that it need not wait for probes.
  package var respondsAtOnce: @Sendable (HTTPServiceRequest) -> Bool {
    let path = (settings.routePrefix + "-/healthy").split(separator: "/").map(String.init)
    return { $0.path == path }
  }

  private var home: HTTPServiceResponse {
    let pipelines = state.configuration.modules.values.filter(\.isPipeline).map(\.name).sorted()
    let page = ExporterPages.home(history.all, pipelines: pipelines)
    return HTTPServiceResponse(contentType: "text/html; charset=utf-8", body: Array(page.utf8))
  }

  private var metrics: HTTPServiceResponse {
    .metrics(
      Array(
        (state.text(commit: settings.commit, webFileIsUsable: settings.webFileIsUsable?()) + counters.text
          + prober.memory.text + ProcessMetrics.text).utf8))
  }
}

/// Probes.
extension Exporter {
  private func probe(_ request: HTTPServiceRequest) async throws(HTTPServiceFailure) -> HTTPServiceResponse {
    var module = try module(of: request)
    let timeout: Duration
    do throws(InvalidInput) {
      timeout = try timeouts.timeout(field: request.field(ScrapeTimeout.field), module: module.timeout)
    } catch {
      throw HTTPServiceFailure(status: 500, "Failed to parse timeout from Prometheus header: \(error)")
    }
    let target = request.parameter("target")
    guard !target.isEmpty || module.isPipeline else {
      throw HTTPServiceFailure(status: 400, "Target parameter is missing")
    }
    if case .pipeline(let pipeline) = module.probe {
      module.probe = .pipeline(try pipeline.setting(request.query, of: module.name))
    }
    if case .unsupported(let reason) = module.probe { throw HTTPServiceFailure(status: 400, reason) }
    let hostname = request.parameter("hostname")
    try check(hostname: hostname, with: module)
    let report = await prober.probe(
      target, with: module, hostname: hostname.isEmpty ? nil : hostname,
      timeout: timeout)
    history.add(report)
    counters.add(report)
    return request.parameter("debug") == "true" ? .text(report.page) : .metrics(report.metrics)
  }

  private func module(of request: HTTPServiceRequest) throws(HTTPServiceFailure) -> ExporterModule {
    let given = request.parameter("module")
    let name = given.isEmpty ? "http_2xx" : given
    guard let module = state.configuration.modules[name] else {
      state.countUnknownModule()
      throw HTTPServiceFailure(status: 400, "Unknown module \(Excerpt(name))")
    }
    return module
  }

  private func check(hostname: String, with module: ExporterModule) throws(HTTPServiceFailure) {
    guard !hostname.isEmpty, case .http(let settings) = module.probe, let host = settings.headers["Host"],
      host != hostname
    else { return }
    throw HTTPServiceFailure(
      status: 400,
      "host header defined both in module configuration (\(host)) and with URL-parameter 'hostname' (\(hostname))"
        .escapedForDisplay)
  }
}

/// Logs of probes.
extension Exporter {
  private func log(_ request: HTTPServiceRequest) throws(HTTPServiceFailure) -> HTTPServiceResponse {
    let id = Int(text: request.parameter("id"))
    let (target, module) = (request.parameter("target"), request.parameter("module"))
    func refuse(_ words: String) -> HTTPServiceFailure { HTTPServiceFailure(status: 400, words) }
    if id != nil, !target.isEmpty { throw refuse("Probe id and target can't be defined at the same time") }
    if id == nil, target.isEmpty {
      throw refuse("Probe id or target must be defined as http query parameters")
    }
    if target.isEmpty, !module.isEmpty {
      throw refuse("Probe module filter only works in conjunction with target parameter")
    }
    let entry =
      if let id {
        history.entry(id)
      } else {
        history.entry(target: target, module: module.isEmpty ? nil : module)
      }
    guard let entry else {
      throw HTTPServiceFailure(status: 404, target.isEmpty ? "Probe id not found" : "Probe target not found")
    }
    return .text(entry.report.page)
  }
}

extension HTTPServiceRequest {
  /// The first value of a parameter; empty without one.
  fileprivate func parameter(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
}

extension HTTPServiceResponse {
  fileprivate static func text(_ text: String) -> HTTPServiceResponse {
    HTTPServiceResponse(contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
  }

  fileprivate static func metrics(_ text: [UInt8]) -> HTTPServiceResponse {
    var response = HTTPServiceResponse(
      contentType: "text/plain; version=0.0.4; charset=utf-8", body: text)
    response.mayBeCompressed = true
    return response
  }
}

package struct ExporterSettings: Sendable {
  /// The number of seconds to subtract from the scrape timeout.
  package var timeoutOffset = 0.5
  /// The maximum number of the latest probes to remember, and of failed ones beyond them.
  package var historyLimit = 100
  /// The prefix of all paths; begins and ends with a slash.
  package var routePrefix = "/"
  /// The target of the redirect from `/` if the paths have a prefix; nil for the prefix.
  package var externalURL: String?
  /// Whether the web configuration file was usable when it was read last; nil without such a file.
  package var webFileIsUsable: (@Sendable () -> Bool)?
  /// The commit of this build; nil if unknown.
  package var commit: String?

  package init() {}
}

/// The timeout of a probe, by the rule of blackbox_exporter.
struct ScrapeTimeout {
  /// The header field in which Prometheus sends the timeout of a scrape, in seconds.
  static let field = "x-prometheus-scrape-timeout-seconds"
  /// The timeout of a scrape without the field.
  private static let usual = 120.0

  /// The seconds reserved for the response.
  let offset: Double

  /// The timeout of a probe.
  ///
  /// - Parameters:
  ///   - field: The value of the header field; nil or empty without one.
  ///   - module: The timeout of the module; nil for none.
  /// - Returns: The timeout, which is shorter than that of the scrape, so that a failure is still reported.
  /// - Throws: `InvalidInput` if the field is not a number.
  func timeout(field: String?, module: Duration?) throws(InvalidInput) -> Duration {
    var scrape = 0.0
    if let field, !field.isEmpty {
      guard let number = Double(field), number.isFinite else {
        throw InvalidInput("\(Excerpt(field)) is not a number of seconds")
      }
      scrape = number
    }
    if scrape == 0 { scrape = Self.usual }
    let maximum = scrape - offset
    let own = (module ?? .zero) / .seconds(1)
    let seconds = own < maximum && own > 0 || maximum < 0 ? own : maximum
    return .seconds(min(max(0, seconds), Self.upperBound))
  }

  /// The upper bound for unreasonable values, in seconds.
  private static let upperBound = 86_400.0
}

/// The URLs of the pipelines, which Prometheus discovers through http_sd_config.
struct DiscoveredTargets {
  /// A URL with its labels.
  private struct Group: Encodable {
    let targets: [String]
    let labels: [String: String]
  }

  private let groups: [Group]

  /// The URLs of these modules; modules other than pipelines have none.
  init(_ modules: [ExporterModule]) {
    groups = modules.sorted { $0.name < $1.name }.flatMap { module -> [Group] in
      guard case .pipeline(let pipeline) = module.probe else { return [] }
      return pipeline.plan.sets.flatMap { set in
        set.probes.map { Self.group($0, in: set.name, of: module.name) }
      }
    }
  }

  private static func group(_ probe: PlannedProbe, in set: String, of pipeline: String) -> Group {
    var labels = ["pipeline": pipeline, "set": set]
    if let name = probe.name { labels["name"] = name }
    for (key, value) in probe.labels { labels["label_\(key)"] = value }
    return Group(
      targets: [probe.url.safeURL],
      labels: Dictionary(uniqueKeysWithValues: labels.map { ("__meta_probekit_\($0.key)", $0.value) }))
  }

  /// The list as JSON.
  var text: String { (try? JSONLine.text(groups)) ?? "[]\n" }
}
