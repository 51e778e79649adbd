import BundledPlugins
import ProbeCore
import ProbePipeline
import SourceDocuments
import TestSupport
import Testing
import TestTransports

/// Variables of pipeline files, besides those of `Files`.
@Suite struct VariableTests {
  private static func load(
    _ vars: String, request: String = "{}", url: String, values: [String: String] = [:]
  ) throws -> LoadedPipeline {
    let text = """
      version: 1
      name: p
      vars: \(vars)
      request: \(request)
      sets: [{ name: a, urls: ["\(url)"] }]
      """
    return PipelineLoader(try .bundled).load(path: "p.yaml", bytes: Array(text.utf8), values: values)
  }

  private static func request(
    _ loaded: LoadedPipeline, _ environment: [String: String] = [:]
  ) throws -> ProbeRequest {
    try loaded.plan(in: .environment(environment)).probes[0].request.get()
  }

  private static func findings(_ loaded: LoadedPipeline, _ environment: [String: String] = [:]) -> [String] {
    do throws(UnusablePipeline) {
      _ = try loaded.plan(in: .environment(environment))
      return []
    } catch {
      return error.findings.map(\.description)
    }
  }

  @Test func valuesComeFromTheFileTheEnvironmentAndTheCaller() throws {
    let vars = "{ A: a, B: { env: B }, C: c }"
    let url = "https://h.example/${vars.A}/${vars.B}/${vars.C}"
    let loaded = try Self.load(vars, url: url, values: ["C": "given", "OTHER": "x"])
    #expect(loaded.variables == ["A", "B", "C"])
    let plan = try loaded.plan(in: .environment(["B": "b"]))
    #expect(plan.probes[0].url == "https://h.example/a/b/given")
    #expect(try Self.request(loaded, ["B": "other"]).url.string == "https://h.example/a/other/given")
    // With a value, the environment is not needed.
    let given = try Self.load(vars, url: url, values: ["B": "1"])
    #expect(try Self.request(given).url.string == "https://h.example/a/1/c")
  }

