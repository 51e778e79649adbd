import LoopbackServer
import ProbeCore
import Testing

@testable import ProbeExporter

/// Probes that are requested over HTTP.
@Suite struct ExporterProbeTests {
  private static let timeoutField = "X-Prometheus-Scrape-Timeout-Seconds"

  @Test func theScrapeTimeoutEndsAProbe() async throws {
    let server = try LoopbackServer.holding()
    let exporter = try RunningExporter([try .http(timeout: .seconds(10))])
    let response = try await exporter.probe(server.url(), fields: [Self.timeoutField: "1"])
    #expect(response.status == 200)
    #expect(response.contentType == "text/plain; version=0.0.4; charset=utf-8")
    let samples = response.samples
    #expect(samples["probe_success"] == 0)
    #expect(samples["probe_timeout_seconds"] == 0.5)
    #expect(samples["probe_duration_seconds"].map { (0.5..<10).contains($0) } == true, "\(samples)")
    #expect(
      samples.values(of: "reason", in: "probe_failure_info").first?.hasPrefix("timeout.") == true,
      "\(samples)")
  }

  @Test func everySampleHasATypeAndHelp() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let text = try await RunningExporter([try .http()]).probe(server.url()).text
    let names = Set(Samples(text).all.map(\.name))
    #expect(names.contains("probe_success"))
    for name in names {
      #expect(text.contains("# HELP \(name) "), "\(name)")
      #expect(text.contains("# TYPE \(name) gauge\n"), "\(name)")
    }
    let heads = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
    #expect(heads.count == names.count && heads == heads.sorted(), "\(heads)")
    #expect(text.contains("# HELP probe_success Displays whether or not the probe was a success\n"))
  }

  @Test func aFailureIsNotAnExporterError() async throws {
    let exporter = try RunningExporter([try .http()])
    let response = try await exporter.probe("127.0.0.1:\(try LoopbackServer.refusedPort())")
    #expect(response.status == 200)
    #expect(response.samples["probe_success"] == 0)
  }

  @Test func theDefaultModuleIsUsedWithoutAName() async throws {
    let server = try LoopbackServer.http { _ in .response(404) }
    let exporter = try RunningExporter([
      try .http(), try .http("missing") { $0.statusCodes = [404] },
    ])
    #expect(try await exporter.probe(server.url()).samples["probe_success"] == 0)
    #expect(try await exporter.probe(server.url(), "&module=").samples["probe_success"] == 0)
    #expect(try await exporter.probe(server.url(), "&module=missing").samples["probe_success"] == 1)
  }

  @Test func theHostCanBeSetByAParameter() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let exporter = try RunningExporter([
      try .http(), try .http("named") { $0.headers = ["Host": "site.example"] },
    ])
    let first = try await exporter.probe(server.url(), "&hostname=shop.example&debug=true")
    #expect(first.text.contains("probe_success 1\n"), "\(first.text)")
    let same = try await exporter.probe(server.url(), "&module=named&hostname=site.example")
    #expect(same.samples["probe_success"] == 1)
    let other = try await exporter.probe(server.url(), "&module=named&hostname=shop.example")
    #expect(other.status == 400)
    #expect(
      other.text
        == "host header defined both in module configuration (site.example) and with URL-parameter 'hostname' (shop.example)\n"
    )
    let hosts = server.requests.map { LoopbackRequest($0).header("Host") }
    #expect(hosts == ["shop.example", "site.example"])
  }

  @Test func theServerNameOfATCPModuleCanBeSetByAParameter() async throws {
    let server = try LoopbackServer(tls: try TestAuthority.server()) { try $0.send("hello\n") }
    let exporter = try RunningExporter([
      try .tcp("tls_connect") { module in
        module.usesTLS = true
        module.tls.observes = true
      }
    ])
    let response = try await exporter.probe(server.place, "&module=tls_connect&hostname=site.example")
    #expect(response.samples["probe_success"] == 1, "\(response.text)")
    #expect(server.serverNames == ["site.example"])
  }

  @Test func aTargetIsDecodedTwice() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let (host, port) = (server.address.host, server.port)
    let exporter = try RunningExporter([try .http()])
    let cases = [
      (server.url(), "/"), ("http://\(host)%253A\(port)", "/"),
      ("http://\(host):\(port)/list/v1%3Aall", "/list/v1:all"), ("http%3A%2F%2F\(host)%3A\(port)%2Fa", "/a"),
      ("http://\(host):\(port)/a%252Fb", "/a/b"),
    ]
    for (target, _) in cases {
      let response = try await exporter.probe(target, "&debug=true&module=http_2xx")
      #expect(response.status == 200)
      #expect(response.text.contains("probe_success 1\n"), "\(target): \(response.text)")
    }
    #expect(server.requests.map { LoopbackRequest($0).target } == cases.map(\.1))
  }

  @Test func aTargetThatCannotBeDecodedTwiceIsUsedAsIs() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let exporter = try RunningExporter([try .http()])
    let response = try await exporter.probe("\(server.place)/?share=100%25")
    #expect(response.status == 200)
    #expect(try await exporter.response(to: "/logs?id=0").text.contains("100%"), "\(response.text)")
  }

  @Test func aHEADResponseHasNoContent() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let exporter = try RunningExporter([try .http()])
    let response = try await exporter.response(to: "/probe?target=\(server.url())", method: "HEAD")
    #expect(response.status == 200 && response.text.isEmpty)
  }

  @Test func probesAndFailuresAreCountedByModule() async throws {
    let server = try LoopbackServer.http { request in .response(request.target == "/" ? 200 : 500) }
    let exporter = try RunningExporter([try .http()])
    for path in ["/", "/a", "/"] { _ = try await exporter.probe(server.url(path)) }
    for _ in 0..<2 { #expect(try await exporter.probe("a", "&module=none").status == 400) }
    let samples = try await exporter.response(to: "/metrics").samples
    #expect(samples["blackbox_module_unknown_total"] == 2)
    #expect(samples["probekit_module_probe_duration_seconds_count"] == 3)
    #expect(samples["probekit_module_failures_total"] == 1)
    #expect(
      samples.labels(of: "probekit_module_failures_total") == ["module": "http_2xx", "reason": "http.status"])
    #expect(samples["process_open_fds"].map { $0 > 0 } == true)
  }
}
