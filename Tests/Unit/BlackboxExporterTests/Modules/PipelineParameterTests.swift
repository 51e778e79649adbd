import BundledPlugins
import LoopbackServer
import ProbeCore
import ProbePipeline
import TestRequirements
import Testing

@testable import BlackboxExporter

/// Pipelines with variables that a request sets.
@Suite struct PipelineParameterTests {
  /// A pipeline with a secret, which probes a server.
  private static func exporter(
    _ server: LoopbackServer, targets: String = "[127.0.0.2]", rules: TargetRules? = nil
  ) throws -> RunningExporter {
    let text = """
      version: 1
      name: shop
      question: services
      policy: { https: optional }
      vars: { HOST: "127.0.0.1:\(server.port)", PAGE: home, target: none, TOKEN: { env: T, secret: true } }
      params: [HOST, PAGE, target]
      targets: \(targets)
      request: { redirects: 3, auth: { bearer: { env: T } }, headers: { X-Target: "${vars.target}" } }
      sets: [{ name: pages, urls: ["http://${vars.HOST}/${vars.PAGE}"] }]
      """
    let loaded = PipelineLoader(try .bundled).load(path: "shop.yaml", bytes: Array(text.utf8))
    let pipeline = try ServedPipeline(loaded, in: .environment(["T": "secret-token"]))
    let module = ExporterModule(name: "shop", prober: "pipeline", probe: .pipeline(pipeline))
    return try RunningExporter([module], rules: rules ?? TargetRules(allowsPrivate: true))
  }

  private static func server() throws -> LoopbackServer {
    try LoopbackServer.http { request in
      guard request.target == "/leave" else { return .response() }
      return .response(302, reason: "Found", headers: [("Location", "http://127.0.0.3:1/")])
    }
  }

  private static func success(_ exporter: RunningExporter, _ query: String) async throws -> Double? {
    try await exporter.response(to: "/probe?module=shop\(query)").samples["probe_success"]
  }

