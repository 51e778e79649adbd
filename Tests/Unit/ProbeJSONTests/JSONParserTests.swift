import ProbeCore
import Testing

@testable import ProbeJSON

/// JSON exactly as specified in RFC 8259.
@Suite struct JSONParserTests {
  private static let parser = JSONParser(maximumLength: 4096, maximumDepth: 8)

  private static func value(of text: String) throws -> JSONValue { try parser.value(of: Array(text.utf8)) }

  private static func number(_ text: String) -> JSONValue { JSONNumber(text).map { .number($0) } ?? .null }

  @Test(
    arguments: [
      ("null", .null), (" \t\r\ntrue\n", .bool(true)), ("false", .bool(false)), ("-0", Self.number("-0")),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", number("9223372036854775808")), ("[-1e-2]", .array([number("-1e-2")])),
      ("1E+2", number("1E+2")), ("1e-400", number("1e-400")), ("-1e400", number("-1e400")),
      ("[1e400 ]", .array([number("1e400")])), ("\"\"", .string("")),
      ("\"\u{7F}é€😀\"", .string("\u{7F}é€😀")),
      (#""\"\\\/\b\f\n\r\t\u0000\u20aC\ud83D\uDe00""#, .string("\"\\/\u{8}\u{C}\n\r\t\0€😀")),
      ("\"\u{2028}\u{FFFF}\"", .string("\u{2028}\u{FFFF}")), ("[ ]", .array([])), ("{ }", .object([])),
      (
        #"{"b": [1, {"": null}], "a": "x"}"#,
        .object([
          .init("b", .array([.integer(1), .object([.init("", .null)])])), .init("a", .string("x")),
        ])
      ),
      ("\u{FEFF}{}", .object([])),
      ("[[[[[[[[]]]]]]]]", (0..<7).reduce(.array([])) { value, _ in .array([value]) }),
      (#"["[[[[[[[[[", "\"[[[[[[[[["]"#, .array([.string("[[[[[[[[["), .string("\"[[[[[[[[[")])),
    ] as [(String, JSONValue)])
  func validJSONIsRead(_ text: String, _ value: JSONValue) throws {
    #expect(try Self.value(of: text) == value)
  }

  @Test(
    arguments: [
      // Structure.
      "", " ", "[", "{", "]", "[]]", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1:2]", #"{"a"}"#,
      #"{"a":}"#, #"{"a":1,}"#, #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, #"{'a':1}"#, "{1:1}", "{null:1}",
      #"{"a":1}x"#, #"{"a":1}{"#, "[1]\u{1}", "1 2", "[}", #"{"a":1]"#, "\u{FEFF}", "[\u{FEFF}1]",
      "[\u{A0}1]",
      "[\u{C}1]", "[1]//", "[/**/1]", "<a>",
      // Words and numbers.
      "nul", "nulll", "True", "NaN", "[Infinity]", "[-Infinity]", "undefined", "+1", "01", "-01", "-", ".5",
      "1.",
      "1.e1", "1e", "1e+", "0x1", "1_000", "1,5", "--1", "1e1.5", "\u{661}", "1a", "1e400-", "1e400 1",
      "-1.5.2", "18446744073709551616x",
      // Strings.
      "\"", "\"a", #""\""#, #""\x""#, #""\u00""#, #""\u00G0""#, #""\U0041""#, #""\'""#, "'a'", "\"a\nb\"",
      "\"a\tb\"", "\"\u{1F}\"", #""\ud800""#, #""\udc00\ud800""#, #""\ud800\u0041""#,
    ])
  func invalidJSONIsRefused(_ text: String) {
    #expect(throws: JSONError.self) { try Self.value(of: text) }
    // It is not accepted in an unread member either.
    #expect(throws: JSONError.self) { try Self.value(of: "{\"unread\": \(text), \"captive\": true}") }
  }

  /// A number that libjansson cannot represent changes neither itself nor the others.
  @Test func numbersAreIndependentAndExact() throws {
    let text = #"""
      {"a": 18446744073709551617, "b": [5, 9007199254740993, -0.10, 1e400, {"c": 2E0}], "d": 9223372036854775807,
       "1e400": "18446744073709551617 1e400", "e": 0.5}
      """#
    let value = try Self.value(of: text)
    #expect(value["a"] == Self.number("18446744073709551617"))
    #expect(
      value["b"]
        == .array([
          .integer(5), .integer(9_007_199_254_740_993), Self.number("-0.10"), Self.number("1e400"),
          .object([.init("c", Self.number("2E0"))]),
        ]))
    #expect(value["d"] == .integer(.max))
    #expect(value["1e400"] == .string("18446744073709551617 1e400"))
    #expect(value["e"] == Self.number("0.5"))
    #expect(
      value.text
        == #"{"a":18446744073709551617,"b":[5,9007199254740993,-0.10,1e400,{"c":2E0}],"d":9223372036854775807,"#
        + #""1e400":"18446744073709551617 1e400","e":0.5}"#)
  }

  @Test func endlessNumbersTakeLinearTime() throws {
    let digits = String(repeating: "9", count: 1_000_000)
    let value = try JSONParser(maximumLength: .max).value(of: Array("[\(digits), \(digits).5]".utf8))
    #expect(value == .array([Self.number(digits), Self.number(digits + ".5")]))
  }

  @Test(arguments: [
    [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE2, 0x82],
    [0x22, 0xF4, 0xBF, 0xBF, 0xBF, 0x22], [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], [0, 0x7B, 0, 0x7D],
    // A NUL does not end the text.
    [0x31, 0], [0x31, 0, 0x32], [0x5B, 0, 0x5D], [0x22, 0, 0x22],
  ])
  func invalidUTF8IsRefused(_ bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try Self.parser.value(of: bytes) }
  }

  @Test func duplicateNamesAreRefused() throws {
    for text in [
      #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"[{"x":{"":1,"":2}}]"#,
    ] {
      #expect(throws: JSONError.self) { try Self.value(of: text) }
    }
    // The names have different code points, but Swift's strings compare as equal.
    let alike = try Self.value(of: #"{"\u00e9":1,"e\u0301":2}"#)
    #expect(alike["\u{E9}"] == .integer(1))
    #expect(alike["e\u{301}"] == .integer(2))
    // libjansson does not read it.
    #expect(throws: JSONError.self) { try Self.value(of: #"{"a\u0000b":1}"#) }
  }

  @Test(
    arguments: [
      (#"{"captive":true,"captive":false}"#, 1, 25, "duplicate object key"),
      ("{\n \"a\": \"é\\x\"\n}", 2, 10, "invalid escape"), ("", 1, 1, "end of file"),
      ("{\"é\": 1,\n\"é\": [[[[[[[[1", 2, 13, "more than 8 levels"), ("[\n\u{0}]", 2, 1, "a NUL byte"),
      ("[1, 2", 1, 5, "']' expected"), ("[1e400 1]", 1, 8, "']' expected near '1'"),
      ("[1 1e400]", 1, 8, "']' expected near '1e400'"),
      ("[1 -18446744073709551616, 2.50]", 1, 24, "']' expected"), ("[1e0 2.50]", 1, 9, "near '2.50'"),
      ("\u{FEFF}{\"é\": 1e400, 1.5: 0}", 1, 16, "'}' expected near '1.5'"),
      ("\"\u{8}\"", 1, 1, "control character 0x8"),
    ] as [(String, Int, Int, String)])
  func errorsHaveALocation(_ text: String, _ line: Int, _ column: Int, _ words: String) {
    let error = #expect(throws: JSONError.self) { try Self.value(of: text) }
    #expect(error?.line == line && error?.column == column, "\(error?.description ?? "")")
    #expect(error?.problem.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func workIsBounded() throws {
    let (open, close) = (String(repeating: "[", count: 9), String(repeating: "]", count: 9))
    #expect(throws: JSONError.self) { try Self.value(of: open + close) }
    #expect(throws: JSONError.self) { try Self.value(of: String(repeating: #"{"a":"#, count: 500)) }
    #expect(throws: JSONError.self) { try Self.value(of: String(repeating: " ", count: 4097)) }
    #expect(try Self.value(of: "\(String(repeating: " ", count: 4095))1") == .integer(1))
    let endless = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: JSONError.self) { try JSONParser(maximumLength: .max).value(of: endless) }
  }

  @Test func kindsAreDistinguished() throws {
    let value = try Self.value(of: #"{"t":"x","n":1e3,"h":1.5,"b":true,"big":1e99,"i":7}"#)
    #expect(value["t"]?.string == "x")
    #expect(value["b"]?.bool == true)
    #expect(value["n"]?.wholeNumber == 1000)
    #expect(value["i"]?.wholeNumber == 7)
    for name in ["h", "big", "t", "b", "none"] { #expect(value[name]?.wholeNumber == nil) }
    #expect(value["n"]?.string == nil && value["n"]?.bool == nil && value["t"]?["x"] == nil)
  }
}
