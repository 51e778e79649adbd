import LoopbackServer
import ProbeCore
import ProbeBase
import Testing

@testable import BlackboxExporter

/// The paths of the exporter, and the texts of its error responses.
@Suite struct ExporterPathTests {
  /// A request, and the response to it.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var method = "GET"
    var timeout: String?
    let status: Int
    let text: String

    init(_ path: String, method: String = "GET", timeout: String? = nil, _ status: Int, _ text: String) {
      (testDescription, self.method, self.timeout) = (path, method, timeout)
      (self.status, self.text) = (status, text)
    }
  }

  @Test(arguments: [
    Refusal("/probe", 400, "Target parameter is missing"),
    Refusal("/probe?target=", 400, "Target parameter is missing"),
    Refusal("/probe?module=none", 400, #"Unknown module "none""#),
    Refusal("/probe?module=none&target=a.example", 400, #"Unknown module "none""#),
    // The order of the checks: module, timeout, target, prober.
    Refusal("/probe?module=none", timeout: "soon", 400, #"Unknown module "none""#),
    Refusal(
      "/probe", timeout: "soon", 500,
      #"Failed to parse timeout from Prometheus header: "soon" is not a number of seconds"#),
    Refusal("/probe?module=calls", 400, "Target parameter is missing"),
    Refusal("/probe?module=calls&target=a.example", 400, "the prober grpc is not supported"),
    Refusal(
      "/probe?module=named&target=a.example&hostname=c.example", 400,
      "host header defined both in module configuration (b.example) and with URL-parameter 'hostname' (c.example)"
    ),
    Refusal("/logs", 400, "Probe id or target must be defined as http query parameters"),
    Refusal("/logs?id=first", 400, "Probe id or target must be defined as http query parameters"),
    Refusal("/logs?module=named", 400, "Probe id or target must be defined as http query parameters"),
    Refusal("/logs?id=0&target=a.example", 400, "Probe id and target can't be defined at the same time"),
    Refusal(
      "/logs?id=0&module=named", 400,
      "Probe module filter only works in conjunction with target parameter"),
    Refusal("/logs?id=7", 404, "Probe id not found"),
    Refusal("/logs?target=a.example", 404, "Probe target not found"),
    Refusal("/logs?target=a.example&module=named", 404, "Probe target not found"),
    Refusal("/-/reload", 405, "This endpoint requires a POST request."),
    Refusal("/-/reload", method: "HEAD", 405, ""),
    Refusal("/-/reload", method: "PUT", 405, "This endpoint requires a POST request."),
    Refusal("/-/reload", method: "DELETE", 405, "This endpoint requires a POST request."),
    Refusal("/-/reload", method: "POST", 500, "failed to reload config: there is no file"),
    Refusal("/elsewhere", 404, #"there is no "/elsewhere""#),
    Refusal("/probe", method: "DELETE", 405, #"the method "DELETE" is not supported here: use GET"#),
  ])
  func invalidRequestsAreRejectedWithAReason(_ given: Refusal) async throws {
    let exporter = try RunningExporter([
      try .http(), try .http("named") { $0.headers = ["Host": "b.example"] },
      ExporterModule(
        name: "calls", prober: "grpc", probe: .unsupported("the prober grpc is not supported")),
    ])
    let fields: HeaderFields = given.timeout.map { ["X-Prometheus-Scrape-Timeout-Seconds": $0] } ?? [:]
    let response = try await exporter.response(
      to: given.testDescription, method: given.method, fields: fields)
    #expect(response.status == given.status)
    #expect(response.text == (given.text.isEmpty ? "" : given.text + "\n"))
    // Nothing was probed.
    #expect(try await exporter.response(to: "/logs?id=0").status == 404)
  }

  @Test func theHealthCheckSucceeds() async throws {
    let response = try await RunningExporter([]).response(to: "/-/healthy")
    #expect(response.status == 200 && response.text == "Healthy")
  }

  @Test func theConfigurationIsShown() async throws {
    let response = try await RunningExporter([], text: "modules: {}\n").response(to: "/config")
    #expect(response.status == 200 && response.text == "modules: {}\n")
    #expect(response.contentType == "text/plain; charset=utf-8")
  }

  @Test func aFailedReloadKeepsTheOldConfiguration() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let next = Guarded<Result<ExporterConfiguration, InvalidInput>>(.failure(InvalidInput("line 3: no")))
    let exporter = try RunningExporter([try .http("first")], text: "first") { next.withLock { $0 } }
    func state() async throws -> (successful: Double?, time: Double?) {
      let samples = try await exporter.response(to: "/metrics").samples
      let prefix = "blackbox_exporter_config_last_reload_success"
      return (samples["\(prefix)ful"], samples["\(prefix)_timestamp_seconds"])
    }
    let before = try await state()
    #expect(before.successful == 1)
    let failure = try await exporter.response(to: "/-/reload", method: "POST")
    #expect(failure.status == 500 && failure.text == "failed to reload config: line 3: no\n")
    #expect(try await exporter.probe(server.url(), "&module=first").samples["probe_success"] == 1)
    #expect(try await exporter.response(to: "/config").text == "first")
    let failed = try await state()
    #expect(failed.successful == 0 && failed.time == before.time)

    let second = RunningExporter.configuration([try .http("second")], text: "second")
    next.withLock { $0 = .success(second) }
    let success = try await exporter.response(to: "/-/reload", method: "POST")
    #expect(success.status == 200 && success.text.isEmpty)
    #expect(try await exporter.probe(server.url(), "&module=first").status == 400)
    #expect(try await exporter.probe(server.url(), "&module=second").samples["probe_success"] == 1)
    #expect(try await exporter.response(to: "/config").text == "second")
    let after = try await state()
    #expect(after.successful == 1)
    #expect(try #require(after.time) > (try #require(before.time)))
  }

  @Test func logsAreFoundByIDAndByTarget() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let exporter = try RunningExporter([
      try .http(text: "prober: http\n"), try .http("other") { $0.statusCodes = [404] },
    ])
    let target = server.url("/a")
    let debug = try await exporter.probe(target, "&debug=true")
    #expect(debug.contentType == "text/plain; charset=utf-8")
    _ = try await exporter.probe(target, "&module=other")
    let parts = [
      "Logs for the probe:\n", "\n\n\nMetrics that would have been returned:\n", "probe_success 1\n",
      "\n\n\nModule configuration:\nprober: http\n",
    ]
    for part in parts { #expect(debug.text.contains(part), "\(debug.text)") }
    #expect(try await exporter.response(to: "/logs?id=0").text == debug.text)
    #expect(
      try await exporter.response(to: "/logs?target=\(target)&module=http_2xx").text == debug.text)
    let latest = try await exporter.response(to: "/logs?target=\(target)").text
    #expect(latest.contains("probe_success 0\n"), "\(latest)")
    #expect(try await exporter.response(to: "/logs?target=\(target)&module=none").status == 404)
  }

  @Test func thePageListsProbesWithEscapedTargets() async throws {
    let exporter = try RunningExporter([try .http()])
    _ = try await exporter.probe("%3Cscript%3Ealert('1')%3C/script%3E")
    let page = try await exporter.response(to: "/")
    #expect(page.status == 200 && page.contentType == "text/html; charset=utf-8")
    #expect(page.text.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"), "\(page.text)")
    #expect(!page.text.contains("<script>"))
    #expect(page.text.contains("href=\"logs?id=0\"") && page.text.contains("request.invalid"))
  }

  @Test func allPathsHaveThePrefix() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    var settings = ExporterSettings()
    settings.routePrefix = "/a/b/"
    let exporter = try RunningExporter([try .http()], settings: settings)
    for path in ["/a/b/", "/a/b/metrics", "/a/b/-/healthy", "/a/b/config"] {
      #expect(try await exporter.response(to: path).status == 200, "\(path)")
    }
    let response = try await exporter.response(to: "/a/b/probe?target=\(server.url())")
    #expect(response.samples["probe_success"] == 1)
    for path in ["/metrics", "/a/metrics", "/b/metrics", "/probe?target=\(server.url())"] {
      #expect(try await exporter.response(to: path).status == 404, "\(path)")
    }
  }

  @Test(
    arguments: [(nil, "/a/b/"), ("https://mon.example/a/b", "https://mon.example/a/b")] as [(String?, String)]
  )
  func theRootRedirectsToThePrefix(_ externalURL: String?, _ location: String) async throws {
    var settings = ExporterSettings()
    (settings.routePrefix, settings.externalURL) = ("/a/b/", externalURL)
    let exporter = try RunningExporter([], settings: settings)
    let response = try await exporter.response(to: "/")
    #expect(response.status == 302 && response.location == location)
    #expect(try await exporter.response(to: "/", method: "POST").status == 405)
    #expect(try await exporter.response(to: "/a").status == 404)
    #expect(try await RunningExporter([]).response(to: "/").status == 200)
  }

  @Test func otherHostNamesAreRejectedOnLoopback() async throws {
    let exporter = try RunningExporter([try .http()])
    for path in ["/metrics", "/probe?target=127.0.0.1", "/config"] {
      #expect(
        try await exporter.response(to: path, fields: ["Host": "rebound.example"]).status == 421, "\(path)")
    }
  }
}
