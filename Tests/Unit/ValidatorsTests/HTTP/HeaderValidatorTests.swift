import FoundationEssentials
import Validators
import ProbeCore
import Testing

@Suite
struct HeaderValidatorTests {
  typealias Options = HeaderValidator.Options

  private static let fields: HeaderFields = [
    "Content-Type": "text/html", "Set-Cookie": "a=1", "set-cookie": "session=42", "X-Empty": "",
  ]

  private func response(fields: HeaderFields = fields) throws -> ProbeResponse {
    ProbeResponse(
      url: try ProbeURL("https://example.com/"), head: HTTPResponseHead(status: 200, fields: fields))
  }

  @Test func aValueIsCapturedUnderItsName() throws {
    func captures(_ change: (inout Options) -> Void) throws -> [String: String] {
      var options = Options(name: "Set-Cookie")
      options.capture = "cookie"
      change(&options)
      return try HeaderValidator(options: options).validate(response()).captures
    }
    #expect(try captures { _ in } == ["cookie": "a=1"])
    #expect(try captures { $0.equals = "session=42" } == ["cookie": "session=42"])
    // The value that matches, and the groups of its pattern.
    #expect(
      try captures { $0.matches = .init(pattern: "=(?<number>[0-9]{2})") }
        == ["cookie": "session=42", "number": "42"])
    #expect(try captures { $0.name = "X-Empty" } == ["cookie": ""])
    #expect(try captures { $0.name = "Location" } == [:])
  }

  @Test(arguments: [
    (Options(name: "content-type", present: true), nil),
    (Options(name: "X-Empty", present: true), nil),
    (Options(name: "Location", present: true), "expected a header field Location, found no such field"),
    (Options(name: "Location", present: false), nil),
    (
      Options(name: "Set-Cookie", present: false),
      #"expected no header field Set-Cookie, found "a=1" and "session=42""#
    ),
    (Options(name: "CONTENT-TYPE", equals: " text/html\t"), nil),
    (
      Options(name: "Content-Type", equals: "text/HTML"),
      #"expected a header field Content-Type equal to "text/HTML", found "text/html""#
    ),
    (Options(name: "Content-Type", equals: "text/HTML", caseless: true), nil),
    (
      Options(name: "Content-Type", equals: "text/h", caseless: true),
      #"expected a header field Content-Type equal to "text/h" in any case, found "text/html""#
    ),
    (Options(name: "Set-Cookie", equals: "session=42"), nil),
    (Options(name: "X-Empty", equals: ""), nil),
    (
      Options(name: "Server", equals: "x"),
      #"expected a header field Server equal to "x", found no such field"#
    ),
    (Options(name: "Set-Cookie", matches: .init(pattern: "^SESSION=", options: [.caseless])), nil),
    (
      Options(name: "Content-Type", matches: .init(pattern: "^html")),
      #"expected a header field Content-Type that matches "^html", found "text/html""#
    ),
  ])
  func judges(options: Options, rejection: String?) throws {
    let validator = try HeaderValidator(options: options)
    let validation = validator.validate(try response())
    #expect(validation.rejection?.description == rejection)
    #expect(validation.rejection.map { $0.reason == .httpHeader } ?? true)
    #expect(validator.judges == [.content, .http])
  }

  @Test func `named groups are reported`() throws {
    let options = Options(name: "Set-Cookie", matches: .init(pattern: "session=(?<session>[0-9]+)"))
    let validation = try HeaderValidator(options: options).validate(response())
    #expect(validation == .accepted(captures: ["session": "42"]))
  }

  @Test func `a response without a head has no fields`() throws {
    let bare = ProbeResponse(url: try ProbeURL("tcp://example.com:7"))
    let rejection = try HeaderValidator("Server").validate(bare).rejection
    #expect(rejection?.reason == .httpHeader)
    #expect(
      rejection?.description == "expected a header field Server, found a response without header fields")
    let absent = try HeaderValidator(options: Options(name: "Server", present: false)).validate(bare)
      .rejection
    #expect(absent?.description == "expected no header field Server, found a response without header fields")
  }

  /// The work is counted: with a limit for each of 1500 values, this would take seconds.
  @Test(arguments: [nil, "found"])
  func `all values of a field share one limit`(capture: String?) throws {
    let values = (0..<1500).map { _ in (name: "X", value: String(repeating: "a", count: 30) + "!") }
    var options = Options(name: "X", matches: .init(pattern: "(a+)+$"))
    options.capture = capture
    let validator = try HeaderValidator(options: options)
    var validation = validator.validate(try response(fields: HeaderFields(values)))
    #expect(validation.rejection?.reason == .matchLimit)
    // Nothing is left for the last one.
    validation = validator.validate(try response(fields: HeaderFields(values + [(name: "X", value: "aa")])))
    #expect(validation.rejection?.reason == .matchLimit)
    validation = validator.validate(try response(fields: HeaderFields([(name: "X", value: "aa")] + values)))
    #expect(validation.captures == (capture.map { [$0: "aa"] } ?? [:]))
    #expect(validation.isAccepted)
  }

  @Test func `a catastrophic pattern ends at its limit`() throws {
    let fields: HeaderFields = ["X": String(repeating: "a", count: 5000) + "!"]
    let options = Options(name: "X", matches: .init(pattern: "(a+)+$"))
    let validation = try HeaderValidator(options: options).validate(response(fields: fields))
    #expect(validation.rejection?.reason == .matchLimit)
  }

  @Test(arguments: [
    (
      Options(name: ""), "the name of the header field is empty: give one, such as Content-Type"
    ),
    (
      Options(name: "Server: nginx", present: true),
      #""Server: nginx" cannot name a header field: leave the colon out, and give the value as equals or matches"#
    ),
    (
      Options(name: "Größe", present: true),
      #""Größe" cannot name a header field: use letters, digits and hyphens"#
    ),
    (
      Options(name: "Server"), "the test of the header field is missing: add present, equals or matches"
    ),
    (
      Options(name: "Server", present: true, equals: "x"),
      "the header field has more than one test: keep one of present, equals and matches, and put several "
        + "validators under all"
    ),
    (
      Options(name: "Server", caseless: true, matches: .init(pattern: "x")),
      "caseless requires equals: for matches write options: [caseless] beside its pattern"
    ),
    (
      Options(name: "Server", matches: .init(pattern: "a)")),
      #"pattern: unmatched closing parenthesis: remove it, or write \) for the character itself"#
    ),
  ])
  func `unusable options are refused`(options: Options, message: String) throws {
    let error = try #require(throws: InvalidInput.self) { try HeaderValidator(options: options) }
    #expect(error.description == message)
  }

  @Test(arguments: [
    (#""Server""#, Options(name: "Server", present: true)),
    (#"{"name":"Server"}"#, Options(name: "Server")),
    (#"{"name":"Server","present":false}"#, Options(name: "Server", present: false)),
    (
      #"{"name":"Server","equals":"x","caseless":true}"#, Options(name: "Server", equals: "x", caseless: true)
    ),
    (#"{"name":"Server","matches":"x+"}"#, Options(name: "Server", matches: .init(pattern: "x+"))),
    (
      #"{"name":"Server","matches":{"pattern":"x+","options":["caseless"]}}"#,
      Options(name: "Server", matches: .init(pattern: "x+", options: [.caseless]))
    ),
  ])
  func `options round trip`(json: String, options: Options) throws {
    #expect(try JSONDecoder().decode(Options.self, from: Data(json.utf8)) == options)
    let encoded = try JSONEncoder().encode(options)
    #expect(try JSONDecoder().decode(Options.self, from: encoded) == options)
  }
}
