import Testing

@testable import ProbePatterns

@Suite
struct PatternMatchingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let pattern: String
    var options: PatternOptions = []
    let subject: [UInt8]
    let range: Range<Int>?

    init(_ pattern: String, _ options: PatternOptions = [], in subject: String, _ range: Range<Int>?) {
      self.init(pattern, options, bytes: Array(subject.utf8), range)
    }

    init(_ pattern: String, _ options: PatternOptions = [], bytes: [UInt8], _ range: Range<Int>?) {
      self.pattern = pattern
      self.options = options
      subject = bytes
      self.range = range
    }

    var testDescription: String { "\(pattern) in \(subject.prefix(40))" }
  }

  static let cases: [Case] = [
    // The reference framework's own oracles.
    Case("test[0-9]+", in: "test1234", 0..<8),
    Case("test[0-9]+", in: "testa1234", nil),
    Case(
      ".*?<BODY>.*?Success.*?</BODY>.*", [.caseless, .dotall, .extended], in: "<body>\nSuccess\n</body>",
      0..<22),
    Case(
      ".*?<BODY>.*?Success.*?</BODY>.*", [.caseless, .dotall, .extended], in: "<body>Failure</body>", nil),
    // Extended: white space in the pattern does not count.
    Case("Microsoft Connect Test", .extended, in: "Microsoft Connect Test", nil),
    Case("Microsoft Connect Test", in: "Microsoft Connect Test", 0..<22),
    // Options one by one.
    Case("success", in: "Success", nil),
    Case("success", .caseless, in: "Success", 0..<7),
    Case("a.b", in: "a\nb", nil),
    Case("a.b", .dotall, in: "a\nb", 0..<3),
    Case("^b$", in: "a\nb\nc", nil),
    Case("^b$", .multiline, in: "a\nb\nc", 2..<3),
    Case("^b$", .multiline, in: "a\r\nb\r\nc", 3..<4),
    Case("b", .anchored, in: "ab", nil),
    Case("a", .endAnchored, in: "ab", nil),
    Case("a.c", .literal, in: "abc a.c", 4..<7),
    Case("é", [.literal, .caseless], in: "CAFÉ", 3..<5),
    Case("k", .caseless, in: "\u{212A}", 0..<3),
    // Offsets are in bytes, whatever the line endings and the lengths of the characters.
    Case("</body>$", in: "<p>\r\n👩‍👩‍👧‍👦é\r\n</body>\r\n", 34..<41),
    Case("^.$", in: "👋", 0..<4),
    // Bytes that are not UTF-8 match nothing, but the text around them is found.
    Case("Success", bytes: [0xFF, 0xC3] + Array("Success".utf8) + [0x80], 2..<9),
    Case("a.b", .dotall, bytes: [0x61, 0xFF, 0x62], nil),
    Case(#"\x{0}b"#, bytes: [0x61, 0, 0x62], 1..<3),
    Case("b", bytes: [0x61, 0, 0x62], 2..<3),
    // Empty patterns and subjects, and \K.
    Case("", in: "", 0..<0),
    Case("^$", in: "", 0..<0),
    Case("a", in: "", nil),
    Case(#"a\Kb"#, in: "ab", 1..<2),
  ]

  @Test(arguments: cases, [true, false])
  func finds(_ test: Case, translated: Bool) throws {
    let pattern = try Pattern(test.pattern, options: test.options, translated: translated)
    let result = pattern.firstMatch(in: test.subject)
    if let range = test.range {
      #expect(result == .match(Pattern.Match(range: range, groups: [:])))
    } else {
      #expect(result == .noMatch)
    }
  }

  @Test func `ranges in a slice are those of the array`() throws {
    let bytes = Array("a b a".utf8)
    let pattern = try Pattern("^ (?<letter>a)$")
    let match = Pattern.Match(range: 3..<5, groups: ["letter": 4..<5])
    #expect(pattern.firstMatch(in: bytes[3...], namedGroups: true) == .match(match))
    #expect(pattern.firstMatch(in: bytes[5...]) == .noMatch)
  }

  @Test func `named groups are returned on request`() throws {
    let pattern = try Pattern("(?<year>[0-9]+)(-(?<month>[0-9]+))?(x)")
    let subject = Array("in 2026x".utf8)
    #expect(pattern.firstMatch(in: subject) == .match(Pattern.Match(range: 3..<8, groups: [:])))
    #expect(
      pattern.firstMatch(in: subject, namedGroups: true)
        == .match(Pattern.Match(range: 3..<8, groups: ["year": 3..<7])))
  }

  @Test func `a name of several groups is that of the matched one`() throws {
    let pattern = try Pattern("(?J)a(?<n>1)|b(?<n>2)")
    let result = pattern.firstMatch(in: Array("b2".utf8), namedGroups: true)
    #expect(result == .match(Pattern.Match(range: 0..<2, groups: ["n": 1..<2])))
  }
}
