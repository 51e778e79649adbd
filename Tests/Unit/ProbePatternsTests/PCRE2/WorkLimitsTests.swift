import TestRequirements
import Testing

@testable import ProbePatterns

/// Searches that must end at a limit, and those that must not.
///
/// No clock is needed: an unlimited search does not end at all.
@Suite(.heavy)
struct WorkLimitsTests {
  static let connectivity = ".*?<BODY>.*?Success.*?</BODY>.*"
  static let connectivityOptions: PatternOptions = [.caseless, .dotall, .extended]

  private static func text(_ unit: String, _ count: Int, then end: String = "") -> [UInt8] {
    // Doubled, because appending a megabyte byte by byte takes long.
    var text = Array(unit.utf8)
    while text.count < count { text += text }
    return text.prefix(count) + Array(end.utf8)
  }

  @Test(
    arguments: [
      "(a+)+$", "(a|aa)+$", "(a|a)*$", "([a-z]+)*$", "(.*a){20}!b", #"(\w+\s?)+$"#, "(a*)*(a*)*(a*)*!b",
    ], [40, 1000, 65536, 1 << 18])
  func `a catastrophic pattern ends at a limit`(pattern: String, count: Int) throws {
    let pattern = try Pattern(pattern)
    let result = pattern.firstMatch(in: Self.text("a", count, then: "-b"))
    #expect(result == .limit)
  }

