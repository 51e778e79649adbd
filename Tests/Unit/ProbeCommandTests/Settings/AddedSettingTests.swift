import BundledPlugins
import CommandKit
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand

/// One declaration of a setting is enough: everything that lists settings has it.
@Suite struct AddedSettingTests {
  /// The HTTP transports with one more setting, declared here alone.
  private struct Greeter: ProbeTransport {
    /// What a request says first.
    struct Greeting: Hashable, Sendable {
      var text: String
    }

    static let key = RequestKey(
      "greeting", String.self, default: "none", summary: "what the request says first"
    ) { text in
      guard text.count < 10 else {
        throw InvalidInput("the greeting is long", remedy: "use less than ten characters")
      }
      return RequestSetting { request, _ in request[Greeting.self] = Greeting(text: text) }
    }.option(RequestOption("--greeting", value: "TEXT", in: ["check", "run"]))
      .explained("It is polite.", example: "hello")

    /// A setting whose value is a secret, which its name does not suggest.
    static let knock = RequestKey("knock", SecretSource.self, summary: "how to knock") { source in
      RequestSetting { request, context throws(InvalidInput) in _ = try context.secret(source) }
    }.option(RequestOption("--knock", value: "SOURCE"))

    /// The same under a name that usually has no secret.
    static let user = RequestKey("user", SecretSource.self, summary: "who knocks") { _ in
      RequestSetting { _, _ in }
    }

    /// Secrets by names.
    static let doors = RequestKey("doors", [String: SecretSource].self, summary: "how to knock at which door")
    { _ in
      RequestSetting { _, _ in }
    }

    static let pin = RequestKey("number", SecretSource?.self, summary: "the number to knock") { _ in
      RequestSetting { _, _ in }
    }

    /// A type without a schema.
    struct Gate: Decodable, Sendable {
      var bell: SecretSource
    }

    static let gate = RequestKey("gate", Gate.self, summary: "how to ring") { _ in RequestSetting { _, _ in }
    }

    let inner: any ProbeTransport

