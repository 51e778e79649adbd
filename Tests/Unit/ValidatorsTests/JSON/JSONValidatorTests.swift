import Foundation
import Validators
import ProbeCore
import Testing

@Suite struct JSONValidatorTests {
  /// A validator with options as in a file.
  private func validator(_ options: String) throws -> JSONValidator {
    let options = try JSONDecoder().decode([JSONValidator.Options].self, from: Data("[\(options)]".utf8))
    return try JSONValidator(options: options[0])
  }

  private func rejection(_ options: String, _ body: String) throws -> Validation.Rejection? {
    try validator(options).validate(.example(body: body)).rejection
  }

  @Test(arguments: [
    ("1", "1.0", true), ("1", "1e0", true), ("1.5", "15e-1", true), ("1", "2", false), ("0", "-0.0", true),
    ("9223372036854775807", "9223372036854775807", true),
    ("9223372036854775807", "9223372036854775806", false),
    // 2^53 + 1 is not a double.
    ("9007199254740993", "9007199254740992", false), ("9007199254740993", "9007199254740992.0", false),
    ("9007199254740992", "9007199254740992.0", true),
    // Beyond 64 bits too.
    ("18446744073709551616", "18446744073709551617", false),
    ("18446744073709551617", "18446744073709551617", true),
    ("18446744073709551617", "1.8446744073709551617e19", true), ("0.1", "0.10", true),
    ("0.1", "0.1000000000000000055", false), ("1", "1e400", false), ("1", "\"1\"", false),
    ("\"1\"", "1", false),
    ("\"ok\"", "\"ok\"", true), ("\"ok\"", "\"OK\"", false), ("\"é\"", "\"e\\u0301\"", false),
    ("\"é\"", "\"\\u00e9\"", true), ("true", "true", true), ("true", "1", false), ("false", "null", false),
    ("null", "null", true), ("null", "0", false),
    ("[1, {\"a\": 2, \"b\": []}]", "[1.0, {\"b\":[],\"a\":2}]", true),
    ("[1]", "[1,1]", false), ("{}", "{\"a\":1}", false), ("{\"a\": 1}", "{\"b\":1}", false),
  ])
  func equality(_ expected: String, _ found: String, _ accepts: Bool) throws {
    let one = "{\"at\": \"/x\", \"equals\": \(expected)}"
    #expect(try (rejection(one, "{\"x\":\(found)}") == nil) == accepts)
    let many = "{\"at\": \"/x\", \"in\": [\"other\", \(expected)]}"
    #expect(try (rejection(many, "{\"x\":\(found)}") == nil) == accepts)
  }

