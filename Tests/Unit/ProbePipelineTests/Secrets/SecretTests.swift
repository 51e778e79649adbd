import BundledPlugins
import Dispatch
import FoundationEssentials
import PortalAnalysis
import ProbeCore
import ProbePipeline
import TestSupport
import Testing
import TestTransports

/// Secrets that are read from files, and kept out of results.
@Suite struct PipelineSecretTests {
  private static let canary = "canary-7f3a9c"

  @Test func filesAndTheEnvironmentAreRead() throws {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "probekit-secret-\(UInt64.random(in: 0 ... .max))")
    try Data("\(Self.canary)\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try SecretSource.file(file.path).secret() == Secret(Self.canary))
    let given = try SecretSource.environment("TOKEN").secret(environment: ["TOKEN": Self.canary])
    #expect(given == Secret(Self.canary))
    #expect(try SecretSource.environment("PATH").secret().withText(\.isEmpty) == false)
  }

  @Test(arguments: [
    ("/nonexistent/secret", "the file \"/nonexistent/secret\" cannot be read: no such file or directory"),
    ("/", "the file \"/\" cannot be read: is a directory"),
    ("", "the file \"\" cannot be read: the path cannot be used"),
    ("/dev/null", "the file \"/dev/null\" is empty: put the secret there"),
    (
      "/dev/zero",
      "the file \"/dev/zero\" is larger than 65536 bytes: name the file that contains only the secret"
    ),
  ])
  func unusableFilesAreReported(_ path: String, _ words: String) {
    let error = #expect(throws: InvalidInput.self) { try SecretSource.file(path).secret() }
    #expect(error?.description == words)
  }

