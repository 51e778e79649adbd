import BundledPlugins
import Foundation
import Glibc
import LoopbackServer
import ProbeCore
import TestRequirements
import TestSupport
import Testing

/// `probekit serve` as a process.
@Suite(.patience(minutes: 2)) struct ServeProcessTests {
  private static let modules = """
    modules:
      http_2xx: { prober: http, http: { preferred_ip_protocol: ip4 } }
    """
  private static var address: Regex<(Substring, Substring)> { /listening on (127\.0\.0\.1:\d+)\n/ }

  /// Starts it on a free port.
  private static func start(
    _ arguments: String, in folder: TemporaryFolder
  ) async throws -> (server: Spawned, address: String) {
    let command = "exec \"$0\" serve --web.listen-address 127.0.0.1:0 \(arguments)"
    let server = try Spawned("cd '\(folder.path)' && \(command)")
    try await server.waits { server.errors.contains(address) }
    return (server, String(try #require(server.errors.firstMatch(of: address)).output.1))
  }

  /// The status and the body of a response.
  private static func response(_ url: String, _ method: String = "GET") async throws -> (Int?, String) {
    var request = ProbeRequest(try ProbeURL(url))
    request.http.method = method
    request.timeout = .seconds(600)
    let prober = Prober(try PluginRegistry.bundled.transports, policy: .plaintextAllowed)
    let response = try await prober.probe(request)
    return (response.status, String(decoding: response.body, as: UTF8.self))
  }

  @Test func aConfigurationIsReloadedOnlyIfValid() async throws {
    let site = try LoopbackServer.http { _ in .response(200, body: "here") }
    let folder = try TemporaryFolder(["blackbox.yml": Self.modules])
    let (server, address) = try await Self.start("--config.file blackbox.yml", in: folder)
    let probe = "http://\(address)/probe?target=127.0.0.1:\(site.port)"
    let (status, metrics) = try await Self.response(probe)
    #expect(status == 200)
    #expect(metrics.contains("\nprobe_success 1\n"))

    try folder.write("blackbox.yml", "modules: { http_2xx: { prober: htp } }\n")
    let (refused, words) = try await Self.response("http://\(address)/-/reload", "POST")
    #expect(refused == 500)
    #expect(words.hasPrefix("failed to reload config: "))
    let unsuccessful = "blackbox_exporter_config_last_reload_successful 0\n"
    #expect(try await Self.response("http://\(address)/metrics").1.contains(unsuccessful))
    #expect(try await Self.response(probe).1.contains("\nprobe_success 1\n"))
    #expect(server.errors.contains("blackbox.yml:1:"))

    try folder.write("blackbox.yml", "modules: { other: { prober: tcp } }\n")
    server.send(SIGHUP)
    try await server.waits { server.errors.contains("the configuration was reloaded") }
    #expect(try await Self.response(probe) == (400, "Unknown module \"http_2xx\"\n"))
    server.send(SIGTERM)
    #expect(try await server.end().code == 0)
  }

  /// A web configuration file that is empty for a moment changes nothing, and a metric shows it.
  @Test func anEmptyWebConfigurationKeepsTheFormerOne() async throws {
    let users = "basic_auth_users: { ann: $2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW }\n"
    let folder = try TemporaryFolder(["blackbox.yml": Self.modules, "web.yml": users])
    let (server, address) = try await Self.start(
      "--config.file blackbox.yml --web.config.file web.yml", in: folder)
    func metrics(_ password: String?) async throws -> (Int?, String) {
      var request = ProbeRequest(try ProbeURL("http://\(address)/metrics"))
      request.timeout = .seconds(600)
      if let password { request.http.credentials = .basic(user: "ann", password: Secret(password)) }
      let prober = Prober(try PluginRegistry.bundled.transports, policy: .plaintextAllowed)
      let response = try await prober.probe(request)
      return (response.status, String(decoding: response.body, as: UTF8.self))
    }
    #expect(try await metrics("secret").1.contains("\nprobekit_web_config_last_reload_successful 1\n"))
    try folder.write("web.yml", "")
    #expect(try await metrics(nil).0 == 401)
    #expect(try await metrics("secret").1.contains("\nprobekit_web_config_last_reload_successful 0\n"))
    try await server.waits {
      server.errors.contains("web.yml: the previous configuration remains in effect\n")
    }
    try folder.write("web.yml", users)
    #expect(try await metrics(nil).0 == 401)
    #expect(try await metrics("secret").1.contains("\nprobekit_web_config_last_reload_successful 1\n"))
    server.send(SIGTERM)
    #expect(try await server.end().code == 0)
  }

  @Test func anEmptyWebConfigurationAtTheStartIsReported() async throws {
    let folder = try TemporaryFolder(["blackbox.yml": Self.modules, "web.yml": "# nothing yet\n"])
    let (server, _) = try await Self.start("--config.file blackbox.yml --web.config.file web.yml", in: folder)
    #expect(
      server.errors.contains("web.yml: the file is empty: neither TLS nor authentication is required\n"))
    server.send(SIGTERM)
    #expect(try await server.end().code == 0)
  }

  /// A reload that waits for a pipe delays no probe, no other request and not the end.
  @Test func aPipeWithoutAWriterDelaysNothing() async throws {
    let site = try LoopbackServer.http { _ in .response(200, body: "here") }
    let folder = try TemporaryFolder(["blackbox.yml": Self.modules])
    let (server, address) = try await Self.start("--config.file blackbox.yml", in: folder)
    try FileManager.default.removeItem(atPath: folder.path(of: "blackbox.yml"))
    try #require(unsafe mkfifo(folder.path(of: "blackbox.yml"), 0o600) == 0)
    server.send(SIGHUP)
    let path = folder.path(of: "blackbox.yml")
    var writer: Int32 = -1
    // Once the pipe can be opened for writing, the server waits for it.
    try await server.waits {
      writer = unsafe open(path, O_WRONLY | O_NONBLOCK)
      return writer >= 0
    }
    defer { close(writer) }
    await withTaskGroup(of: Void.self) { group in
      // More than the server has threads.
      for _ in 0..<16 { group.addTask { _ = try? await Self.response("http://\(address)/-/reload", "POST") } }
      group.addTask {
        for _ in 0..<8 {
          let probe = try? await Self.response("http://\(address)/probe?target=127.0.0.1:\(site.port)")
          #expect(probe?.1.contains("\nprobe_success 1\n") == true)
        }
        server.send(SIGTERM)
      }
    }
    #expect(try await server.end().code == 0)
  }

  @Test func aPipelineIsAModule() async throws {
    let site = try LoopbackServer.http { request in
      .response(request.target == "/missing" ? 404 : 200, body: "here")
    }
    let folder = try TemporaryFolder([
      "shop.yaml": """
      version: 1
      name: shop
      question: services
      policy: { https: optional }
      sets:
        - name: pages
          labels: { team: web }
          urls: [{ url: "http://127.0.0.1:\(site.port)/", name: home }]
      """,
      "broken.yaml": """
      version: 1
      name: broken
      question: services
      policy: { https: optional }
      sets: [{ name: pages, urls: ["http://127.0.0.1:\(site.port)/missing"] }]
      """,
    ])
    let (server, address) = try await Self.start("shop.yaml broken.yaml", in: folder)
    let (_, metrics) = try await Self.response("http://\(address)/probe?module=shop")
    #expect(metrics.contains("\nprobe_success 1\n"))
    #expect(metrics.contains("probekit_verdict{pipeline=\"shop\",verdict=\"healthy\"} 1\n"))
    #expect(metrics.contains("name=\"home\""))
    let (_, others) = try await Self.response("http://\(address)/probe?module=broken")
    #expect(others.contains("\nprobe_success 0\n"))
    #expect(others.contains("probe_failure_info{reason=\"http.status\"} 1\n"))
    let (_, targets) = try await Self.response("http://\(address)/sd")
    #expect(targets.contains("\"__meta_probekit_label_team\":\"web\""))
    #expect(targets.contains("\"targets\":[\"http://127.0.0.1:\(site.port)/\"]"))
    server.send(SIGTERM)
    #expect(try await server.end().code == 0)
  }

  @Test func filesAreChecked() async throws {
    let folder = try TemporaryFolder([
      "good.yml": Self.modules, "bad.yml": "modules: { a: { prober: http, htp: {} } }\n",
      "shop.yaml": "version: 1\nname: http_2xx\nsets: [{ name: a, urls: [https://shop.example/] }]\n",
    ])
    func check(_ arguments: String) async throws -> Spawned.End {
      try await Spawned("cd '\(folder.path)' && exec \"$0\" serve --config.check \(arguments)").end()
    }
    let good = try await check("--config.file=good.yml")
    #expect(good.code == 0 && good.errors == "probekit serve: the configuration can be used\n")
    let bad = try await check("--config.file=bad.yml")
    #expect(bad.code == 65)
    #expect(bad.errors.hasPrefix("bad.yml:1:31: "), "\(bad.errors)")
    let missing = try await check("--config.file=none.yml")
    #expect(missing.code == 65 && missing.errors.contains("none.yml"))
    let twice = try await check("--config.file=good.yml shop.yaml")
    #expect(twice.code == 65)
    #expect(twice.errors.contains("there is a module \"http_2xx\" already"), "\(twice.errors)")
  }

  /// Every flag of blackbox_exporter, as its parser accepts them.
  @Test(arguments: [
    "--config.file good.yml", "--timeout-offset=0.5", "--log.prober=info", "--log.prober debug",
    "--config.enable-auto-reload", "--no-config.enable-auto-reload", "--config.auto-reload-interval=30",
    "--history.limit=100", "--web.external-url=https://a.example/b", "--web.external-url=",
    "--web.route-prefix=/b", "--web.route-prefix=", "--web.systemd-socket", "--no-web.systemd-socket",
    "--web.listen-address=:9115", "--web.listen-address=:9115 --web.listen-address=127.0.0.1:0",
    "--web.config.file=", "--log.level=debug", "--log.level=info", "--log.level=warn", "--log.level=error",
    "--log.format=logfmt", "--log.format json",
  ])
  func blackboxExporterFlagsAreAccepted(_ arguments: String) async throws {
    let folder = try TemporaryFolder(["good.yml": Self.modules, "blackbox.yml": Self.modules])
    let end = try await Spawned("cd '\(folder.path)' && exec \"$0\" serve --config.check \(arguments)").end()
    #expect(end.code == 0, "\(end.errors)")
  }

  @Test func aBlackboxExporterCommandLineStarts() async throws {
    let folder = try TemporaryFolder(["blackbox.yml": Self.modules])
    let (server, address) = try await Self.start(
      "--config.file=blackbox.yml --log.level=warn --log.format=json --log.prober=debug --history.limit=10 "
        + "--timeout-offset=1 --web.route-prefix=/probes --web.external-url=https://mon.example/probes "
        + "--no-config.check", in: folder)
    let (status, text) = try await Self.response("http://\(address)/probes/-/healthy")
    #expect(status == 200 && text == "Healthy")
    #expect(try await Self.response("http://\(address)/").0 == 302)
    server.send(SIGTERM)
    #expect(try await server.end().code == 0)
  }

  @Test func theVersionIsPrinted() async throws {
    let end = try await Spawned("exec \"$0\" serve --version --config.file=none.yml").end()
    #expect(end.code == 0 && end.output.hasPrefix("probekit "), "\(end.output)\(end.errors)")
  }

  @Test(arguments: [
    ("--log.level trace", "--log.level"), ("--log.format xml", "--log.format"),
    ("--log.prober no", "--log.prober"),
    ("--web.listen-address nowhere", "--web.listen-address"), ("--timeout-offset x", "--timeout-offset"),
    ("--web.external-url '\"http://a/\"'", "--web.external-url"), ("--allow-target 'a b'", "--allow-target"),
    ("--allow-target ''", "--allow-target"), ("--deny-target '#a'", "--deny-target"),
    ("--deny-target 192.0.2.0/99", "--deny-target"), ("--history.limit -1", "--history.limit"),
  ])
  func anInvalidOptionIsNamed(_ arguments: String, _ name: String) async throws {
    let end = try await Spawned("exec \"$0\" serve \(arguments)").end()
    #expect(end.code == 64)
    #expect(end.errors.contains(name), "\(end.errors)")
  }
}
