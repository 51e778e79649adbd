import BundledPlugins
import ProbeCore
import ProbePipeline
import SourceDocuments
import Testing

/// The keys `params` and `targets`.
@Suite struct RequestParameterTests {
  private static let start = """
    version: 1
    name: p
    vars: { HOST: a.example, PAGE: home, KEY: { env: KEY, secret: true }, module: m }

    """

  private static func load(
    _ keys: String, url: String = "https://${vars.HOST}/${vars.PAGE}"
  ) throws -> LoadedPipeline {
    let text = start + keys + "\nsets: [{ name: a, urls: [\"\(url)\"] }]\n"
    return PipelineLoader(try .bundled).load(path: "p.yaml", bytes: Array(text.utf8))
  }

  private static let forms = "write it as example.com, *.example.com, 192.0.2.1 or 2001:db8::/32"

  /// Keys, and the location and message of each finding.
  @Test(
    arguments: [
      (
        "params: [PAGE]",
        [
          "4:9 the pipeline has credentials or secrets, so it needs targets to be served: "
            + "name the hosts that may be requested, as in targets: [example.com]"
        ]
      ),
      ("params: [PAGE]\ntargets: [a.example]", []),
      ("params: [HOST, PAGE]\ntargets: [a.example, '*.b.example', 192.0.2.0/24, '2001:db8::1']", []),
      ("params: []", ["4:9 params is an empty list: give it at least one item"]),
      (
        "params: HOST",
        ["4:9 params must be a list, not a text: write its items in lines that start with \"- \""]
      ),
      ("params: [HOTS]", ["4:10 there is no variable \"HOTS\" in vars: did you mean HOST?"]),
      (
        "params: [zzzzzzz]",
        [
          "4:10 there is no variable \"zzzzzzz\" in vars: add it to vars, with the value of requests that do not set it"
        ]
      ),
      (
        "params: [PAGE, KEY]\ntargets: [a.example]",
        ["4:16 the variable KEY is secret, so requests cannot set it: remove it from params"]
      ),
      (
        "params: [module]",
        ["4:10 requests use module for another purpose: give the variable another name"]
      ),
      (
        "params: [PAGE, PAGE]\ntargets: [a.example]",
        ["4:16 PAGE is in params more than once: remove it here"]
      ),
      (
        "params: [PAGE]\ntargets: [a.example, 'https://b.example']",
        ["5:22 \"https://b.example\" is a URL: write its host alone"]
      ),
      (
        "params: [PAGE]\ntargets: ['']",
        ["5:11 \"\" is no host, address or block: " + forms]
      ),
      (
        "params: [PAGE]\ntargets: ['#a']",
        ["5:11 \"#a\" is no host, address or block: " + forms]
      ),
    ] as [(String, [String])])
  func errorsAreReportedAtTheirLocation(_ keys: String, _ expected: [String]) throws {
    let found = try Self.load(keys).findings().map {
      "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message)\($0.remedy.map { ": \($0)" } ?? "")"
    }
    #expect(found == expected)
  }

  /// Requests, and whether they contain credentials.
  @Test(
    arguments: [
      ("request: { auth: { bearer: { env: T } } }", true),
      ("request: { headers: { X: { env: T } } }", true),
      ("request: { headers: { X: \"${vars.KEY}\" } }", true),
      ("request: { query: { key: \"${vars.KEY}\" } }", true),
      ("request: { headers: { Cookie: a=b } }", true),
      ("request: { headers: { X: public } }", false),
    ] as [(String, Bool)])
  func servedCredentialsRequireTargets(_ request: String, _ isNeeded: Bool) throws {
    func load(_ keys: String) throws -> LoadedPipeline {
      let hasKey = request.contains("KEY")
      let vars = "vars: { PAGE: \"1\"\(hasKey ? ", KEY: { env: KEY, secret: true }" : "") }"
      let text =
        "version: 1\nname: p\n\(vars)\n\(keys)\n\(request)\nsets: [{ name: a, urls: [\"https://a.example/\"] }]\n"
      return PipelineLoader(try .bundled).load(path: "p.yaml", bytes: Array(text.utf8))
    }
    func lines(_ findings: [SourceFinding]) -> [Int?] {
      findings.filter { $0.message.contains("needs targets to be served") }.map { $0.location?.line }
    }
    func refusal(_ pipeline: LoadedPipeline) -> [Int?] {
      do throws(UnusablePipeline) {
        _ = try pipeline.servedPlan(in: .environment(["T": "token", "KEY": "key-of-the-shop"]))
        return []
      } catch {
        return lines(error.findings)
      }
    }
    let (plain, served) = (try load(""), try load("params: [PAGE]"))
    #expect(refusal(plain) == (isNeeded ? [1] : []))
    #expect(refusal(served) == (isNeeded ? [4] : []))
    // Only the key `params` indicates that a file is to be served.
    #expect(lines(served.findings()) == (isNeeded ? [4] : []))
    #expect(plain.findings() == [])
    #expect(lines(try load("params: [PAGE]\ntargets: [a.example]").findings()) == [])
    #expect(refusal(try load("targets: [a.example]")) == [])
  }