  @Test func aRequestSetsVariables() async throws {
    let server = try Self.server()
    let exporter = try Self.exporter(server)
    // The third query repeats the second one.
    for query in [
      "", "&PAGE=a%20b%3Fc", "&PAGE=a%20b%3Fc", "&target=one%2Btwo%2520", "&debug=true&target=",
      "&target=a%2F%2Fb&PAGE=a%2F",
    ] {
      let response = try await exporter.response(to: "/probe?module=shop\(query)")
      #expect(
        response.status == 200 && response.text.contains("probe_success 1\n"), "\(query): \(response.text)")
    }
    let requests = server.requests.map { LoopbackRequest($0) }
    #expect(requests.map(\.target) == ["/home", "/a%20b%3Fc", "/a%20b%3Fc", "/home", "/home", "/a/"])
    #expect(requests.map { $0.header("X-Target") } == ["none", "none", "none", "one+two%20", "", "a//b"])
    #expect(requests.allSatisfy { $0.header("Authorization") == "Bearer secret-token" })
    let log = try await exporter.response(to: "/logs?id=1").text
    #expect(log.contains("PAGE is \"a b?c\"\n"), "\(log)")
    #expect(!log.contains("secret-token"))
  }

  @Test(arguments: [
    ("&X=1", "the pipeline \"shop\" has no parameter \"X\" (use HOST, PAGE or target)"),
    ("&TOKEN=1", "the pipeline \"shop\" has no parameter \"TOKEN\" (use HOST, PAGE or target)"),
    ("&hostname=a", "the pipeline \"shop\" has no parameter \"hostname\" (use HOST, PAGE or target)"),
    ("&PAGE=1&PAGE=1", "the parameter PAGE is given more than once"),
    ("&HOST=", "a parameter cannot be used: the URL has an empty host"),
    ("&HOST=a%2Fb", "a parameter cannot be used: the value of HOST contains \"/\""),
    ("&HOST=user%40a.example", "a parameter cannot be used: the value of HOST contains \"@\""),
    ("&HOST=a.example:99999", "a parameter cannot be used: "),
    ("&PAGE=a%0D%0AX", "a parameter cannot be used: the value of a variable has a control character"),
    ("&target=%24%7Bvars.TOKEN%7D", "a parameter cannot be used: the value of target has ${ in it"),
    ("&target=%24%7Bsteps.a.b%7D", "a parameter cannot be used: the value of target has ${ in it"),
    ("&PAGE=..%2Fadmin", "a parameter cannot be used: the value of PAGE contains the path segment . or .."),
    ("&PAGE=a%2F.%2Fb", "a parameter cannot be used: the value of PAGE contains the path segment . or .."),
    ("&PAGE=..%3B%2Fb", "a parameter cannot be used: the value of PAGE contains the path segment . or .."),
    ("&PAGE=a%5C..%5Cb", "a parameter cannot be used: the value of PAGE contains the path segment . or .."),
    (
      "&PAGE=%252e%252E%2Fb",
      "a parameter cannot be used: the value of PAGE contains the path segment . or .."
    ),
    ("&PAGE=%25252e.", "a parameter cannot be used: the value of PAGE contains the path segment . or .."),
    (
      "&target=..%2Fadmin",
      "a parameter cannot be used: the value of target contains the path segment . or .."
    ),
    (
      "&PAGE=%2Fadmin",
      "a parameter cannot be used: with the value of PAGE, a part of the URL's path is empty"
    ),
    (
      "&PAGE=a%2F%2Fb",
      "a parameter cannot be used: with the value of PAGE, a part of the URL's path is empty"
    ),
    (
      "&PAGE=a%5C%2Fb",
      "a parameter cannot be used: with the value of PAGE, a part of the URL's path is empty"
    ),
    (
      "&PAGE=http%3A%2F%2Fb",
      "a parameter cannot be used: with the value of PAGE, a part of the URL's path is empty"
    ),
  ])
  func invalidParametersAreRejected(_ query: String, _ words: String) async throws {
    let server = try Self.server()
    let response = try await Self.exporter(server).response(to: "/probe?module=shop\(query)")
    #expect(response.status == 400)
    #expect(response.text.hasPrefix(words), "\(response.text)")
    #expect(!response.text.contains("secret-token") && server.requests.isEmpty)
  }

  /// The host that a request chooses, the targets of the file, and whether it is probed.
  @Test(arguments: [
    ("127.0.0.1", "[127.0.0.1]", true), ("127.0.0.1", "[127.0.0.0/31]", true),
    ("127.0.0.1", "[a.example, 127.0.0.4]", false), ("localhost", "[localhost]", true),
    ("localhost", "[127.0.0.0/8]", true), ("localhost", "['*.localhost', 192.0.2.1]", false),
  ])
  func aHostChosenByARequestMustBeATarget(_ host: String, _ targets: String, _ isProbed: Bool) async throws {
    // A different port of the host in the file is a different destination, too.
    let (server, other) = (try Self.server(), try Self.server())
    let exporter = try Self.exporter(server, targets: targets)
    #expect(try await Self.success(exporter, "&PAGE=own") == 1)
    let samples = try await exporter.response(to: "/probe?module=shop&HOST=\(host):\(other.port)").samples
    #expect(samples["probe_success"] == (isProbed ? 1 : 0))
    let reason = samples.values(of: "reason", in: "probe_failure_info")
    #expect(reason == (isProbed ? [] : ["policy.address"]))
    #expect(other.requests.count == (isProbed ? 1 : 0))
    #expect(server.requests.count == 1)
  }

  @Test func theRulesOfTheServerAlsoApply() async throws {
    let server = try Self.server()
    var rules = TargetRules(allowsPrivate: true)
    rules.exclusions = try ExclusionList(Array("127.0.0.2".utf8))
    let exporter = try Self.exporter(server, rules: rules)
    let samples = try await exporter.response(to: "/probe?module=shop&HOST=127.0.0.2:\(server.port)").samples
    #expect(samples.values(of: "reason", in: "probe_failure_info") == ["policy.address"])
    #expect(try await Self.success(exporter, "&PAGE=a") == 1)
  }

  @Test func redirectsWithParametersStayWithinTheTargets() async throws {
    let server = try Self.server()
    let exporter = try Self.exporter(server)
    let samples = try await exporter.response(to: "/probe?module=shop&PAGE=leave").samples
    #expect(samples.values(of: "reason", in: "probe_failure_info") == ["policy.address"])
    #expect(server.requests.count == 1)
  }

  @Test(.heavy) func theNumberOfKeptPlansIsLimited() throws {
    let text = """
      version: 1
      name: p
      vars: { A: "1" }
      params: [A]
      sets: [{ name: a, urls: ["https://a.example/${vars.A}"] }]
      """
    let loaded = PipelineLoader(try .bundled).load(path: "p.yaml", bytes: Array(text.utf8))
    let pipeline = try ServedPipeline(loaded, in: .environment([:]))
    let first = try pipeline.setting(["A": "first"])
    #expect(try pipeline.setting(["A": "first"]) == first)
    for number in 0..<ServedPipeline.maximumProbes { _ = try pipeline.setting(["A": "\(number)"]) }
    #expect(try pipeline.setting(["A": "first"]) != first)
    #expect(pipeline.keptPlans <= ServedPipeline.maximumProbes)
    #expect(try pipeline.setting([:]) == pipeline)
  }
}
