import Validators
import ProbeCore
import Testing

/// `line` of `header`: the lines as received.
@Suite
struct HeaderLineTests {
  private static func rejection(
    of head: String, by pattern: String, options: [MatchesValidator.Option] = []
  ) throws -> String? {
    var response = ProbeResponse.example()
    response.head = HTTPResponseHead(wireBytes: Array(head.utf8))
    let validator = try HeaderValidator(
      options: .init(line: MatchesValidator.Options(pattern: pattern, options: options)))
    return validator.validate(response).rejection?.description
  }

  @Test(arguments: [
    ("X-Status: online\r\n", true), ("x-status: ONLINE\r\n", true), ("X-Status:online\r\n", false),
    ("X-Status:  online\r\n", false), ("X-Status: online\n", false), ("X-Status: online \r\n", false),
    ("X-Other: X-Status: online\r\n", false), ("A: b\r\nX-Status: online\r\nC: d\r\n", true),
  ])
  func theEntireLineIsCompared(_ line: String, _ isFound: Bool) throws {
    let rejection = try Self.rejection(
      of: "HTTP/1.1 200 OK\r\n\(line)\r\n", by: #"^X-Status: online\r\n"#, options: [.caseless])
    #expect(
      rejection
        == (isFound
          ? nil : ##"expected a header line that matches "^X-Status: online\\r\\n", found no such field"##)
    )
  }

  @Test func theComparisonIsCaseSensitive() throws {
    let head = "HTTP/1.1 302 Found\r\nlocation: /a\r\n\r\n"
    #expect(try Self.rejection(of: head, by: "^location:") == nil)
    #expect(try Self.rejection(of: head, by: "^Location:") != nil)
  }

  @Test func aFoldedFieldIsOneLine() throws {
    #expect(try Self.rejection(of: "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", by: #"^A: b\r\n c\r\n$"#) == nil)
  }

  @Test func fieldsMadeInCodeHaveLinesToo() throws {
    let validator = try HeaderValidator(options: .init(line: .init(pattern: #"^A: b\r\n"#)))
    #expect(validator.validate(.example(fields: ["A": "b"])).isAccepted)
    #expect(!validator.validate(.example(fields: ["A": "c"])).isAccepted)
  }

  @Test(arguments: [
    (
      HeaderValidator.Options(name: "A", line: .init(pattern: "a")), "line cannot be combined with other keys"
    ),
    (.init(equals: "a", line: .init(pattern: "a")), "line cannot be combined with other keys"),
    (.init(present: true), "the name of the header field is missing"),
    (.init(), "the name of the header field is missing"),
  ])
  func otherKeysAreRefused(_ options: HeaderValidator.Options, _ message: String) {
    let error = #expect(throws: InvalidInput.self) { try HeaderValidator(options: options) }
    #expect(error?.message == message)
  }
}
