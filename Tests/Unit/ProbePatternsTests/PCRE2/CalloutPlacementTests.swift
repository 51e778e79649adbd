internal import CProbePCRE2
import TestRequirements
import Testing
import TestSupport

@testable import ProbePatterns

/// The callouts of a pattern change no match, and leave no work uncounted.
@Suite(.heavy)
struct CalloutPlacementTests {
  @Test(arguments: [
    (#"(\[[^\]]*\])+ ok"#, #"((?C3)\[[^\]]*(?C2)\])+(?C2) ok"#),
    (".*error.*", ".*(?C3)error.*(?C0)"),
    ("a|b+", "a|(?C2)b+(?C0)"),
    ("(?:.|\n)*zb", "(?:.|\n)*(?C2)zb"),
    ("(?<n>a+)(?=b)(?i)c", "(?<n>(?C2)a+(?C1))(?C3)(?=b)(?C3)(?i)c"),
    (#"[])*]+[[:alpha:]|]+x"#, #"[])*]+(?C4)[[:alpha:]|]+(?C1)x"#),
    (#"\(\x{41}{3}a{2,5}?{x"#, #"\(\x{41}{3}(?C3)a{2,5}?(?C2){x"#),
    (#"(a)\1"#, #"(a)(?C0)(?C254)(?C2)\1"#), ("a{0007}b+", "a{0007}(?C2)b+(?C0)"),
    ("(?(?=a)b+|c)", "(?(?=a)(?C2)b+(?C1)|(?C2)c)(?C0)"),
    ("x[ab]{1000}c", "(?C32)x[ab]{1000}(?C1)c"), ("(?#a)b+c", "(?#a)b+(?C1)c"),
    ("(?x) a + b", "(?x) a +(?C2) b"), (#"\Q(a*\E+b"#, #"\Q(a*\E+(?C1)b"#), (#"a+\Q(*"#, #"a+(?C2)\Q(*"#),
    ("(a+)(?-1)b", "((?C2)a+(?C1))(?C3)(?-1)b"),
  ])
  func areWhereWorkIsDone(_ pattern: String, _ expected: String) throws {
    let result = CalloutPlacement.callouts(of: Array(pattern.utf8), [])
    #expect(result.text == expected)
    _ = try Pattern(pattern)
  }

  @Test(arguments: ["Success", #"\{"status":"UP""#, #"^\s$"#, "error|fatal|panic"])
  func areNotNeededWithoutRepeats(_ pattern: String) {
    #expect(CalloutPlacement.callouts(of: Array(pattern.utf8), []) == .unneeded)
  }

  static let unsure: [(String, PatternOptions)] = [
    (#"\Q\E+"#, []), ("(*COMMIT)a+", []), ("a(?#a)*b+", []), (#"\X+"#, []), ("(?x)a # )*", []),
    (#"[\Qa]\E]+"#, []),
    ("a+ # )*", .extended), ("(?(*pla:a*a*b)c|d)", []), ("(?<*a)a*a*[bc](?<=>|b)", []), ("a{,9}b+", []),
    ("a{ 9 }b+", []), ("(?'a b'c+)", []), (#"\p{L }+"#, []), (String(repeating: "a", count: 65), .literal),
  ]

  @Test(arguments: unsure)
  func areLeftToTheLibraryIfUnsure(_ pattern: String, _ options: PatternOptions) {
    #expect(CalloutPlacement.callouts(of: Array(pattern.utf8), options) == .automatic)
  }

  /// A callout for each character would make them too large for PCRE2.
  @Test func keepLongPatternsCompilable() throws {
    let words = (0..<1200).map { "word\($0)" }.joined(separator: "|")
    for start in ["", "(?i)", "(?x)", "(?#words)", #"\Q-\E|"#] {
      let pattern = try Pattern(start + words)
      #expect(pattern.firstMatch(in: Array("a word1199".utf8)) != .noMatch, "\(start)")
    }
  }

  /// Loops that were once overlooked: a search ends at its limit.
  @Test(arguments: [
    "(?(*pla:a*a*b)c|d)", "(?<*a)a*a*[bc](?<=>|b)", "(?:^(?!.)|a{000000,}a{000000,}a{000000,}[bc])",
    "(?#c)(?:a{0002000})+[yz]",
  ])
  func endHiddenLoops(_ pattern: String) throws {
    var budget = WorkBudget(bytes: 0)
    let subject = Array("x".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 8192)
    #expect(try Pattern(pattern).firstMatch(in: subject.span, &budget) == .limit)
  }

  @Test func mistakesInACopyAreLeftToTheLibrary() throws {
    // A space before a repeat is part of neither.
    let pattern = try Pattern("(ab) *c", options: .extended)
    #expect(pattern.firstMatch(in: Array("xababc".utf8)) == .match(Pattern.Match(range: 1..<6, groups: [:])))
  }

  /// Random patterns, compared with PCRE2's interpreter without callouts.
  @Test(arguments: 1...4)
  func changeNoMatch(_ seed: UInt64) throws {
    var generator = PatternGenerator(seed: seed)
    var matches = 0
    for _ in 0..<300 {
      let text = generator.pattern()
      guard let pattern = try? Pattern(text) else { continue }
      for _ in 0..<6 {
        let subject = generator.subject()
        guard let expected = PlainSearch(text)?.groups(in: subject) else { continue }
        let result = pattern.groupsOfFirstMatch(in: subject)
        guard result != .limit else { continue }
        #expect(result == expected, "seed \(seed): \(text) in \(subject)")
        if result != .noMatch { matches += 1 }
      }
    }
    #expect(matches > 300)
  }

  /// Random patterns and hostile subjects: PCRE2's own callouts, one for each item, count all of the work.
  @Test(arguments: 1...4)
  func leaveNoWorkUncounted(_ seed: UInt64) throws {
    var generator = PatternGenerator(seed: seed)
    let subjects = ["a", "[", "ab", " ", "a\n", "a]", "é", "A,1-"].map { unit in
      Array(String(repeating: unit, count: 400 / unit.utf8.count).utf8) + Array("x".utf8)
    }
    var counted = 0
    for _ in 0..<150 {
      // The group at the start keeps machine code from remembering where its first repeat failed, which it does
      // not do either with a callout for each item.
      let text = "(?:)(?:\(generator.pattern()))"
      guard let pattern = try? Pattern(text), let plain = PlainSearch(text, reporting: true) else { continue }
      for subject in subjects {
        var budget = WorkBudget(bytes: 0)
        let before = budget.units
        _ = pattern.firstMatch(in: subject.span, &budget)
        let items = plain.work(in: subject, upTo: 1_000_000)
        // What needs no callouts is a constant for each byte.
        let units = before - budget.units
        #expect(
          items <= 48 * units + 64 * subject.count, "seed \(seed): \(text): \(items) items, \(units) units")
        counted += units
      }
    }
    #expect(counted > 100_000)
  }
}

extension CalloutPlacement.Result {
  fileprivate var text: String? {
    if case .pattern(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
}

/// The interpreter of PCRE2 with a pattern as written.
@safe
private final class PlainSearch {
  private let code: OpaquePointer
  private let data: OpaquePointer
  private let context: OpaquePointer

  init?(_ text: String, reporting: Bool = false) {
    let bytes = Array(text.utf8)
    var (error, offset) = (Int32(0), 0)
    let options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C
    guard let settings = unsafe pcre2_compile_context_create_8(nil) else { return nil }
    defer { unsafe pcre2_compile_context_free_8(settings) }
    unsafe pcre2_set_newline_8(settings, UInt32(PCRE2_NEWLINE_ANYCRLF))
    guard
      let code = unsafe pcre2_compile_8(
        bytes, bytes.count, options | (reporting ? PCRE2_AUTO_CALLOUT : 0), &error, &offset, settings),
      let data = unsafe pcre2_match_data_create_from_pattern_8(code, nil),
      let context = unsafe pcre2_match_context_create_8(nil)
    else { return nil }
    (unsafe self.code, unsafe self.data, unsafe self.context) = unsafe (code, data, context)
    unsafe pcre2_set_match_limit_8(context, 200_000)
    if reporting { unsafe pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE) }
  }

  deinit {
    unsafe pcre2_match_context_free_8(context)
    unsafe pcre2_match_data_free_8(data)
    unsafe pcre2_code_free_8(code)
  }

  /// The groups of the first match; nil if that takes too long.
  func groups(in subject: [UInt8]) -> Pattern.GroupsResult? {
    let result = unsafe pcre2_match_8(code, subject, subject.count, 0, PCRE2_NO_JIT, data, context)
    if result == PCRE2_ERROR_NOMATCH { return .noMatch }
    guard result >= 0, let offsets = unsafe pcre2_get_ovector_pointer_8(data) else { return nil }
    return .match(
      (0..<Int(unsafe pcre2_get_ovector_count_8(data))).map { group in
        let (start, end) = unsafe (offsets[2 * group], offsets[2 * group + 1])
        return start < 0 || end < 0 ? nil : min(start, end)..<max(start, end)
      })
  }

  /// The number of items that a search tries, up to a limit.
  func work(in subject: [UInt8], upTo limit: Int) -> Int {
    var count = limit
    unsafe pcre2_set_match_limit_8(context, .max)
    return unsafe withUnsafeMutablePointer(to: &count) { count in
      unsafe pcre2_set_callout_8(
        context,
        { _, count in
          let count = unsafe count?.assumingMemoryBound(to: Int.self)
          guard let count = unsafe count else { return PCRE2_ERROR_CALLOUT }
          unsafe count.pointee -= 1
          return unsafe count.pointee > 0 ? 0 : PCRE2_ERROR_CALLOUT
        }, count)
      _ = unsafe pcre2_match_8(code, subject, subject.count, 0, 0, data, context)
      return unsafe limit - count.pointee
    }
  }
}

/// Random patterns with most of PCRE2's syntax.
private struct PatternGenerator {
  private var numbers: SeededNumbers
  private var groups = 0

  init(seed: UInt64) {
    numbers = SeededNumbers(seed: seed)
  }

  mutating func subject() -> [UInt8] {
    (0..<Int.random(in: 0...9, using: &numbers)).map { _ in
      Array("aabb[]\n A(".utf8).randomElement(using: &numbers) ?? 0
    }
  }

  mutating func pattern() -> String {
    groups = 0
    return alternatives(0)
  }

  private mutating func one(of count: Int) -> Bool { Int.random(in: 0..<count, using: &numbers) == 0 }

  private mutating func alternatives(_ depth: Int) -> String {
    var text = sequence(depth)
    while one(of: 3) { text += "|" + sequence(depth) }
    return text
  }

  private mutating func sequence(_ depth: Int) -> String {
    (0..<Int.random(in: (depth == 0 ? 1 : 0)...3, using: &numbers)).map { _ in item(depth) }.joined()
  }

  private static let atoms = [
    "a", "b", ".", "[ab]", "[^b]", #"[^\]]"#, #"\["#, #"\]"#, #"\w"#, #"\s"#, #"\d"#, #"\S"#, "[[:alpha:]]",
    "[])*]", "[^]|(]", #"\x41"#, #"\x{61}"#, #"\n"#, #"\b"#, "^", "$", "é", #"\p{L}"#, #"\R"#, #"\h"#, #"\("#,
    #"\\"#, "aaaa", "{", "}", "{,2}", "a{x", ",", "-", " ", "#", "(?#a(b)", "(?x)",
    #"\Q[a\E"#, #"\Qb*\E"#,
  ]
  private static let repeats = [
    "*", "+", "?", "*?", "+?", "*+", "++", "{2}", "{1,2}", "{2,}", "{3,40}", "{20}", "", "", "", "", "", "",
    "",
  ]

  private mutating func item(_ depth: Int) -> String {
    var text = Self.atoms.randomElement(using: &numbers) ?? ""
    if depth < 4, one(of: 3) {
      text = group(depth + 1)
    } else if groups > 0, one(of: 12) {
      text = [#"\1"#, #"\g{1}"#, "(?1)", #"\g1"#].randomElement(using: &numbers) ?? ""
    }
    return text + (Self.repeats.randomElement(using: &numbers) ?? "")
  }

  private mutating func group(_ depth: Int) -> String {
    switch Int.random(in: 0..<14, using: &numbers) {
    case 0..<4:
      groups += 1
      return "(" + alternatives(depth) + ")"
    case 4..<7: return "(?:" + alternatives(depth) + ")"
    case 7: return "(?>" + alternatives(depth) + ")"
    case 8: return "(?=" + alternatives(depth) + ")"
    case 9: return "(?!" + alternatives(depth) + ")"
    case 10:
      groups += 1
      return "(?<n\(groups)>" + alternatives(depth) + ")"
    case 11: return "(?i:" + alternatives(depth) + ")"
    case 12: return "(?<=" + (["a", "ab", "[ab]", "a|b"].randomElement(using: &numbers) ?? "") + ")"
    default: return "(?(?=" + sequence(depth) + ")" + sequence(depth) + "|" + sequence(depth) + ")"
    }
  }
}