    var schemes: [URLScheme: Encryption] { inner.schemes }
    func check(_ request: ProbeRequest) throws(InvalidInput) {
      guard request[Greeting.self]?.text != "silence" else {
        throw InvalidInput("silence is no greeting", remedy: "say hello").about("greeting")
      }
      try inner.check(request)
    }
    func checkFiles(of request: ProbeRequest) throws(InvalidInput) { try inner.checkFiles(of: request) }
    func requestKeys(for scheme: URLScheme) -> [RequestKey] {
      inner.requestKeys(for: scheme)
        + (scheme == .https ? [Self.key, Self.knock, Self.user, Self.doors, Self.pin, Self.gate] : [])
    }
    func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try await inner.probe(request) }
  }

  private static func plugins() throws -> PluginRegistry {
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.wrapping { Greeter(inner: $0) }
    return plugins
  }

  private static func pipeline(_ greeting: String) -> String {
    """
    version: 1
    name: office
    sets:
      - name: web
        request: { greeting: \(greeting) }
        urls: [https://a.example/]

    """
  }

  private static func run(_ command: String, _ arguments: String..., in folder: TemporaryFolder) async throws
    -> FolderRun
  {
    try await FolderRun(command, arguments, in: folder, plugins: try plugins())
  }

  /// The words of a wrapped text on one line.
  private static func words(of text: String) -> String {
    text.split { $0.isWhitespace }.joined(separator: " ")
  }

  @Test func theHelpTheManualAndTheCompletionsHaveIt() async throws {
    let folder = try TemporaryFolder([:])
    for command in ["check", "run"] {
      let help = try await Self.run("help", command, in: folder).output
      #expect(help.contains("--greeting TEXT"))
      #expect(help.contains("what the request says first"))
      #expect(!help.contains("It is polite."))
      let page = Self.words(of: try await Self.run("manual", command, in: folder).output)
      #expect(page.contains("--greeting TEXT what the request says first"))
      #expect(page.contains("It is polite."))
    }
    #expect(try await !Self.run("help", "monitor", in: folder).output.contains("--greeting"))
    let page = Self.words(of: try await Self.run("manual", "pipeline", in: folder).output)
    #expect(page.contains("greeting"))
    #expect(page.contains("what the request says first"))
    #expect(page.contains("It is polite."))
    #expect(page.contains("Example: greeting: hello"))
    for shell in ["bash", "zsh", "fish"] {
      #expect(try await Self.run("completion", shell, in: folder).output.contains("greeting"))
    }
  }

  @Test func theSchemaHasIt() async throws {
    let folder = try TemporaryFolder([:])
    let schema = try await Self.run("schema", "pipeline", in: folder).output
    #expect(schema.contains("\"greeting\""))
    let description = "what the request says first (https). It is polite. Example: greeting: hello"
    #expect(schema.contains("\"\(description)\""))
  }

  @Test(arguments: [
    "{ knock: CANARY, timeout: 0s }", "{ knok: CANARY }", "{ knock: [CANARY], timeout: 0s }",
    "{ knock: { text: CANARY } }", "{ knock: CANARY", "\"knock:CANARY\"", "{ user: CANARY, timeout: 0s }",
    "{ number: CANARY, timeout: 0s }",
    "{ doors: { front: CANARY }, timeout: 0s }", "{ gate: { bell: CANARY }, timeout: 0s }",
    "{ body: knock=CANARY, timeout: 0s }",
  ])
  func noErrorShowsADeclaredSecret(_ request: String) async throws {
    let text = Self.pipeline("hi").replacing("{ greeting: hi }", with: request)
    let folder = try TemporaryFolder(["office.yaml": text.replacing("CANARY", with: "hunter2canary")])
    let run = try await Self.run("lint", "DIR/office.yaml", in: folder)
    #expect(run.code != .success)
    #expect(run.output.contains("DIR/office.yaml:"), "\(run.output)")
    #expect(!run.output.contains("canary"), "\(run.output)")
  }

  @Test func noReportShowsADeclaredSecret() async throws {
    let text = Self.pipeline("hi").replacing(
      "greeting: hi", with: "knock: hunter2canary, user: hunter2canary, gate: { bell: hunter2canary }")
    let folder = try TemporaryFolder(["office.yaml": text])
    let explained = try await Self.run("run", "--explain", "DIR/office.yaml", in: folder).output
    #expect(explained.contains("DIR/office.yaml:5:23, set  knock: <redacted>\n"))
    #expect(explained.contains("user: <redacted>\n"))
    #expect(explained.contains("gate: { bell: <redacted> }\n"))
    var request = ProbeRequest(try ProbeURL("https://a.example/"))
    try Greeter.knock.setting(of: SecretSource.text(Secret("hunter2canary"))).apply(
      to: &request, in: .withoutSecrets)
    #expect(request.redactor?.redacted("you said hunter2canary") == "you said <redacted>")
  }

  /// An option of a secret names its source, without code of its own.
  @Test func anOptionOfASecretNamesItsSource() async throws {
    let folder = try TemporaryFolder([:])
    let given = try await Self.run(
      "check", "--explain", "--knock", "env:KNOCK", "https://a.example/", in: folder)
    #expect(given.output.contains("--knock, option  knock: { env: KNOCK }\n"), "\(given.output)")
    let literal = try await Self.run("check", "--knock", "hunter2canary", "https://a.example/", in: folder)
    #expect(literal.errors.contains("--knock: secrets are not allowed on the command line"))
    #expect(!literal.errors.contains("canary"))
  }

  @Test func filesAndOptionsSetItAndExplainSaysWhere() async throws {
    let folder = try TemporaryFolder(["office.yaml": Self.pipeline("hello")])
    let ofFile = try await Self.run("run", "--explain", "DIR/office.yaml", in: folder)
    #expect(ofFile.code == .success)
    #expect(ofFile.output.contains("DIR/office.yaml:5:26, set  greeting: hello\n"))
    let ofOption = try await Self.run("run", "--explain", "--greeting", "hi", "DIR/office.yaml", in: folder)
    #expect(ofOption.output.contains("--greeting, option  greeting: hi\n"))
    let linted = try await Self.run("lint", "--explain", "DIR/office.yaml", in: folder)
    #expect(linted.output.contains("DIR/office.yaml:5:26, set  greeting: hello\n"))
    let checked = try await Self.run("check", "--explain", "https://a.example/", in: folder)
    #expect(checked.output.contains("default  greeting: none\n"))
  }

  @Test func itsErrorsAreTheSameEverywhere() async throws {
    let folder = try TemporaryFolder(["office.yaml": Self.pipeline("good-afternoon")])
    let words = "the greeting is long: use less than ten characters"
    let ofFile = try await Self.run("run", "DIR/office.yaml", in: folder)
    #expect(ofFile.errors.hasPrefix("DIR/office.yaml:5:26: \(words)\n"))
    let ofOption = try await Self.run(
      "check", "--greeting", "good-afternoon", "https://a.example/", in: folder)
    #expect(ofOption.code == .usage)
    #expect(ofOption.errors.contains("--greeting: \(words)\n"))
  }

  @Test func errorsOfTheRequestPointAtIt() async throws {
    let folder = try TemporaryFolder(["office.yaml": Self.pipeline("silence")])
    let words = "silence is no greeting: say hello"
    let ofFile = try await Self.run("run", "DIR/office.yaml", in: folder)
    #expect(ofFile.errors.hasPrefix("DIR/office.yaml:5:26: \(words)\n"))
    let ofOption = try await Self.run("check", "--greeting", "silence", "https://a.example/", in: folder)
    #expect(ofOption.errors.contains("--greeting: \(words)\n"))
    let misplaced = try await Self.run("check", "--greeting", "hi", "tls://a.example:993", in: folder)
    #expect(misplaced.errors.contains("--greeting: tls URLs do not have this setting"))
    #expect(misplaced.errors.contains("it is for https URLs"))
  }
}