  @Test func aClientCertificateIsACredential() throws {
    let text =
      "version: 1\nname: p\nvars: { A: b }\nparams: [A]\nrequest: { clientCertificate: c.pem }\n"
      + "sets: [{ name: a, urls: [\"https://a.example/\"] }]\n"
    let findings = PipelineLoader(try .bundled).load(path: "p.yaml", bytes: Array(text.utf8)).findings()
    #expect(
      findings.map(\.message) == ["the pipeline has credentials or secrets, so it needs targets to be served"]
    )
  }

  /// Otherwise the sender of the parameters would choose the destination of a program's connections.
  @Test(arguments: [
    (
      "params: [A]",
      [
        "the pipeline has params and a check or a transport in another process, to whose connections neither targets nor "
          + "the rules of the server apply"
      ]
    ),
    (
      "params: [A]\ntargets: [a.example]",
      [
        "the pipeline has params and a check or a transport in another process, to whose connections neither targets nor "
          + "the rules of the server apply"
      ]
    ),
    ("targets: [a.example]", []), ("", []),
  ])
  func parametersAreNotAllowedWithChecks(_ keys: String, _ messages: [String]) throws {
    let text =
      "version: 1\nname: p\nvars: { A: b }\n\(keys)\nsets: [{ name: a, urls: [{ check: [check_ssh] }] }]\n"
    let loaded = PipelineLoader(try .bundled).load(path: "p.yaml", bytes: Array(text.utf8))
    #expect(loaded.findings().map(\.message) == messages)
    do throws(UnusablePipeline) {
      let host = FakeHost { _ in .none(.pluginFailed, "there is no plugin") }
      _ = try loaded.servedPlan(in: RequestContext.withoutSecrets.allowingPrograms(host))
      #expect(messages.isEmpty)
    } catch {
      #expect(error.findings.map(\.message) == messages)
    }
  }

  @Test func parametersAreNotAllowedWithExternalTransports() throws {
    func messages(_ keys: String) throws -> [String] {
      let text =
        "version: 1\nname: p\npolicy: { https: optional }\nvars: { A: b }\n\(keys)\n"
        + "plugins: [{ name: redis, command: [x], kind: transport }]\nsets: [{ name: a, urls: [redis://a.example/] }]\n"
      return PipelineLoader(try .bundled).load(path: "p.yaml", bytes: Array(text.utf8)).findings().map(
        \.message)
    }
    #expect(try messages("params: [A]").count == 1)
    #expect(try messages("").isEmpty)
  }

  @Test func parametersNeedVariables() throws {
    let loader = PipelineLoader(try .bundled)
    let text = "version: 1\nname: p\nparams: [A]\nsets: [{ name: a, urls: [\"https://a.example/\"] }]\n"
    let findings = loader.load(path: "p.yaml", bytes: Array(text.utf8)).findings()
    #expect(findings.map(\.message) == ["there is no variable \"A\" in vars"])
  }

  @Test func requestValuesReplaceVariables() throws {
    let good = try Self.load("params: [HOST, PAGE]\ntargets: [a.example]")
    #expect(good.parameters.names == ["HOST", "PAGE"])
    func url(_ values: [String: String]) throws -> String {
      try good.replacingVariables(with: values).plan(in: .environment(["KEY": "k"])).probes[0].url
    }
    #expect(try url([:]) == "https://a.example/home")
    #expect(try url(["PAGE": "a b"]) == "https://a.example/a%20b")
    #expect(try url(["HOST": "b.example:99"]) == "https://b.example:99/home")
    #expect(throws: UnusablePipeline.self) { try url(["HOST": "b.example/x"]) }
    // The pipeline itself keeps its values.
    #expect(try good.plan(in: .environment(["KEY": "k"])).probes[0].url == "https://a.example/home")
  }
}
