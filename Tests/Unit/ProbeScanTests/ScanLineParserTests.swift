import ProbeCore
import ProbePipeline
import Testing

@testable import ProbeScan

/// A line of the input: a URL, or a JSON object.
@Suite struct ScanLineParserTests {
  private static func line(_ text: String) -> ScanLine {
    ScanLineParser.line(Array(text.utf8)[...], number: 3)
  }

  private static func problem(_ line: ScanLine) -> String? {
    do throws(InvalidInput) {
      _ = try line.target.get()
      return nil
    } catch {
      return error.description
    }
  }

  static let ids: [(json: String, id: ScanLine.ID?)] = [
    (#""id":"a""#, .text("a")), (#""id":"""#, .text("")), (#""id":"é\u0000\n""#, .text("é\0\n")),
    (#""id":7"#, .number(7)), (#""id":-1"#, .number(-1)), (#""id":0"#, .number(0)),
    (#""id":9223372036854775807"#, .number(.max)), (#""id":-9223372036854775808"#, .number(.min)),
    (#""id":null"#, nil), (#""set":null"#, nil),
  ]

  @Test(arguments: ids) func validIDsAreRead(_ json: String, id: ScanLine.ID?) {
    for text in ["{\(json),\"url\":\"https://a.example/\"}", "{\"url\":\"https://a.example/\",\(json)}"] {
      let line = Self.line(text)
      #expect(line.id == id)
      #expect(Self.problem(line) == nil)
      #expect((line.number, line.url, line.set) == (3, "https://a.example/", nil))
    }
  }

  @Test(arguments: ["1.5", "1.0", "1e2", "9223372036854775808", "1e400", "true", "[]", "[1]", "{}"])
  func invalidIDsAreRejected(_ json: String) {
    let line = Self.line("{\"id\":\(json),\"url\":\"https://a.example/\"}")
    #expect(line.id == nil)
    #expect(Self.problem(line) != nil)
  }

  static let problems: [(json: String, problem: String)] = [
    (#"{"id":7}"#, "the field url is missing"),
    (#"{"id":7,"url":null}"#, "the field url has the wrong type: give a text"),
    (#"{"id":7,"url":5}"#, "the field url has the wrong type: give a text"),
    (#"{"id":7,"url":"https://a.example/","set":5}"#, "the field set has the wrong type: give a text"),
    (
      #"{"id":7,"url":"https://a.example/","labels":["a"]}"#,
      "the field labels has the wrong type: give an object of texts"
    ),
    (#"{"id":7,"url":"https://a.example/","labels":{"a":1}}"#, #"the label "a" is not a text"#),
    (#"{"id":7,"uri":"https://a.example/"}"#, #""uri" is not a field of a line: did you mean url?"#),
    (
      #"{"id":7,"url":"https://a.example/","timeout":"5s"}"#,
      #""timeout" is not a field of a line: put other data under labels, or leave it out"#
    ),
    (#"{"url":"","id":7}"#, "the URL is empty"),
  ]

  /// So that the result can be found by its ID.
  @Test(arguments: problems) func theIDIsReadDespiteErrors(_ json: String, problem: String) {
    let line = Self.line(json)
    #expect(line.id == .number(7))
    #expect(Self.problem(line)?.hasPrefix(problem) == true, "\(Self.problem(line) ?? "no problem")")
  }

  @Test(arguments: [
    "{", "{}x", #"{"id":7,}"#, #"{"url":"https://a.example/","url":"https://b.example/"}"#,
    #"{"id":1,"id":2}"#,
    #"{"url":"\ud800"}"#, "{\"url\":\"a\u{1}\"}", "{'url':'https://a.example/'}", #"{"a":NaN}"#,
    "{\"labels\":" + String(repeating: "[", count: 9) + String(repeating: "]", count: 9) + "}",
  ])
  func invalidJSONIsRejected(_ text: String) {
    let line = Self.line(text)
    #expect(line.id == nil)
    #expect(Self.problem(line)?.hasPrefix("the line is not valid JSON: ") == true)
  }

  @Test func deepNestingIsRejected() {
    for text in [
      "{\"a\":" + String(repeating: "[", count: 60_000), String(repeating: "{\"a\":", count: 12_000),
    ] {
      #expect(Self.problem(Self.line(text))?.hasPrefix("the line is not valid JSON: ") == true)
    }
  }

  @Test func labelsAndSet() {
    let line = Self.line(
      #"{"url":"https://a.example/","set":"shop","labels":{"site":"berlin","empty":"","text":"\u202e\n"}}"#)
    #expect(line.set == "shop")
    #expect(line.labels == ["site": "berlin", "empty": "", "text": "\u{202E}\n"])
    for name in ["", "a b", "__a", "é", "a\\n"] {
      #expect(
        Self.problem(Self.line("{\"url\":\"https://a.example/\",\"labels\":{\"\(name)\":\"\"}}")) != nil)
    }
  }

  @Test(arguments: ["[]", "null", "7", "\"https://a.example/\"", "nonsense", "\0\0\0", "https://"])
  func invalidURLsAreRejected(_ text: String) {
    let line = Self.line(text)
    #expect(Self.problem(line) != nil)
    #expect(line.id == nil)
  }

  @Test func invalidUTF8IsRejected() {
    let line = ScanLineParser.line([0x68, 0xFF, 0xC3], number: 1)
    #expect(Self.problem(line)?.hasPrefix("the line is not valid UTF-8") == true)
    #expect(
      Self.problem(ScanLineParser.line(Array("{\"id\":\"".utf8) + [0xFF, 0x22, 0x7D], number: 1)) != nil)
  }

  @Test(arguments: [
    "https://user:s3cret@a.example/", #"{"url":"https://user:s3cret@a.example/"}"#,
    #"{"url":"https://user:s3cret@a.example/","id":1.5}"#, #"{"url":"https://user:s3cret@a.example/""#,
  ])
  func credentialsAreNotShown(_ text: String) {
    let line = Self.line(text)
    #expect(Self.problem(line) != nil)
    #expect(!line.url.contains("s3cret"))
    #expect(Self.problem(line)?.contains("s3cret") == false)
  }
}
