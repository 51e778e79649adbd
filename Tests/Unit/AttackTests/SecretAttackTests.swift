import Foundation
import LoopbackServer
import ProbeTLS
import TestSupport
import Testing

/// Secrets: no output or file of the command contains one, however a server, a page or an error in a file
/// encodes it.
@Suite struct SecretAttackTests {
  private static let token = "Canary-7f3a-Canary"
  /// Keeps the following text out of excerpts of the page's start.
  private static let words = "<p>" + String(repeating: "Welcome to our network. ", count: 40) + "</p>"

  /// Runs the command, whose arguments are split by the shell, and looks for the canary in its output.
  private func run(
    _ arguments: String, in folder: TemporaryFolder, environment: [String: String] = [:],
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> Spawned.End {
    let script = "exec \"$0\" " + arguments.replacing("DIR", with: folder.path)
    let end = try await Spawned(script, environment: environment).end()
    #expect(end.signal == nil, "\(arguments): \(end.errors)", sourceLocation: location)
    expectNoCanary(end.output + end.errors, of: arguments, location)
    return end
  }

  private func expectNoCanary(
    _ text: String, of name: String, _ location: SourceLocation = #_sourceLocation
  ) {
    for reading in Spellings.readings(of: text) {
      let glued = reading.replacing(#/['"]\s*\+\s*['"]/#, with: "").lowercased()
      #expect(!glued.contains("canary"), "\(name): \(text)", sourceLocation: location)
    }
  }

  private func expectNoCanary(
    inFilesOf folder: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
    #expect(files.contains("fixture.yaml") && files.contains("capture.json"), sourceLocation: location)
    for file in files {
      let bytes = try? Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
      expectNoCanary(file + "\n" + String(decoding: bytes ?? Data(), as: UTF8.self), of: file, location)
    }
  }

  /// Pages in which only parsing yields the token.
  private static let pages: [String: String] = {
    let html = token.unicodeScalars.map { "&#\($0.value);" }.joined()
    let hex = token.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined()
    let script = token.unicodeScalars.map { "\\u00" + String($0.value, radix: 16) }.joined()
    let glued = token.map { "'\($0)'" }.joined(separator: "+")
    let wispr = """
      <!--<WISPAccessGatewayParam><Redirect><MessageType>100</MessageType><ResponseCode>0</ResponseCode>\
      <LoginURL>http://portal.test/?t=\(html)</LoginURL><ReplyMessage>Hello \(hex)</ReplyMessage>\
      <LocationName>\(html)</LocationName></Redirect></WISPAccessGatewayParam>-->
      """
    return [
      "/references": "<meta http-equiv='refresh' content='0;url=http://portal.test/?t=\(html)'>",
      "/numbers": "<script>location.href = \"http://portal.test/login?t=\(script)\"</script>",
      "/glued": "<script>location = 'http://portal.test/login?t=' + \(glued)</script>",
      "/host": "<script>location = 'http://' + \(glued) + '.portal.test/login'</script>",
      "/form": "<form action='http://portal.test/\(hex)'><input type=password name=password></form>",
      "/wispr": wispr,
      "/plain": "<a href='http://portal.test/?\(token)'>\(token)</a>",
    ]
  }()

  private static func pipeline(_ server: LoopbackServer) -> String {
    let urls = pages.keys.filter { $0 != "/plain" }.sorted().map { server.url($0) }
    return """
      version: 1
      name: echo
      policy: { https: optional }
      sets:
        - name: sent
          validate: { contains: expected }
          request: { auth: { bearer: { env: TOKEN } }, timeout: 60s }
          urls: \(urls)
        - { name: other, validate: { contains: expected }, request: { timeout: 60s }, urls: ["\(server.url("/plain"))"] }
      """
  }

  @Test func aSecretEncodedInAPageIsNotShown() async throws {
    let server = try LoopbackServer.http { request in
      .response(body: Self.words + (Self.pages[request.target] ?? ""))
    }
    let folder = try TemporaryFolder(["echo.yaml": Self.pipeline(server)])
    let environment = ["TOKEN": Self.token]
    for format in ["text", "json", "ndjson", "tap", "junit", "prometheus"] {
      let end = try await run(
        "run DIR/echo.yaml --all --verbose --format=\(format)", in: folder, environment: environment)
      // Each must be read and reported; otherwise its absence would prove nothing.
      if format == "json" {
        #expect(end.output.contains("captivePortal") && end.output.contains("http://portal.test/"), "\(end)")
      }
    }
    let script = "env | grep ^PROBEKIT >'\(folder.path)/received'; kill -TERM $PPID"
    let end = try await run(
      "monitor --format=json --on-change \"$CHANGE\" DIR/echo.yaml", in: folder,
      environment: environment.merging(["CHANGE": script]) { $1 })
    #expect(end.output.contains("captivePortal"), "\(end)")
    let received = readText("\(folder.path)/received")
    #expect(received.contains("portal.test"))
    expectNoCanary(received, of: "--on-change")
  }

  /// How a server encodes the data that it received.
  private static let echoes: [(name: String, echo: @Sendable (String) -> String)] = [
    ("plain", { $0 }),
    ("percent", { Spellings.escaped($0) { Spellings.percent($0, uppercase: $0.value % 2 == 0) } }),
    ("html", { Spellings.escaped($0) { "&#\($0.value);" } }),
    ("hex", { $0.utf8.map { Spellings.hex(UInt32($0), 2, uppercase: false) }.joined() }),
    ("base64", { base64($0.utf8) }), ("base64-inside", { base64("x\($0)yz".utf8, urlSafe: true) }),
  ]

  @Test(arguments: ["", "--no-redact"])
  func capturesContainNoEchoedSecrets(_ option: String) async throws {
    let names = ["Authorization", "X-Api-Key", "X-Auth-Token", "Cookie"]
    let server = try LoopbackServer.http { request in
      let echo = Self.echoes.first { request.target.hasSuffix("/" + $0.name) }?.echo ?? { $0 }
      // The decoded Basic credentials, too.
      let sent = names.compactMap(request.header).flatMap { value -> [String] in
        let encoded = value.split(separator: " ").last.map(String.init) ?? ""
        return [value, Data(base64Encoded: encoded).map { String(decoding: $0, as: UTF8.self) } ?? ""]
      }
      let echoed = sent.map(echo).joined(separator: "\n")
      let line = echoed.replacing("\n", with: "&").replacing(" ", with: "+")
      return request.target.hasPrefix("/moved")
        ? .response(302, headers: [("Location", "/echo/plain?\(line)"), ("X-Echo", line)], body: echoed)
        : .response(headers: [("X-Echo", line)], body: "<html><pre>\(echoed)</pre>")
    }
    let urls = Self.echoes.flatMap { [server.url("/echo/\($0.name)"), server.url("/moved/\($0.name)")] }
    let text = """
      version: 1
      name: echo
      policy: { https: optional }
      sets:
        - name: basic
          validate: { contains: expected }
          request:
            auth: { basic: { user: me, password: { env: PASSWORD } } }
            headers: { X-Api-Key: canary/key, X-Auth-Token: Canary-token, Cookie: "id=canary-cookie; a=b" }
            redirects: 1
          urls: \(urls)
        - { name: bearer, validate: { contains: expected }, request: { auth: { bearer: { env: TOKEN } } }, urls: \(urls) }
      """
    let folder = try TemporaryFolder(["echo.yaml": text])
    let end = try await run(
      "capture --pipeline DIR/echo.yaml -o DIR/captured --no-page \(option)", in: folder,
      environment: ["PASSWORD": "canary p@ss:é", "TOKEN": "canary"])
    #expect(end.code == 0 || end.code == 1, "\(end)")
    #expect(server.requestTexts.contains { $0.contains("Bearer canary") })
    try expectNoCanary(inFilesOf: folder.path(of: "captured"))
  }

  @Test func misplacedSecretsInFilesAreRefusedAndNotShown() async throws {
    let urls = [
      "https://me:canary@h.test/", "HTTPS://me:canary%40x@h.test/", "https://me:can/canary@h.test/x@y",
      "//me:canary@h.test", "socks5://me:canary@h.test:1", "https://me:canary @h.test/", "me:canary@h.test",
    ]
    let values = urls.flatMap { ["'\($0)'", "\"\($0)\"", "[ \"\($0)\", x ]"] }
    let folded = [
      "\"https://me:canary\\\n      canary@h.test/\"", "https://me:canary\n      canary@h.test/",
      ">-\n      https://me:canary\n      canary@h.test/", "|\n      https://me:canary@h.test/",
    ]
    let requests = [
      "auth: { bearer: canary text, basic: me:canary }", "auth: { bearer: { canary } }", "auth: canary",
      "auth: { basic: { user: me, password: { text: canary } } }", "auth: [canary]",
      "auth: { bearer: { env: TOKEN }, canary: }",
      "headers: { Authorization: [canary], Cookie: [id=canary] }",
      "headers: { Authorization: \"canary\\n\", X-Api-Key: { text: canary } }",
      "proxy: http://me:canary@h.test:1",
      "clientCertificate: { certificate: a.pem, passphrase: [canary], odd: 1 }",
    ]
    let list = (values + folded).map { "    - \($0)\n" }.joined()
    let sets = requests.enumerated().map {
      "  - { name: set\($0), odd: 1, request: { \($1) }, validate: { status: 200 }, urls: [\"https://h.test/\"] }\n"
    }.joined()
    let yaml =
      "version: 1\nname: x\nsets:\n  - name: a\n    validate: { status: 200 }\n    urls:\n" + list + sets
    let json =
      #"{"version":1,"name":"x","sets":[{"name":"a","odd":1,"request":{"auth":{"bearer":["canary"]},"#
      + #""headers":{"Cookie":["canary"]}},"urls":["https://me:canary\u0040h.test/","https:\/\/me:canary@h.test"]}]}"#
    let fixture =
      "version: 1\nname: x\nsource: { kind: made, reference: 'https://me:canary@h.test/' , odd: 1}\n"
      + "routes:\n  - { url: 'https://me:canary@h.test/', file: a.resp }\nexpect: { loginURL: 'https://me:canary@h.test/'}\n"
    let broken = [
      "auth:\n  bearer: canary\n\tx: y\n", "request: { auth: { bearer: \"canary }\n",
      "a: 'https://me:canary@h.test/\n",
      "urls: [https://me:canary@h.test/, : x\n", "password: |\n  canary\n\tcanary\nx\n", "auth: canary: x\n",
      "headers:\n  Cookie: id=canary: x: y\n", "url: \"https://me:can\n  canary@h.test\\q\"\n",
    ]
    let folder = try TemporaryFolder([
      "p.yaml": yaml, "p.json": json,
      "list": urls.joined(separator: "\n") + "\nhttps://me:canary@h.test:0/\n",
    ])
    for (index, text) in broken.enumerated() { try folder.write("broken\(index).yaml", text) }
    try FileManager.default.createDirectory(atPath: folder.path(of: "f"), withIntermediateDirectories: true)
    try folder.write("f/fixture.yaml", fixture)
    for arguments in [
      "lint DIR/p.yaml DIR/p.json DIR/broken*.yaml DIR/f",
      "lint --format=json DIR/p.yaml DIR/p.json DIR/broken*.yaml DIR/f",
      "run DIR/p.yaml DIR/p.json DIR/broken*.yaml", "monitor DIR/p.json",
      "capture --pipeline DIR/p.yaml -o DIR/x",
      "verify --pipeline DIR/p.yaml DIR/f", "check --format=json - <DIR/list", "check --verbose - <DIR/list",
    ] {
      let end = try await run(arguments, in: folder)
      #expect(end.code != 0 && !(end.output + end.errors).isEmpty, "\(arguments)")
    }
  }

  @Test func capturesHaveNoInvisibleCharactersOrEncodedAddresses() async throws {
    let authority = try CertificateAuthority(name: "Good\u{202E}\u{200B}\u{3164}CA")
    let hidden = try LoopbackServer(
      tls: ServerContext(authority.issue(.init(hosts: ["127.0.0.1"])))
    ) { $0.hold() }
    func references(_ text: String) -> String { text.unicodeScalars.map { "&#\($0.value);" }.joined() }
    let page =
      "<p>\(references("3c:22:fb:9a:1b:2c"))</p><a>\(references("canary@isp.net"))</a>"
      + "<input name=token value=\"\(references("c4n4ry7f3a9c1d5e"))\">"
    let server = try LoopbackServer.http { _ in .response(body: page) }
    let folder = try TemporaryFolder([:])
    let end = try await run(
      "capture --allow-http --no-page -o DIR/x \(server.url()) https://127.0.0.1:\(hidden.port)/", in: folder)
    #expect(end.code == 0 || end.code == 1, "\(end)")
    try expectNoCanary(inFilesOf: folder.path(of: "x"))
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path(of: "x")) {
      let text = readText(folder.path(of: "x/\(file)"))
      #expect(
        !text.unicodeScalars.contains { "\u{202E}\u{200B}\u{3164}".unicodeScalars.contains($0) }, "\(file)")
      for reading in Spellings.readings(of: text) {
        #expect(!reading.contains("9a:1b:2c") && !reading.contains("c4n4ry7f"), "\(file): \(reading)")
      }
    }
    #expect(readText(folder.path(of: "x/capture.json")).contains(#"Good\u202e\u200b\u3164CA"#))
  }
}
