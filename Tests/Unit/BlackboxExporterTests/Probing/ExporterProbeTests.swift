import LoopbackServer
import ProbeCore
import Testing

@testable import BlackboxExporter

/// Probes that are requested over HTTP.
@Suite struct ExporterProbeTests {
  private static let timeoutField = "X-Prometheus-Scrape-Timeout-Seconds"

  @Test func theScrapeTimeoutEndsAProbe() async throws {
    let server = try LoopbackServer.holding()
    let exporter = try RunningExporter([try .http(timeout: .seconds(3600))])
    let response = try await exporter.probe(server.url(), fields: [Self.timeoutField: "1"])
    #expect(response.status == 200)
    #expect(response.contentType == "text/plain; version=0.0.4; charset=utf-8")
    let samples = response.samples
    #expect(samples["probe_success"] == 0)
    #expect(samples["probe_timeout_seconds"] == 0.5)
    #expect(samples["probe_duration_seconds"].map { (0.5..<3600).contains($0) } == true, "\(samples)")
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
        module.tls.checks.observesCertificates = true
      }
    ])
    let response = try await exporter.probe(server.hostAndPort, "&module=tls_connect&hostname=site.example")
    #expect(response.samples["probe_success"] == 1, "\(response.text)")
    #expect(server.serverNames == ["site.example"])
  }

  @Test func aTargetIsDecodedOnce() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let (host, port) = (server.address.host, server.port)
    let exporter = try RunningExporter([try .http()])
    let cases = [
      (server.url(), "/"), ("http%3A%2F%2F\(host)%3A\(port)%2Fa", "/a"), ("\(server.hostAndPort)/a", "/a"),
      (server.url("/list/v1%253Aall"), "/list/v1%3Aall"), (server.url("/a%252Fb"), "/a%2Fb"),
      (server.url("/a%2520b"), "/a%20b"), (server.url("/?q=a%2Bb"), "/?q=a+b"),
      (server.url("/?q=a%252Bb%2526c"), "/?q=a%2Bb%26c"), (server.url("/?share=100%25"), "/?share=100%"),
      (server.url("/%2525"), "/%25"),
    ]
    for (index, (target, _)) in cases.enumerated() {
      let response = try await exporter.probe(target, "&debug=true&module=http_2xx")
      #expect(response.status == 200)
      #expect(response.text.contains("probe_success 1\n"), "\(target): \(response.text)")
      // The log of a target is found by what is sent again.
      let log = try await exporter.response(to: "/logs?target=\(target)")
      #expect(log.status == 200 && log.text.contains("probe_success 1\n"), "\(index): \(log.text)")
    }
    #expect(server.requests.map { LoopbackRequest($0).target } == cases.map(\.1))
  }

  @Test(arguments: ["http", "tcp", "icmp", "dns"])
  func aTargetWithALeftEncodingIsNoHost(_ prober: String) async throws {
    var query = DNSModule()
    query.name = "name.example"
    let probes: [String: ExporterModule.Probe] = [
      "tcp": .tcp(TCPModule()), "icmp": .icmp(ICMPModule()), "dns": .dns(query), "http": .http(HTTPModule()),
    ]
    let exporter = try RunningExporter([
      ExporterModule(name: prober, prober: prober, probe: try #require(probes[prober]))
    ])
    let response = try await exporter.probe("127.0.0.1%253A9", "&module=\(prober)")
    #expect(
      response.samples.values(of: "reason", in: "probe_failure_info") == ["request.invalid"],
      "\(response.text)")
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