  @Test func anUnsetVariableIsReportedAtItsLocation() throws {
    let loaded = try Self.load("{ HOST: { env: SHOP } }", url: "https://${vars.HOST}/")
    // The environment is not read without a plan.
    #expect(loaded.findings() == [])
    #expect(
      Self.findings(loaded) == [
        """
        p.yaml:3:15: the environment variable "SHOP" is not set: set it to the value, in one line, or use --set
          vars: { HOST: { env: SHOP } }
                        ^
        """
      ])
    #expect(Self.findings(loaded, ["SHOP": "h.example"]) == [])
  }

  /// A variable may stand for a host or a port before it is read, but its value can be invalid.
  @Test func environmentValuesAreValidated() throws {
    let loaded = try Self.load("{ PORT: { env: PORT } }", url: "https://h.example:${vars.PORT}/")
    #expect(loaded.findings() == [])
    #expect(try Self.request(loaded, ["PORT": "8443"]).url.string == "https://h.example:8443/")
    #expect(Self.findings(loaded, ["PORT": "x"]).first?.contains("\"x\" is not a port") == true)
    #expect(Self.findings(loaded, ["PORT": "1/x"]).first?.contains("no host of a URL") == true)
    #expect(Self.findings(loaded, ["PORT": "a\r\nb"]).first?.contains("control character") == true)
  }

  @Test(arguments: [
    "auth: { bearer: '${vars.A}' }", "proxy: { url: '${vars.A}' }", "method: '${vars.A}'",
  ])
  func anUnsupportedVariableIsOneError(_ request: String) throws {
    let key = request.prefix { $0 != ":" }
    let found = try Self.load("{ A: a }", request: "{ \(request) }", url: "https://h.example/").findings()
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.message == "\"\(key)\" has no variables")
    #expect(found.first?.severity == .error)
  }

  @Test func changesPersistWhenTheEnvironmentIsRead() throws {
    var loaded = try Self.load("{ A: { env: A } }", url: "https://h.example/${vars.A}")
    loaded.change { $0.name = "changed" }
    #expect(loaded.pipeline?.name == "changed")
    let plan = try loaded.plan(in: .environment(["A": "a"]))
    #expect(plan.name == "changed")
    #expect(plan.probes[0].url == "https://h.example/a")
  }

  /// Whatever the value, the URL keeps the scheme, host, port and parts that its author wrote.
  @Test func aValueCannotChangeOtherPartsOfAURL() throws {
    let values = [
      "http://evil.example", "//evil.example/", "@evil.example", ":1@evil.example/", "?a=b", "#", "&x=y",
      "a b", "\\evil.example", "é", "+", "=", "${vars.A}", "%41", "a..b", "...", "a/b/",
    ]
    for value in values {
      let templates = [
        "https://h.example:1/${vars.A}", "https://h.example:1/x${vars.A}?q", "https://h.example:1?${vars.A}",
        "https://h.example:1/?a=${vars.A}&b#${vars.A}",
      ]
      for template in templates {
        let loaded = try Self.load("{ A: '' }", url: template, values: ["A": value])
        let url = try Self.request(loaded).url
        #expect((url.scheme, url.host, url.port) == (.https, "h.example", 1), "\(value) in \(template)")
        #expect((url.query != nil) == template.contains("?"), "\(value) in \(template)")
        #expect(url.query?.contains("&x") != true)
      }
      let host = try Self.load("{ A: '' }", url: "https://${vars.A}.h.example/", values: ["A": value])
      guard ["é", "+", "=", "${vars.A}", "a..b", "..."].contains(value) else {
        #expect(Self.findings(host).first?.contains("which no host") == true, "\(value)")
        continue
      }
      if Self.findings(host).isEmpty {
        #expect(try Self.request(host).url.host.hasSuffix(".h.example"), "\(value)")
      }
    }
  }

  /// The value never names another folder, as any server may read it (RFC 3986 §5.2.4, and what is like it).
  @Test(arguments: [
    "..", ".", "../../x", "a/../b", "a/./b", "a/..", "..;", "..;x=1/b", "a/.;x", "..\\x", "a\\..\\b",
    "%2e%2e", "%2E.",
    "a/.%2e/b", "%252e%252e", "%25252e.", "..%2f", "..%5Cb", "%2e%2e%3bx", ".. ", " ..", "..%00", "%09..",
    "%25%32%65%25%32%65", "%%32%65%%32e", ".%25%32%65", "%c0%ae%c0%ae", "%u002e", "\u{FF0E}\u{FF0E}",
    "..\u{FF0F}x",
  ])
  func aValueNamesNoOtherFolder(_ value: String) throws {
    for template in [
      "https://h.example/${vars.A}", "https://h.example/x/${vars.A}/y?q#f", "http://h.example/${vars.A}",
    ] {
      let loaded = try Self.load("{ A: '' }", url: template, values: ["A": value])
      #expect(
        Self.findings(loaded).first?.contains("the value of A contains the path segment . or ..") == true,
        "\(template): \(Self.findings(loaded))")
    }
    // Elsewhere it is a text.
    for template in ["https://h.example/?q=${vars.A}", "https://h.example/#${vars.A}"] {
      #expect(Self.findings(try Self.load("{ A: '' }", url: template, values: ["A": value])) == [])
    }
    let field = "{ headers: { X: '${vars.A}' } }"
    #expect(
      Self.findings(
        try Self.load("{ A: '' }", request: field, url: "https://h.example/", values: ["A": value])) == [])
  }

  /// A part of a path counts as a whole: the value, and what the file has beside it.
  @Test(arguments: [
    ("https://h.example/.${vars.A}", ".", true), ("https://h.example/.${vars.A}", "", true),
    ("https://h.example/.${vars.A}", ";x", true), ("https://h.example/.${vars.A}", "well-known", false),
    ("https://h.example/${vars.A}${vars.A}", ".", true), ("https://h.example/${vars.A}.", "", true),
    ("https://h.example/%2e${vars.A}", "", true), ("https://h.example/../${vars.A}", "x", false),
    ("https://h.example/v${vars.A}.json", "1.", false), ("https://h.example/%2${vars.A}", "e", true),
    // The root of the domain name system.
    ("dns://192.0.2.1/${vars.A}?type=NS", ".", false),
  ])
  func partsOfAPathAreReadAsAWhole(_ url: String, _ value: String, _ isRefused: Bool) throws {
    let loaded = try Self.load("{ A: '' }", url: url, values: ["A": value])
    let findings = Self.findings(loaded).filter { $0.contains("path segment") }
    #expect(findings.isEmpty != isRefused, "\(findings)")
  }

  /// A whole path with slashes is a value like any other.
  @Test(arguments: [
    "a/b/c", "a/b/", "", "http://h.example/x", "/a", "a//b", "a;v=1", ".well-known/x", "..a", "a.", "…",
  ])
  func aValueCanBeAPath(_ value: String) throws {
    let loaded = try Self.load("{ A: '' }", url: "https://h.example/${vars.A}", values: ["A": value])
    #expect(Self.findings(loaded) == [])
  }

  @Test func errorsDoNotContainSecrets() throws {
    let vars = "{ T: { env: T, secret: true } }"
    let bad = try [
      Self.load(vars, request: "{ method: POST, headers: { 'A B${vars.T}': x } }", url: "https://h.example/"),
      Self.load(vars, url: "https://h.example:x/${vars.T}"),
      Self.load(vars, request: "{ dialog: [{ send: '${vars.T} \\q' }] }", url: "tcp://h.example:1"),
      Self.load(vars, url: "https://h.example/${vars.T}", values: ["T": "canary"]),
    ]
    for loaded in bad {
      let findings = Self.findings(loaded, ["T": "canary/7f3a9c"])
      #expect(!findings.isEmpty)
      #expect(!findings.joined().contains("canary"), "\(findings)")
    }
    #expect(
      Self.findings(bad[3]).first?.hasPrefix(
        "p.yaml:3:12: the variable T is secret, so its value cannot be given on the command line: set the environment variable \"T\""
      ) == true)
  }

  /// The server echoes the request.
  @Test func resultsDoNotContainSecrets() async throws {
    let transport = FakeTransport { request in
      let head = HTTPResponseHead(
        status: 404, fields: ["X-Echo": request.http.headers["A"] ?? "", "Location": request.url.string])
      return ProbeResponse(
        url: request.url, head: head, body: Array("\(request.url) \(request.http.userAgent)".utf8))
    }
    let loaded = try Self.load(
      "{ T: { env: T, secret: true }, P: public }", request: "{ headers: { A: '${vars.T}' } }",
      url: "https://h.example/${vars.P}/${vars.T}/x")
    let plan = try loaded.plan(in: .environment(["T": "canary/7f 3a9c"]))
    #expect(try plan.probes[0].request.get().url.string == "https://h.example/public/canary/7f%203a9c/x")
    let result = await PipelineRunner(try transport.registry).run(plan)
    var dumped = ""
    dump(result, to: &dumped)
    #expect(!dumped.contains("canary"))
    #expect(result.sets[0].probes[0].url == "https://h.example/public/${vars.T}/x")
    #expect(result.sets[0].probes[0].response?.url.string == "https://h.example/public/redacted/x")
  }

  /// One long value, inserted many times.
  @Test func insertedValuesAreBounded() throws {
    let text = """
      version: 1
      name: p
      vars: { A: \(String(repeating: "a", count: 60_000)) }
      request: { query: { q: [\(String(repeating: "\"${vars.A}${vars.A}\", ", count: 900))] } }
      sets: [{ name: a, urls: [https://h.example/] }]
      """
    let loaded = PipelineLoader(try .bundled).load(path: "p.yaml", bytes: Array(text.utf8))
    let findings = loaded.findings().map(\.message)
    #expect(findings.contains("the values of variables in this file are too long in all"))
  }
}
