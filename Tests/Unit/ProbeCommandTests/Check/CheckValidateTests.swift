import BundledPlugins
import LoopbackServer
import ProbeCommand
import ProbeCore
import Testing
@testable import CommandKit
@testable import ProbeSystem

/// `probekit check --validate`: any registered validator by its name.
@Suite struct CheckValidateTests {
  @Test func aBundledValidatorIsApplied() async throws {
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

  @Test func validatorsCombineAndHaveShortForms() async throws {
    let server = try LoopbackServer.http { _ in .response(201, body: "one two") }
    let options = [
      "--allow-http", #"--validate=contains="one""#, "--validate", "status=[200,201]",
      "--validate=contains=two", "--validate=contains={text: TWO, caseless: true}",
    ]
    #expect(try await Check(options + [server.url()]).code == .success)
    #expect(try await Check(options + [#"--validate=contains="three""#, server.url()]).code == .notOnline)
  }

  @Test func aCustomValidatorIsApplied() async throws {
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
        arguments: arguments.map { Array($0.utf8) }, environment: ["LANG": "C.UTF-8"], output: output.sink(),
        errors: output.sink())
      #expect(result == code, "\(output.text)")
    }
  }

  static let mistakes: [(value: String, error: String)] = [
    ("contians=\"x\"", "unknown validator \"contians\": did you mean contains?"),
    ("health", "unknown validator \"health\": use one of contains, equals, header, matches, status"),
    ("", "unknown validator \"\": use one of contains, equals, header, matches, status"),
    ("contains", #"contains has no text: give it its options, as in 'contains="…"'"#),
    (
      "contains=",
      #"contains: the options are empty: write them as JSON or YAML, such as 'contains={"key":"value"}'"#
    ),
    (
      "contains={",
      """
      contains: there is nothing between two commas or brackets at byte 10: write a value, or remove the comma
        contains={
                  ^
      """
    ),
    (
      #"contains={"text":[7]}"#,
      """
      contains: text must be a text, not a list at byte 17
        contains={"text":[7]}
                         ^
      """
    ),
    (
      #"contains={"text":"x","caseless":"yes"}"#,
      """
      contains: caseless must be true or false, not "yes" at byte 32
        contains={"text":"x","caseless":"yes"}
                                        ^
      """
    ),
    (
      #"contains={"text":"","txet":1}"#,
      """
      contains: the text is empty at byte 17: every body contains it; give the text to look for
        contains={"text":"","txet":1}
                         ^
      probekit check: --validate: contains has an unknown key "txet" at byte 20: did you mean text?
        contains={"text":"","txet":1}
                            ^
      """
    ),
    (
      #"header={"name":"a","name":"b","present":true}"#,
      """
      header: the key "name" occurs twice at byte 19: keep one; the first is in line 1
        header={"name":"a","name":"b","present":true}
                           ^
      """
    ),
    (
      #"matches="é(b""#,
      """
      matches: pattern: missing closing parenthesis at byte 13: close the group with ), or write \\( for the \
      character itself
        matches="é(b"
                    ^
      """
    ),
    (
      #"status="2000""#,
      """
      status: the status 2000 does not exist at byte 7: codes are from 100 to 999
        status="2000"
               ^
      """
    ),
  ]

  @Test(arguments: mistakes)
  func everyErrorIsReported(_ value: String, error: String) async throws {
    // The list contains the names of all bundled validators.
    let names = try PluginRegistry.bundled.validators.names.joined(separator: ", ")
    let error = error.replacing("contains, equals, header, matches, status", with: names)
    let check = try await Check(["--validate", value, "https://h.test/"])
    #expect(check.code == .usage)
    #expect(check.output.isEmpty)
    #expect(check.errors == "probekit check: --validate: \(error)\n")
  }

  @Test func theOptionRequiresAURL() async throws {
    let check = try await Check(["--validate", #"contains="x""#])
    #expect(
      check.errors == "probekit check: --validate is for checks with URLs: add a URL, or omit the option\n")
  }
}
