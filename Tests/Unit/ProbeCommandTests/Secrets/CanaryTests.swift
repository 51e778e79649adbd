import BundledPlugins
import Foundation
import LoopbackServer
import ProbeTLS
import ProbeCommand
import ProbeCore
import TestSupport
import Testing

/// Secrets with unique words at both ends, which must not appear in any output, log, error or file, however a
/// server encodes its echo.
@Suite struct CanaryTests {
  private static let secrets = [
    "TOKEN": "canary/t+~canary==", "PASSWORD": "canary/p+a=?é\"'<&> \\%2f canary",
    "PROXY": "canary/p+r=?é\"<&\\canary", "PHRASE": "canary/\"p+h\\<canary",
  ]
  private static let header = "canary/h+=?\"\\<&>%2f canary"
  private static let file = Result { try TemporaryFile(secrets["PASSWORD", default: ""] + "\n") }

  /// A certificate authority, the context of a TLS server that requests a client certificate, and the options
  /// that trust the authority and send a client certificate.
  private struct TLSWorld: Sendable {
    let context: ServerContext
    let files: [TemporaryFile]
    let arguments: [String]

    init() throws {
      let authority = try CertificateAuthority(name: "Canary World")
      context = try ServerContext(
        authority.issue(.init(hosts: ["localhost"])), clientAuthorities: TrustStore(authorities: [authority]))
      var leaf = LeafOptions(hosts: ["client.invalid"])
      leaf.purposes = .client
      let client = try authority.issue(leaf)
      files = try [
        TemporaryFile(authority.pem), TemporaryFile(client.chainPEM()),
        TemporaryFile(client.privateKeyPEM(passphrase: secrets["PHRASE"])),
      ]
      arguments = [
        "--cacert=\(files[0].path)", "--client-cert=\(files[1].path)", "--client-key=\(files[2].path)",
        "--client-passphrase=env:PHRASE",
      ]
    }
  }

  private static let tls = Result { try TLSWorld() }

  /// How a server responds to a request full of secrets.
  static let responses: [(name: String, script: LoopbackServer.Script)] = [
    ("success", responding { _ in .response(body: "all is well") }),
    ("status", responding { _ in .response(503) }),
    ("login", responding { _ in .response(407) }),
    ("redirect", responding { _ in .response(302, headers: [(name: "Location", value: "/again")]) }),
    (
      "reset",
      { connection in
        _ = try connection.readRequest(); connection.reset()
      }
    ),
    ("nothing", { connection in _ = try connection.readRequest() }),
    ("silence", { $0.hold() }),
    ("no HTTP", { connection in try connection.send("SSH-2.0-x\r\n") }),
    ("echo in the body", responding { .response(body: text($0)) }),
    ("echo in an error page", responding { .response(404, body: "<pre>" + text($0)) }),
    ("echo cut", responding { .response(body: String(text($0).prefix(150))) }),
    (
      "echo in fields",
      responding { request in
        .response(headers: [(name: "X-Echo", value: secretFields(request)), (name: "Server", value: "x")])
      }
    ),
    (
      "echo in a redirect",
      responding { request in
        .response(302, headers: [(name: "Location", value: "http://h.invalid/?" + secretFields(request))])
      }
    ),
    ("echo in the reason", responding { .response(500, reason: secretFields($0)) }),
    (
      "echo in what is no HTTP",
      { connection in
        let request = try connection.readRequest()
        try connection.send(secretFields(LoopbackRequest(request)) + "\r\n\r\n")
      }
    ),
    ("echo of the credentials", responding { escaped($0) { String($0) } }),
    ("echo with percent signs", responding { escaped($0) { Spellings.percent($0) } }),
    (
      "echo in HTML",
      responding { escaped($0) { "\"'<&>é\\".unicodeScalars.contains($0) ? "&#\($0.value);" : String($0) } }
    ),
    ("echo in HTML with names", responding { escaped($0, Spellings.named) }),
    ("echo in JSON", responding { escaped($0) { $0 == "é" ? "\\u00e9" : Spellings.json($0) } }),
    ("echo of a form", responding { escaped($0, Spellings.form) }),
    (
      "echo in Base64",
      responding { request in
        .response(
          404,
          body: (0..<3).map { base64("\("xx".prefix($0))\(credentials(of: request))yz".utf8) }
            .joined(separator: "\n"))
      }
    ),
    (
      "echo in a short body",
      responding { request in
        .response(headers: [(name: "Content-Length", value: "9999")], body: text(request))
      }
    ),
  ]

  private static func responding(
    _ respond: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
  ) -> LoopbackServer.Script {
    { connection in
      let request = try connection.readRequest()
      if !request.isEmpty { try connection.send(wire(respond(LoopbackRequest(request)))) }
    }
  }

