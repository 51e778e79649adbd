import TestRequirements
import Testing

@testable import ProbePatterns

/// Searching the start of a stream: a reported match remains valid, however much more is received.
@Suite(.heavy)
struct StreamMatchingTests {
  static let cases:
    [(pattern: String, options: PatternOptions, start: String, result: Pattern.StreamResult)] = [
      ("220 ", [], "", .open(from: 0)),
      ("220 ", [], "22", .open(from: 0)),
      ("220 ", [], "x22", .open(from: 1)),
      ("220 ", [], "xyz", .open(from: 3)),
      ("220 ", [], "x220 y", .match(Pattern.Match(range: 1..<5, groups: [:]))),
      // A match that reaches the end is undecided, even if there is a shorter one.
      ("a+", [], "baa", .open(from: 1)),
      ("a+", [], "baac", .match(Pattern.Match(range: 1..<3, groups: [:]))),
      ("a+?", [], "baa", .match(Pattern.Match(range: 1..<2, groups: [:]))),
      ("a$", [], "a", .open(from: 0)),
      ("a$", .multiline, "a\r\n", .match(Pattern.Match(range: 0..<1, groups: [:]))),
      (#"a\b"#, [], "a", .open(from: 0)),
      (#"a\b"#, [], "a ", .match(Pattern.Match(range: 0..<1, groups: [:]))),
      ("a(?!b)", [], "a", .open(from: 0)),
      ("a(?!b)", [], "ab", .open(from: 2)),
      ("a(?!b)", [], "ac", .match(Pattern.Match(range: 0..<1, groups: [:]))),
      ("(?<=ab)c", [], "ab", .open(from: 2)),
      ("(?<=ab)c", [], "abc", .match(Pattern.Match(range: 2..<3, groups: [:]))),
      (#"a\R"#, [], "a\r", .open(from: 0)),
      (#"a\Z"#, [], "a\n", .open(from: 0)),
      ("(?s).*", [], "abc", .open(from: 0)),
      ("x?", [], "", .open(from: 0)),
      ("^b", [], "ab", .open(from: 2)),
      ("b", .anchored, "ab", .open(from: 2)),
      ("ab", .literal.union(.caseless), "xA", .open(from: 1)),
    ]

  @Test(arguments: cases, [true, false])
  func finds(
    _ test: (pattern: String, options: PatternOptions, start: String, result: Pattern.StreamResult),
    translated: Bool
  ) throws {
    let options = test.options.union(.streaming)
    let pattern = try Pattern(test.pattern, options: options, translated: translated)
    #expect(pattern.isTranslatedForStreams == translated)
    #expect(pattern.firstMatch(inStart: Array(test.start.utf8)[...]) == test.result)
  }

  @Test(arguments: [true, false])
  func `an incomplete character is awaited`(translated: Bool) throws {
    let pattern = try Pattern("caf(é|.)!?x", options: .streaming, translated: translated)
    let bytes = Array("a café!x".utf8)
    for end in 0..<bytes.count {
      guard case .open(let start) = pattern.firstMatch(inStart: bytes[..<end]) else {
        Issue.record("decided at \(end)")
        continue
      }
      #expect(start <= 2)
    }
    #expect(
      pattern.firstMatch(inStart: bytes[...]) == .match(Pattern.Match(range: 2..<9, groups: [:])))
  }

  @Test func `a pattern not compiled for streams is interpreted`() throws {
    let pattern = try Pattern("a(?<rest>b+)")
    #expect(!pattern.isTranslatedForStreams)
    #expect(pattern.firstMatch(inStart: Array("xab".utf8)[...]) == .open(from: 1))
    let match = Pattern.Match(range: 1..<4, groups: ["rest": 2..<4])
    #expect(pattern.firstMatch(inStart: Array("xabbc".utf8)[...], namedGroups: true) == .match(match))
  }

  static let patterns = [
    "a", "ab|b", "a+b", "a.*b", "(?s)a.*b", "(?s)a.*?b", "^a", "(?m)^b", "(?m)b$", "b$", #"a\b"#, #"\ba"#,
    "a(?!b)",
    "(?=ab)a", "(?<=a)b", "(?<!a)b", #"a\R"#, #"\r?\n"#, #"a\Kb"#, "(a|ab)(c|bcd)?", "é", ".é", "[^a]b",
    #"\W"#,
    #"\x{0}"#, "(?<n>a)|(?<m>b+)c", "(?i)A.", "a{2,3}", "a*+b", "(?>a+)b", "(a)(?(1)b|c)", #"(a|b)\1"#,
    #"\X"#, ".",
    "x*", "(?m)^", "$", #"\z"#, "(?!a)", #"\Ga"#, "(*COMMIT)ab", "a(*SKIP)b|.", #"(?m)^a.*\r\n"#,
  ]

  /// The essential property: the result for a part of a stream must be consistent with that for the whole
  /// stream.
  @Test(arguments: patterns, [true, false])
  func `the decision on a start holds for the entire text`(_ text: String, translated: Bool) throws {
    let pattern = try Pattern(text, options: .streaming, translated: translated)
    let pieces: [[UInt8]] = [
      [0x61], [0x61], [0x62], [0x63], [0x0D], [0x0A], [0x20], [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xFF],
      [0xC3],
      [0x80], [0x00], [0xF0, 0x9F, 0x91, 0x8B],
    ]
    var numbers = Numbers(state: 0x1234_5678)
    for _ in 0..<400 {
      let stream = (0..<Int(numbers.next() % 10)).flatMap { _ in pieces[Int(numbers.next() % 14)] }
      let whole = pattern.firstMatch(in: stream[...], namedGroups: true)
      for end in 0...stream.count {
        switch pattern.firstMatch(inStart: stream[..<end], namedGroups: true) {
        case .match(let match):
          #expect(whole == .match(match), "\(text) in \(stream) up to \(end)")
        case .open(let start):
          guard case .match(let match) = whole, match.range.lowerBound < start else { continue }
          Issue.record("\(text) in \(stream) up to \(end): from \(start), and yet \(match)")
        case .limit: Issue.record("limit")
        }
      }
    }
  }

  @Test(arguments: [true, false])
  func `a pattern of too much work ends at its limit`(translated: Bool) throws {
    let pattern = try Pattern("(a+)+b", options: .streaming, translated: translated)
    let bytes = [UInt8](repeating: 0x61, count: 60) + [0x63]
    #expect(pattern.firstMatch(inStart: bytes[...]) == .limit)
  }

  @Test func `a pattern has properties`() throws {
    #expect(try Pattern("(?<a>x)(?<b>y)?(z)").groupNames == ["a", "b"])
    #expect(try Pattern("x").groupNames.isEmpty)
    #expect(try Pattern("x*").canMatchNothing)
    #expect(try !Pattern("x+").canMatchNothing)
  }
}

/// Numbers that are the same in every run (xorshift).
private struct Numbers {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state >> 8
  }
}
