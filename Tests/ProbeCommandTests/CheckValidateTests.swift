import BundledPlugins
import LoopbackServer
import ProbeCommand
import ProbeCore
import Testing

/// `probekit check --validate`: any registered validator by its name.
@Suite struct CheckValidateTests {
  @Test func aBundledOne() async throws {
    let server = try LoopbackServer.http { request in
      .response(headers: [(name: "Server", value: request.target == "/old" ? "old/1" : "new/2")])
    }
    let options = ["--allow-http", "--validate", #"header={"name":"Server","equals":"new/2"}"#]
    #expect(try await Check(options + [server.url()]).code == .success)
    let check = try await Check(options + [server.url("/old")])
    #expect(check.code == .notOnline)
    #expect(
      check.output.contains(
        "http.header: expected a header field Server equal to \"new/2\", found \"old/1\""))
  }

  @Test func severalAndShortForms() async throws {
    let server = try LoopbackServer.http { _ in .response(201, body: "one two") }
    let options = ["--allow-http", #"--validate=contains="one""#, "--validate", "status=[200,201]"]
    #expect(try await Check(options + [server.url()]).code == .success)
    #expect(try await Check(options + [#"--validate=contains="three""#, server.url()]).code == .notOnline)
  }

  @Test func oneOfOnesOwn() async throws {
    struct Even: ConfigurableValidator {
      struct Options: Codable { var sum: Int? }
      static let name = "even"
      init(options: Options) {}
      func validate(_ response: ProbeResponse) -> Validation {
        response.body.count % 2 == 0
          ? .accepted : .rejected(.bodyMismatch, expected: "an even number of bytes", found: "an odd one")
      }
    }
    let server = try LoopbackServer.http { request in
      .response(body: request.target == "/odd" ? "abc" : "abcd")
    }
    var plugins = try PluginRegistry.bundled
    try plugins.register(Even.self)
    let tool = CommandLineTool(plugins: plugins)
    for (path, code) in [("/", ExitCode.success), ("/odd", .notOnline)] {
      let arguments = ["check", "--allow-http", "--validate", "even", server.url(path)]
      let output = MemoryOutput()
      let result = await tool.run(
        arguments: arguments.map { Array($0.utf8) }, output: output.sink(), errors: output.sink())
      #expect(result == code, "\(output.text)")
    }
  }

  static let mistakes: [(value: String, error: String)] = [
    ("contians=\"x\"", "unknown validator \"contians\": did you mean contains?"),
    ("health", "unknown validator \"health\": use one of contains, equals, header, matches, status"),
    ("", "unknown validator \"\": use one of contains, equals, header, matches, status"),
    ("contains", "contains: the option text is missing: give it: 'contains={\"text\":…}'"),
    (
      "contains=",
      "contains: the options are not valid JSON: write them as JSON, such as 'contains={\"key\":\"value\"}', and a "
        + "text in double quotes"
    ),
    (
      "contains=Success",
      "contains: the options are not valid JSON: write them as JSON, such as 'contains={\"key\":\"value\"}', and a "
        + "text in double quotes"
    ),
    (
      "contains=7",
      "contains: the options are not an object with keys: write them as JSON, such as "
        + "'contains={\"key\":\"value\"}'"
    ),
    (
      #"contains={"text":7}"#,
      "contains: the option text is not a text: write them as JSON, such as 'contains={\"key\":\"value\"}'"
    ),
    (
      #"contains={"text":"x","caseless":"yes"}"#,
      "contains: the option caseless is not true or false: write them as JSON, such as "
        + "'contains={\"key\":\"value\"}'"
    ),
    (
      #"contains={"text":""}"#,
      "contains: the text is empty: every body contains it; give the text to look for"
    ),
    (#"status="2000""#, "status: the status 2000 does not exist: codes are from 100 to 999"),
  ]

  @Test(arguments: mistakes)
  func aMistakeIsToldInOneLine(_ value: String, error: String) async throws {
    // The list of names is that of the bundled ones, whichever they are.
    let names = try PluginRegistry.bundled.validators.names.joined(separator: ", ")
    let error = error.replacing("contains, equals, header, matches, status", with: names)
    let check = try await Check(["--validate", value, "https://h.test/"])
    #expect(check.code == .usage)
    #expect(check.output.isEmpty)
    #expect(check.errors == "probekit check: --validate: \(error)\n")
  }

  @Test func itIsForURLsGivenByHand() async throws {
    let check = try await Check(["--validate", #"contains="x""#])
    #expect(
      check.errors == "probekit check: --validate is for URLs given by hand: add a URL, or leave it out\n")
  }
}