  private static func wire(_ response: LoopbackResponse) -> [UInt8] {
    var head = "HTTP/1.1 \(response.status) \(response.reason)\r\nConnection: close\r\n"
    for field in response.headers { head += "\(field.name): \(field.value)\r\n" }
    if !response.headers.contains(where: { $0.name == "Content-Length" }) {
      head += "Content-Length: \(response.body.count)\r\n"
    }
    return Array((head + "\r\n").utf8) + response.body
  }

  private static func text(_ request: LoopbackRequest) -> String {
    String(decoding: request.bytes, as: UTF8.self)
  }

  /// The credentials of a request, with Basic credentials decoded.
  private static func credentials(of request: LoopbackRequest) -> String {
    let decoded = secretFields(request).replacing(/Basic ([^&]*)/) { match in
      Data(base64Encoded: String(match.1)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    return decoded + (request.header("Cookie") ?? "")
  }

  /// A response that echoes the credentials of a request, in the given spelling, in its body, a header field
  /// and its Location.
  private static func escaped(_ request: LoopbackRequest, _ spell: (Unicode.Scalar) -> String)
    -> LoopbackResponse
  {
    let text = Spellings.escaped(credentials(of: request), spell)
    let visible = Spellings.escaped(text) { $0 == " " || !$0.isASCII ? Spellings.percent($0) : String($0) }
    return .response(
      302,
      headers: [(name: "X-Echo", value: text), (name: "Location", value: "http://h.invalid/?a=\(visible)")],
      body: "<a href=\"/?b=\(text)\">\(text)</a>")
  }

  private static func secretFields(_ request: LoopbackRequest) -> String {
    ["Authorization", "X-Api-Key", "Proxy-Authorization"].compactMap(request.header).joined(separator: "&")
  }

  /// The combinations of options that send secrets to a server.
  private static func credentials() throws -> [[String]] {
    let header = "--header=X-Api-Key: \(header)"
    return [
      ["--bearer=env:TOKEN", header], ["--basic=me:env:PASSWORD", header],
      ["--basic=me:file:\(try file.get().path)", "--header=Cookie: id=\(Self.header)"],
      ["--header=Authorization: Bearer \(Self.header)"],
    ]
  }

  private func expectNoCanary(_ texts: String..., of name: String) {
    for text in texts {
      for reading in Spellings.readings(of: text) { #expect(!reading.contains("canary"), "\(name): \(text)") }
    }
  }

  /// Runs a verbose check, as text and as JSON, and searches its output for the canaries.
  private func check(_ arguments: [String], _ name: String, validators: [String] = ["--contains=well"])
    async throws
  {
    for format in ["--format=text", "--format=json"] {
      let check = try await Check(["--verbose", format] + validators + arguments, environment: Self.secrets)
      #expect(!check.output.isEmpty || !check.errors.isEmpty)
      expectNoCanary(check.output, check.errors, of: name)
    }
  }

  @Test(arguments: responses.map(\.name))
  func secretsDoNotLeakOverPlainHTTP(_ name: String) async throws {
    let script = try #require(Self.responses.first { $0.name == name }).script
    let server = try LoopbackServer(script: script)
    let timeout = name == "silence" ? "--timeout=100ms" : "--timeout=60s"
    for credentials in try Self.credentials() {
      try await check(credentials + [timeout, "--redirects=1", "--allow-http", server.url()], name)
    }
    // Through a proxy: the server acts as the proxy.
    let proxy = ["--proxy=http://127.0.0.1:\(server.port)", "--proxy-user=you:env:PROXY", timeout]
    try await check(
      ["--bearer=env:TOKEN", "--allow-http", "http://server.invalid/", "https://server.invalid/"] + proxy,
      name)
  }

  @Test func secretsDoNotLeakOverTLS() async throws {
    let world = try Self.tls.get()
    let names = ["success", "echo in the body", "echo in fields", "reset", "nothing"]
    let servers = try names.map { name in
      let script = try #require(Self.responses.first { $0.name == name }).script
      return try LoopbackServer(tls: world.context, script: script)
    }
    let urls = servers.map { "https://localhost:\($0.port)/" }
    try await check(world.arguments + ["--bearer=env:TOKEN"] + urls, "inside TLS")
    for (name, server) in zip(names, servers) {
      #expect(!server.requests.isEmpty, "\(name): the certificate was shown")
    }
  }

  @Test func secretsDoNotLeakInFailedHandshakes() async throws {
    let world = try Self.tls.get()
    let echo = Self.responding { .response(body: Self.text($0)) }
    let server = try LoopbackServer(tls: world.context, script: echo)
    let url = "https://localhost:\(server.port)/"
    try await check(["--bearer=env:TOKEN", url], "a certificate nobody trusts")
    try await check(
      world.arguments + ["--bearer=env:TOKEN", "https://127.0.0.1:\(server.port)/"], "a name it is not for")
    try await check(["--bearer=env:TOKEN", world.arguments[0], url], "no certificate of the client's")
    #expect(server.requests.isEmpty)
  }

  @Test func errorMessagesContainNoSecrets() async throws {
    let world = try Self.tls.get()
    let refused = "http://127.0.0.1:\(try LoopbackServer.refusedPort())/"
    let spaced = try TemporaryFile("canary with a space")
    let lines = try TemporaryFile("canary\nof two lines")
    for arguments in [
      ["--bearer=canary"], ["--basic=me:canary"], ["--proxy=http://me:canary@127.0.0.1:1"],
      ["--proxy-user=me:canary"], ["--bearer=file:\(spaced.path)"], ["--bearer=file:\(lines.path)"],
      ["--client-passphrase=canary"], ["--header=Authorization: canary\r\nX: y"],
      ["--bearer=env:TOKEN", "--header=Authorization: canary"],
      Array(world.arguments.dropLast()) + ["--client-passphrase=env:TOKEN"],
      ["--bearer=env:TOKEN"], ["--bearer=env:TOKEN", "https://me:canary@h.test/"],
    ] {
      try await check(arguments + ["--allow-http", refused], "\(arguments.count) arguments", validators: [])
    }
  }

  /// A pipeline in which each set reads a secret from a file.
  private static func pipeline(_ server: LoopbackServer) throws -> TemporaryFolder {
    let sets = ["bearer: { file: TOKEN }", "basic: { user: me, password: { file: PASSWORD } }"]
    let text = """
      version: 1
      name: echo
      policy: { https: optional }
      sets:
      \(sets.enumerated().map { """
        - { name: set\($0), validate: { contains: well }, request: { auth: { \($1) }, timeout: 60s }, urls: ["\(server.url())"] }
        """ }.joined(separator: "\n"))

      """
    return try TemporaryFolder(secrets.merging(["echo.yaml": text]) { $1 })
  }

  @Test(arguments: responses.map(\.name).filter { $0.contains("echo") })
  func pipelineReportsAndCapturesContainNoSecrets(_ name: String) async throws {
    let server = try LoopbackServer(script: try #require(Self.responses.first { $0.name == name }).script)
    let folder = try Self.pipeline(server)
    for format in ["text", "json", "ndjson", "tap", "junit", "prometheus"] {
      let run = try await FolderRun(
        "run", ["DIR/echo.yaml", "--verbose", "--format=\(format)"], in: folder)
      #expect(!run.output.isEmpty)
      expectNoCanary(run.output, run.errors, of: "\(name) as \(format)")
    }
    for scheme in ["Bearer", "Basic"] {
      #expect(server.requestTexts.contains { $0.contains("Authorization: \(scheme) ") }, "nothing was sent")
    }
    for (output, options) in [("a", []), ("b", ["--no-redact", "--format=json"])] {
      let capture = try await FolderRun(
        "capture", ["--pipeline=DIR/echo.yaml", "-o", "DIR/\(output)", "--no-page"] + options, in: folder)
      expectNoCanary(capture.output, capture.errors, of: "capture of \(name)")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: output))
      #expect(files.contains("fixture.yaml"))
      for file in files {
        let bytes = try Data(contentsOf: URL(filePath: folder.path(of: "\(output)/\(file)")))
        expectNoCanary(file, String(decoding: bytes, as: UTF8.self), of: "\(file) of \(name)")
      }
      let verify = try await FolderRun(
        "verify", ["DIR/\(output)", "--pipeline=DIR/echo.yaml", "--verbose"], in: folder)
      expectNoCanary(verify.output, verify.errors, of: "verify of \(name)")
    }
  }

  @Test func values() async throws {
    var request = ProbeRequest(try ProbeURL("https://h.test/"))
    request.http.credentials = .basic(user: "me", password: Secret(Self.secrets["PASSWORD", default: ""]))
    request.http.headers = ["X-Api-Key": Self.header]
    request.proxy = try ProbeProxy(
      "http://127.0.0.1:\(try LoopbackServer.refusedPort())", user: "you",
      password: Secret(Self.secrets["PROXY", default: ""]))
    request.tls.clientCertificate = ClientCertificate(
      certificateFile: "/nonexistent", passphrase: Secret(Self.secrets["PHRASE", default: ""]))
    let prober = Prober(try PluginRegistry.bundled.transports)
    let sent = request
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await prober.probe(sent) }
    request.tls.clientCertificate = nil
    let plain = request
    let refusal = await #expect(throws: ProbeFailure.self) { _ = try await prober.probe(plain) }
    #expect(refusal?.reason == .proxyUnreachable || refusal?.reason == .noTrustStore)
    var dumped = ""
    dump(sent, to: &dumped)
    dump(failure, to: &dumped)
    dump(refusal, to: &dumped)
    expectNoCanary(
      dumped, "\(sent)", String(reflecting: sent), String(reflecting: failure),
      "\(String(describing: refusal))",
      of: "values")
  }
}