  @Test(arguments: ["(a+)+$", "(a|aa)+$", #"(\w+\s?)+$"#], [40, 65536])
  func `without machine code too`(pattern: String, count: Int) throws {
    let pattern = try Pattern(pattern, options: [], translated: false)
    #expect(pattern.firstMatch(in: Self.text("a", count, then: "-b")) == .limit)
  }

  /// Each position is within the limit; without a common limit, all positions together would take hours.
  @Test(arguments: ["(.|\n)*zb", "(a|b)*?(a|b)*?zb", "a(?:.|\n)*?zb"])
  func `many matches of low cost share one limit`(pattern: String) throws {
    let pattern = try Pattern(pattern)
    #expect(pattern.firstMatch(in: Self.text("a", 65536, then: "b")) == .limit)
  }

  @Test(arguments: [30, 4096, 65536, 1 << 20], [true, false])
  func `a page without the word is a plain no match`(count: Int, translated: Bool) throws {
    let pattern = try Pattern(Self.connectivity, options: Self.connectivityOptions, translated: translated)
    let line = "<div class=\"x\">hällo <b>Succes</b> 👋 text</div>\r\n"
    let page = Array("<HTML><BODY>\r\n".utf8) + Self.text(line, count, then: "</BODY></HTML>")
    #expect(pattern.firstMatch(in: page) == .noMatch)
    #expect(pattern.firstMatch(in: Self.text(line, count)) == .noMatch)
  }

  @Test(arguments: [0, 100, 65536, 1 << 20])
  func `a page with the word at its end is a match`(count: Int) throws {
    let pattern = try Pattern(Self.connectivity, options: Self.connectivityOptions)
    let page = Self.text("<p>hällo</p>\r\n", count, then: "<BODY>Success</BODY>")
    #expect(pattern.firstMatch(in: page) == .match(Pattern.Match(range: 0..<page.count, groups: [:])))
  }

  /// A search in steps finds the same first match as a single call, wherever it is.
  @Test(arguments: [0, 1, 17, 4096, 30_000, 65_535])
  func `steps find the first match`(offset: Int) throws {
    let pattern = try Pattern(#"<(?:.|\n){0,3000}?>[0-9]+"#)
    var page = Self.text("é<x\r\n", 65_536)
    // Offsets inside a character or a tag would change the text before them.
    let start = offset / 6 * 6
    page.insert(contentsOf: Array("<yes>42".utf8), at: start)
    guard case .match(let match) = pattern.firstMatch(in: page) else {
      Issue.record("no match")
      return
    }
    // The first "<" from which the tag can be reached.
    let inReach = (0..<page.count).first { page[$0] == UInt8(ascii: "<") && $0 + 1500 >= start }
    #expect(match.range.upperBound == start + 7)
    #expect(match.range.lowerBound <= start)
    #expect(try match.range.lowerBound >= #require(inReach) - 3000)
  }

  @Test func `many matches of a little more cost are searched`() throws {
    // Each of 500 tags is followed to its end, which exceeds what the first call allows for one position.
    let pattern = try Pattern("<div(?:(?!</div>)(?:.|\n))*Success")
    let page = Self.text("<div>" + String(repeating: "x", count: 120) + "</div>", 65_536)
    #expect(pattern.firstMatch(in: page) == .noMatch)
  }

  @Test func `a deep pattern uses a larger stack`() throws {
    // About 4 MB of stack; a match starts with 32 KiB.
    let pattern = try Pattern("^(.|\n)*END")
    let page = Self.text("é\n", 60_000, then: "END")
    #expect(pattern.firstMatch(in: page) == .match(Pattern.Match(range: 0..<page.count, groups: [:])))
  }

  /// With `.*` at its start, a pattern is tried only where a line starts.
  @Test(arguments: [".*error.*", ".*a1.*|.*b2.*", ".*?error", ".*+x", "(?:.*)error(.*)"])
  func `a pattern with any text at its start is decided in one long line`(pattern: String) throws {
    let body = Self.text(#"{"id":17,"state":"running"},"#, 1 << 17)
    #expect(try Pattern(pattern).firstMatch(in: body) == .noMatch)
  }

  /// A repeat of one character passes all that follows, which PCRE2's limit does not count.
  @Test(arguments: [
    (#"(\[[^\]]*\])+ ok"#, "[", " ok]"), ("(?:[^,]*,)+ok", "a", "ok"), (#"(?:"[^"]*",?)+ok"#, "a", "ok"),
    ("(<[^>]*>)+x", "<", ">x"), (#"(?:\[(?=[^\]]*\]))*x"#, "[", "x"), ("(?=[^,]*,)x|(?=[^;]*;)x", "a", "x"),
    (#"(a*)\1b"#, "a", "-b"), ("(?>(?:a|b)*)c", "ab", "-c"), ("a{1000}b", "a", "-b"), ("a?[^,]*,", "a", ";"),
    (#"\p{L}+\d"#, "é", "-1"), (#"\X+1"#, "e\u{301}", "-1"),
  ])
  func `what a repeat passes is counted`(pattern: String, unit: String, end: String) throws {
    let long = try Self.units(of: pattern, in: Self.text(unit, 1024, then: end))
    let short = try Self.units(of: pattern, in: Self.text(unit, 256, then: end))
    // Quadratic at least, up to the limit, or linear because PCRE2 remembers where its first repeat failed.
    #expect(
      long > 10 * short || long == WorkBudget(bytes: 1 << 18).units || long < 2 * 1024,
      "\(short), then \(long)")
  }

  private static func units(of pattern: String, in subject: [UInt8]) throws -> Int {
    var budget = WorkBudget(bytes: 1 << 18)
    let before = budget.units
    _ = try Pattern(pattern).firstMatch(in: subject.span, &budget)
    return before - budget.units
  }

  @Test func `many quadratic searches end at a limit`() throws {
    let pattern = try Pattern(#"(\[[^\]]*\])+ ok"#)
    #expect(pattern.firstMatch(in: Self.text("[", 65536, then: " ok]")) == .limit)
  }

  @Test func `searches share a budget`() throws {
    let pattern = try Pattern("(a+)+$")
    var budget = WorkBudget(bytes: 0)
    let subject = Self.text("a", 12, then: "b")
    var results: [Pattern.SearchResult] = []
    while results.count < 1000, results.last != .limit {
      results.append(pattern.firstMatch(in: subject.span, &budget))
    }
    #expect(results.first == .noMatch)
    #expect(results.last == .limit)
    #expect(budget.units == 0)
    #expect(pattern.firstMatch(in: subject) == .noMatch)
  }

  @Test func `a cancelled task ends a search that allows it`() async throws {
    let pattern = try Pattern("(a+)+$")
    let subject = Self.text("a", 12, then: "b")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      var (cancellable, other) = (WorkBudget(bytes: 0, isCancellable: true), WorkBudget(bytes: 0))
      return (
        pattern.firstMatch(in: subject.span, &cancellable), pattern.firstMatch(in: subject.span, &other)
      )
    }
    task.cancel()
    let (cancelled, other) = await task.value
    #expect(cancelled == .limit)
    #expect(other == .noMatch)
  }

  @Test func `a search of a stream takes no more than a tenth of a second`() throws {
    let pattern = try Pattern("(a+)+$", options: .streaming)
    let subject = Self.text("a", 1 << 20, then: "b")
    #expect(pattern.firstMatch(inStart: subject[...]) == .limit)
    #expect(pattern.firstMatch(inWhole: subject[...]) == .limit)
  }

  @Test func `a verb or a search anchor depends on the start of a search`() throws {
    #expect(try Pattern(#"a(*COMMIT)b"#).dependsOnSearchStart)
    #expect(try Pattern(#"x|\Ga"#).dependsOnSearchStart)
    #expect(try Pattern(".*a", options: .dotall).dependsOnSearchStart)
    #expect(try !Pattern("(*", options: .literal).dependsOnSearchStart)
    #expect(try !Pattern("<BODY>.*?Success").dependsOnSearchStart)
  }

  @Test func `limits grow with the subject and stay bounded`() {
    for count in [0, 1, 1000, 65_536, 1 << 20, 1 << 30] {
      #expect(WorkBudget(bytes: count).units >= 8 * count)
      let limits = MemoryLimits(subject: count)
      #expect(limits.heap <= 64 * 1024)
      #expect(limits.stack <= 32 * 1024 * 1024)
    }
  }
}