  @Test func anUnsetVariableIsReported() {
    let error = #expect(throws: InvalidInput.self) {
      try SecretSource.environment("PROBEKIT_NO_SUCH_VARIABLE").secret()
    }
    #expect(error?.message == "the environment variable \"PROBEKIT_NO_SUCH_VARIABLE\" is not set")
  }

  private static func request(_ url: String) throws -> ProbeRequest {
    var request = ProbeRequest(try ProbeURL(url))
    request.http.credentials = .bearer(Secret(canary))
    return request
  }

  @Test func judgingALongEchoDoesNotBlockTheConnectionThread() async throws {
    let thread = OwnThread()
    let somebodyElse = DispatchSemaphore(value: 0)
    let transport = FakeTransport(executors: [thread]) { request in
      Task(executorPreference: thread) { somebodyElse.signal() }
      return try fakeResponse(request.url.string, body: String(repeating: "\(Self.canary) ", count: 2000))
    }
    let validator = ClosureValidator { _ in
      // Meanwhile, the connection's thread runs another task.
      guard somebodyElse.wait(timeout: .now() + .seconds(20)) == .success else { return .accepted }
      somebodyElse.signal()
      return .rejected(expected: "ok", found: "an echo")
    }
    let url = "http://h.test/"
    let plan = try ProbePlan(
      name: "test", policy: .plaintextAllowed,
      sets: [
        PlannedSet(
          name: "a", probes: [PlannedProbe(url: url, request: try Self.request(url), validator: validator)])
      ])
    let result = await PipelineRunner(try transport.registry).run(plan) { _, probe in
      #expect(probe.response?.body == Array(String(repeating: "<redacted> ", count: 2000).utf8))
    }
    #expect(result.sets[0].accepted == 0)
  }

  /// Bodies that quote the entire secret, one at a position where an excerpt would truncate it.
  @Test(arguments: [
    "\(canary)", String(repeating: "x", count: 53) + canary, "<a href='/?\(canary)'>log in</a>",
  ])
  func echoedSecretsAreNotReported(_ body: String) async throws {
    let transport = FakeTransport { request in
      try fakeResponse(
        request.url.string, request.url.path == "/moved" ? 302 : 200,
        fields: ["Location": "http://portal.test/?\(Self.canary)", "X-Echo": Self.canary], body: body)
    }
    let validators: [any ResponseValidator] = [
      BodyIs(text: "ok"),
      ClosureValidator { response in
        String(decoding: response.body, as: UTF8.self).contains(Self.canary)
          ? .accepted : .rejected(expected: "an echo", found: "none")
      },
      ClosureValidator { response in
        .rejected(.bodyMismatch, expected: "ok", foundBytes: response.body[...])
      },
    ]
    let probes = try validators.flatMap { validator in
      try ["http://h.test/", "http://h.test/moved"].map { url in
        PlannedProbe(url: url, request: try Self.request(url), validator: validator)
      }
    }
    let plan = try ProbePlan(
      name: "test", policy: .plaintextAllowed, sets: [PlannedSet(name: "a", probes: probes)])
    #expect(!String(reflecting: plan).contains(Self.canary))
    let result = await PipelineRunner(try transport.registry).run(plan) { _, probe in
      #expect(!String(reflecting: probe).contains("canary"))
      let body = probe.response?.body ?? []
      #expect(!String(decoding: body, as: UTF8.self).contains("canary"))
    }
    var dumped = ""
    dump(result, to: &dumped)
    #expect(!dumped.contains("canary"))
    // The unredacted response is judged.
    #expect(result.sets[0].probes[2].outcome == .accepted)
    #expect(result.sets[0].probes[0].detail?.isEmpty == false)
    #expect(result.portal?.loginURL.string == "http://portal.test/?redacted")
  }

  /// Secrets in a query, in a header field and in a body, which the server sends back.
  @Test func echoedRequestSecretsAreNotReported() async throws {
    let transport = FakeTransport { request in
      let fields = request.http.headers.map { "\($0.name): \($0.value)" }.joined()
      return try fakeResponse(
        request.url.string, 404,
        fields: ["X-Echo": fields, "Location": "http://g.test/?from=\(request.url)"],
        body: String(decoding: request.http.body ?? [], as: UTF8.self))
    }
    let text = """
      { "version": 1, "name": "p", "policy": { "https": "optional" },
        "request": { "query": { "a": { "env": "A" } }, "headers": { "X-B": { "env": "B" } } },
        "sets": [{ "name": "s", "request": { "body": { "env": "C" } }, "urls": ["http://h.test/?public"] }] }
      """
    var plugins = try PluginRegistry.bundled
    plugins.transports = try transport.registry
    let loaded = PipelineLoader(try .bundled).load(path: "p.json", bytes: Array(text.utf8))
    let secrets = ["A": "canary/a b", "B": "canary-b", "C": "canary=c"]
    let plan = try loaded.plan(in: .environment(secrets))
    let request = try plan.probes[0].request.get()
    #expect(request.url.string == "http://h.test/?public&a=canary%2Fa%20b")
    #expect(request.http.headers["X-B"] == "canary-b")
    let result = await PipelineRunner(plugins.transports).run(plan)
    var dumped = ""
    dump(result, to: &dumped)
    #expect(!dumped.contains("canary"))
    #expect(result.sets[0].probes[0].url == "http://h.test/?public")
    #expect(result.sets[0].probes[0].response?.url.string == "http://h.test/?public&a=redacted")
  }

  /// Pages in which the secret appears only after parsing; it may belong to another probe.
  @Test(arguments: [true, false])
  func secretsInAnalysisResultsAreNotReported(_ isFromAnotherProbe: Bool) async throws {
    let glued = Self.canary.map { "'\($0)'" }.joined(separator: " + ")
    let references = Self.canary.unicodeScalars.map { "&#\($0.value);" }.joined()
    let pages = [
      "/a": "<script>location = 'http://portal.test/?' + \(glued)</script>",
      "/b": "<script>location = 'http://' + \(glued) + '.test/'</script>",
      "/c": "<form action='http://portal.test/\(references)'><input type=password></form>",
      "/d": """
      <!--<WISPAccessGatewayParam><Redirect><MessageType>100</MessageType><ResponseCode>0</ResponseCode>\
      <LoginURL>http://portal.test/?\(references)</LoginURL><ReplyMessage>\(references)</ReplyMessage>\
      </Redirect></WISPAccessGatewayParam>-->
      """,
    ]
    let transport = FakeTransport { request in
      try fakeResponse(
        request.url.string,
        body: String(repeating: "Welcome. ", count: 50) + pages[request.url.path, default: ""])
    }
    var probes = try pages.keys.sorted().map { path in
      let url = "http://h\(path.dropFirst()).test\(path)"
      let request = isFromAnotherProbe ? ProbeRequest(try ProbeURL(url)) : try Self.request(url)
      return PlannedProbe(url: url, request: request, validator: BodyIs(text: "ok"))
    }
    if isFromAnotherProbe {
      let url = "http://secret.test/"
      probes.append(PlannedProbe(url: url, request: try Self.request(url), validator: BodyIs(text: "ok")))
    }
    let plan = try ProbePlan(
      name: "test", policy: .plaintextAllowed, sets: [PlannedSet(name: "a", probes: probes)])
    let result = await PipelineRunner(try transport.registry).run(plan)
    var dumped = ""
    dump(result, to: &dumped)
    #expect(!dumped.contains("canary"))
    #expect(result.verdict == .captivePortal)
    let urls = result.sets[0].probes.prefix(4).map { $0.portal?.loginURL.string }
    #expect(
      urls == [
        "http://portal.test/?redacted", "http://redacted.test/", "http://portal.test/redacted",
        "http://portal.test/?redacted",
      ])
    #expect(result.sets[0].probes[3].portal?.wispr?.replyMessage == "<redacted>")
  }

  /// Secrets that are common words of pages and URLs.
  @Test(arguments: ["http", "test", "form", "password", "portal", "location", "login", "script", "html"])
  func redactionDoesNotChangeTheVerdict(_ secret: String) async throws {
    let transport = FakeTransport { request in
      request.url.host.hasPrefix("a")
        ? try fakeResponse(
          request.url.string, 302, fields: ["Location": "http://login.portal.test/"],
          body: "<html>login</html>")
        : try fakeResponse(
          request.url.string, body: "<html><form action='/login'><input type=password></form></html>")
    }
    func result(_ secret: String?) async throws -> RunResult {
      let probes = try ["http://a.one.test/", "http://b.two.test/", "http://b.three.test/"].map { url in
        var request = ProbeRequest(try ProbeURL(url))
        if let secret { request.http.credentials = .bearer(Secret(secret)) }
        return PlannedProbe(url: url, request: request, validator: BodyIs(text: "ok"))
      }
      let plan = try ProbePlan(
        name: "test", policy: .plaintextAllowed, sets: [PlannedSet(name: "a", probes: probes)])
      return await PipelineRunner(try transport.registry).run(plan)
    }
    let (plain, redacted) = (try await result(nil), try await result(secret))
    #expect(redacted.verdict == plain.verdict)
    #expect(redacted.portal?.source == plain.portal?.source)
    #expect(redacted.evidence.map(\.kind) == plain.evidence.map(\.kind))
    #expect(redacted.sets[0].probes.map(\.outcome) == plain.sets[0].probes.map(\.outcome))
    #expect(redacted.sets[0].probes.map(\.analysis?.kind) == plain.sets[0].probes.map(\.analysis?.kind))
  }
}
