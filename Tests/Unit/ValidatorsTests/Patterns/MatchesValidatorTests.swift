import FoundationEssentials
import Validators
import ProbeCore
import Testing

@Suite
struct MatchesValidatorTests {
  static let connectivity = ".*?<BODY>.*?Success.*?</BODY>.*"
  static let connectivityOptions: [MatchesValidator.Option] = [.caseless, .dotall, .extended]

  private func response(_ body: some Sequence<UInt8>, isCut: Bool = false) throws -> ProbeResponse {
    ProbeResponse(
      url: try ProbeURL("https://example.com/"), head: HTTPResponseHead(status: 200), body: Array(body),
      bodyIsCut: isCut)
  }

  @Test(
    arguments: [
      ("test[0-9]+", [], "test1234", true),
      ("test[0-9]+", [], "testa1234", false),
      (connectivity, connectivityOptions, "<html>\r\n<body>Success 👍</body>\r\n</html>", true),
      (connectivity, connectivityOptions, "<html>\r\n<body>Failure 👍</body>\r\n</html>", false),
      ("success", [], "Success", false),
      ("success", [.caseless], "Success", true),
      ("a.b", [.dotall], "a\r\nb", false),
      ("a..b", [.dotall], "a\r\nb", true),
      ("^b$", [.multiline], "a\r\nb\r\n", true),
      ("a b # both", [.extended], "ab", true),
      ("b", [.anchored], "ab", false),
      ("👍</p>$", [], "<p>👋\r\n👍</p>\r\n", true),
    ] as [(String, [MatchesValidator.Option], String, Bool)])
  func judges(pattern: String, options: [MatchesValidator.Option], body: String, isAccepted: Bool) throws {
    let validator = try MatchesValidator(pattern, options: options)
    #expect(validator.validate(try response(body.utf8)).isAccepted == isAccepted)
    #expect(validator.judges == .content)
  }

  @Test func `a body that is not UTF-8 is searched in place`() throws {
    let bytes = [0xFF, 0, 0xE2, 0x82] + Array("test1".utf8) + [0xC0]
    #expect(try MatchesValidator("test[0-9]").validate(response(bytes)).isAccepted)
  }

  @Test func `a rejection has the expected and the actual value`() throws {
    let validation = try MatchesValidator("test[0-9]+").validate(response("login".utf8))
    #expect(validation.rejection?.reason == .bodyMismatch)
    #expect(validation.rejection?.description == #"expected a body that matches "test[0-9]+", found "login""#)
  }

  @Test func `a large page without the word is a plain rejection`() throws {
    let validator = try MatchesValidator(Self.connectivity, options: Self.connectivityOptions)
    var page = Array("<html><body>".utf8)
    while page.count < 1 << 20 { page += "<p class=\"x\">Succes 👋</p>\r\n".utf8 }
    #expect(validator.validate(try response(page)).rejection?.reason == .bodyMismatch)
  }

  @Test func `a catastrophic pattern ends at its limit`() throws {
    let body = Array(repeating: UInt8(ascii: "a"), count: 30_000) + [UInt8(ascii: "!")]
    let validation = try MatchesValidator("(a+)+$").validate(response(body))
    #expect(validation.rejection?.reason == .matchLimit)
    #expect(
      validation.rejection?.description
        == "expected a body that matches \"(a+)+$\", found that the pattern needs more work on these 30001 bytes "
        + "than it may have")
  }

  @Test func `in a truncated body the match may follow`() throws {
    let validator = try MatchesValidator("Success")
    #expect(validator.validate(try response("Succ".utf8, isCut: true)).rejection?.reason == .bodyTooLarge)
    #expect(validator.validate(try response("Success".utf8, isCut: true)).isAccepted)
  }

  @Test func `named groups are reported`() throws {
    let validator = try MatchesValidator("(?<status>[a-z]+)=(?<code>[0-9]+)|(?<other>x)")
    #expect(
      validator.validate(try response("ok=42".utf8)) == .accepted(captures: ["status": "ok", "code": "42"]))
  }

  @Test func `an error has its location`() throws {
    let pattern = "<BODY>(Success</BODY>"
    let error = try #require(throws: InvalidInput.self) { try MatchesValidator(pattern) }
    #expect(error.message == "pattern: missing closing parenthesis")
    #expect(error.remedy == #"close the group with ), or write \( for the character itself"#)
    #expect(error.offset == 21)
    #expect(error.caretLines(in: pattern) == pattern + "\n                     ^")
  }

  @Test(arguments: [
    ("casless", "did you mean caseless? The options are anchored, caseless, dotall, extended, multiline"),
    ("DotAll", "did you mean dotall? The options are anchored, caseless, dotall, extended, multiline"),
    ("multi", "did you mean multiline? The options are anchored, caseless, dotall, extended, multiline"),
    ("i", "The options are anchored, caseless, dotall, extended, multiline"),
    ("", "The options are anchored, caseless, dotall, extended, multiline"),
  ])
  func `an unknown option is refused`(name: String, remedy: String) throws {
    let error = try #require(throws: InvalidInput.self) {
      try MatchesValidator("x", options: [MatchesValidator.Option(rawValue: name)])
    }
    #expect(error.message == "unknown option \"\(name)\"")
    #expect(error.remedy == remedy)
  }

  @Test(arguments: [
    (#""x+""#, MatchesValidator.Options(pattern: "x+")),
    (#"{"pattern":"x+"}"#, MatchesValidator.Options(pattern: "x+")),
    (
      #"{"pattern":"x","options":["caseless","dotall"]}"#,
      MatchesValidator.Options(pattern: "x", options: [.caseless, .dotall])
    ),
  ])
  func `options round trip`(json: String, options: MatchesValidator.Options) throws {
    #expect(try JSONDecoder().decode(MatchesValidator.Options.self, from: Data(json.utf8)) == options)
    let encoded = try JSONEncoder().encode(options)
    #expect(try JSONDecoder().decode(MatchesValidator.Options.self, from: encoded) == options)
  }

  @Test func `one validator serves a thousand tasks at once`() async throws {
    let validator = try MatchesValidator("(?<n>[0-9]+)</body>", options: [.caseless])
    let responses = try (0..<1000).map { try response("<BODY>\($0)</BODY>".utf8) }
    let right = await withTaskGroup(of: Bool.self) { group in
      for (number, response) in responses.enumerated() {
        group.addTask { validator.validate(response).captures == ["n": "\(number)"] }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(right == 1000)
  }
}