  @Test(
    arguments: [
      ("1", 0, true), ("0", 0, false), ("0.001", 0, true), ("-1", 0, false), ("1e300", 0, true),
      ("9223372036854775807", 9_223_372_036_854_775_806, true), ("9223372036854775808", .max, true),
      ("-1e300", .min, false), ("9007199254740992.0", 9_007_199_254_740_993, false),
      ("9007199254740994.0", 9_007_199_254_740_993, true), ("1e400", .max, true), ("-1e400", .min, false),
      ("-0.5", 0, false), ("\"1\"", 0, false),
      ("null", -1, false), ("true", 0, false),
    ] as [(String, Int, Bool)])
  func bounds(_ found: String, _ bound: Int, _ isAbove: Bool) throws {
    let body = "[\(found)]"
    #expect(try (rejection("{\"at\": \"/0\", \"above\": \(bound)}", body) == nil) == isAbove)
    let isNumber = !["\"", "n", "t"].contains { found.hasPrefix($0) }
    let isEqual = found == "\(bound)"
    #expect(
      try (rejection("{\"at\": \"/0\", \"below\": \(bound)}", body) == nil)
        == (isNumber && !isAbove && !isEqual))
  }

  /// One large number in a body does not make doubles of the others.
  @Test func numbersAreIndependent() throws {
    let body = #"{"large":18446744073709551617,"id":9007199254740993,"n":5,"far":[1e400]}"#
    #expect(try rejection(#"{"at": "/id", "equals": 9007199254740992}"#, body)?.found == "9007199254740993")
    #expect(try rejection(#"{"at": "/id", "equals": 9007199254740993}"#, body) == nil)
    let captured = try validator(#"[{"at": "/n", "capture": "n"}, {"at": "/far/0", "capture": "far"}]"#)
      .validate(.example(body: body)).captures
    #expect(captured == ["n": "5", "far": "1e400"])
  }

  @Test func valuesInCodeAreExact() throws {
    let exact = try JSONValidator(at: "/n", equals: .decimal("18446744073709551617"))
    #expect(exact.validate(.example(body: #"{"n":18446744073709551617}"#)).rejection == nil)
    #expect(exact.validate(.example(body: #"{"n":18446744073709551616}"#)).rejection != nil)
    let fraction = try JSONValidator(at: "/n", equals: .number(0.1))
    #expect(fraction.validate(.example(body: #"{"n":1e-1}"#)).rejection == nil)
    for value in [
      JSONValidator.Value.number(.nan), .number(.infinity), .decimal("0x1"), .list([.decimal("")]),
    ] {
      let mistake = #expect(throws: InvalidInput.self) { try JSONValidator(at: "/n", equals: value) }
      #expect(mistake?.path == ["equals"])
    }
  }

  @Test func existence() throws {
    #expect(try rejection("\"/a\"", "{\"a\":null}") == nil)
    #expect(try rejection("\"\"", "null") == nil)
    #expect(try rejection("{\"at\": \"/a\", \"exists\": false}", "{}") == nil)
    #expect(
      try rejection("{\"at\": \"/a\", \"exists\": false}", "{\"a\":[1]}")?.description
        == "expected no value at /a, found [1]")
  }

  @Test func severalConditionsAndTestsMustAllHold() throws {
    let options =
      "[{\"at\": \"/n\", \"above\": 1, \"below\": 3}, {\"at\": \"/s\", \"matches\": \"^a\"}]"
    #expect(try rejection(options, #"{"n":2,"s":"ab"}"#) == nil)
    #expect(
      try rejection(options, #"{"n":3,"s":"ab"}"#)?.description
        == "expected a number above 1 and a number below 3 at /n, found 3")
    #expect(
      try rejection(options, #"{"n":2,"s":"b"}"#)?.description
        == "expected a string that matches \"^a\" at /s, found \"b\"")
    #expect(
      try rejection(options, #"{"n":2,"s":7}"#)?.found == "7, which is a number")
    #expect(
      try rejection("{\"at\": \"/n\", \"in\": [1, 2, 3, 4, 5, 6, 7]}", "{\"n\":8}")?.expected
        == "1 or 2 or 3 or 4 or 5 or 2 others at /n")
  }

  @Test func captures() throws {
    let options =
      "[{\"at\": \"/t\", \"capture\": \"token\"}, {\"at\": \"/n\", \"capture\": \"number\"}, "
      + "{\"at\": \"/l\", \"capture\": \"list\"}, {\"at\": \"/t\", \"matches\": \"^(?<first>.)\"}]"
    let body = #"{"t":"a\"b","n":1.50,"l":[null,5,18446744073709551617,"x\n"]}"#
    let validation = try validator(options).validate(.example(body: body))
    #expect(
      validation.captures == [
        "token": "a\"b", "number": "1.50", "list": #"[null,5,18446744073709551617,"x\n"]"#, "first": "a",
      ])
  }

  @Test(arguments: [
    ("{\"a\":1,}", "line 1, column 8"), ("{\n \"a\":1,\n \"a\":2}", "line 3, column 4"),
    ("<html>log in</html>", "line 1, column 1"), ("{\"a\":1", "line 1, column 6"),
    (String(repeating: "[", count: 65), "line 1, column 65"), ("[1e400,]", "line 1, column 8"),
  ])
  func syntaxErrorsHaveALocation(_ body: String, _ location: String) throws {
    let rejection = try #require(try rejection("\"/a\"", body))
    #expect(rejection.reason == .bodyMismatch)
    #expect(rejection.found.hasPrefix("a body that is not JSON: "))
    #expect(rejection.found.hasSuffix(" in \(location)"), "\(rejection.found)")
  }

  @Test func anEmptyBodyIsNotJSON() throws {
    #expect(try rejection("\"/a\"", "")?.found == "an empty body")
  }

  @Test func aCutBodyIsUndecided() throws {
    var response = ProbeResponse.example(body: #"{"a":1}"#)
    response.bodyIsCut = true
    let validator = try validator("{\"at\": \"/a\", \"equals\": 2}")
    #expect(validator.validate(response).rejection?.reason == .bodyTooLarge)
    #expect(Not(validator).validate(response).rejection?.reason == .bodyTooLarge)
  }

  @Test func aPatternIsLimited() throws {
    let body = "[\"\(String(repeating: "a", count: 40))!\"]"
    #expect(try rejection(#"{"at": "/0", "matches": "^(a+)+$"}"#, body)?.reason == .matchLimit)
  }

  @Test(arguments: [
    ("[]", [], "the list of tests is empty: give at least one, such as { at: /status }"),
    ("{\"at\": \"/a\", \"above\": \"1\"}", ["above"], "above must be a number, not \"1\""),
    (
      "{\"at\": \"/a\", \"exists\": false, \"equals\": 1}", ["exists"],
      "exists: false cannot be combined with other conditions: omit it, or the others"
    ),
    (
      "{\"at\": \"/a\", \"capture\": \"1st\"}", ["capture"],
      "\"1st\" cannot name a capture: use at most 32 letters, digits and underscores, not a digit first"
    ),
    ("[\"/a\", {\"at\": \"/a\", \"in\": []}]", ["1", "in"], "the list is empty: give at least one value"),
  ])
  func wrongOptionsAreExplained(_ options: String, _ path: [String], _ words: String) {
    let mistake = #expect(throws: InvalidInput.self) { try validator(options) }
    #expect(mistake?.description == words)
    #expect(mistake?.path == path)
  }
}
