import TestRequirements
import Testing
import TestSupport

@testable import ProbePatterns

/// Machine code and the interpreter yield the same matches.
@Suite
struct TranslationTests {
  /// Patterns for which PCRE2 10.42 generates wrong machine code.
  @Test(arguments: [
    ("(a|)b*a", "as", 0..<1), ("(?:.|)b*a|s", "as", 0..<1), ("(*LF)(?:s|a|)b*a", "sa", 0..<2),
    ("x|(?:.|)b*a", "a", 0..<1), ("()*+s|", "aba", 0..<0), ("([ab]{1,2}[^b]{1,2})*+a{1,2}", "aba", 2..<3),
    ("(a|)b*a#", "a#", 0..<2),
    ("(?U:.||)\\x0b*\\x41|[^\\na]", "Aa", 0..<1),
  ])
  func knownFaults(_ expression: String, _ subject: String, _ range: Range<Int>) throws {
    for translated in [true, false] {
      let pattern = try Pattern(expression, options: .dotall, translated: translated)
      #expect(pattern.firstMatch(in: Array(subject.utf8)).range == range, "translated: \(translated)")
    }
  }

  @Test func errorsKeepTheirOffset() {
    let error = #expect(throws: PatternError.self) { try Pattern("(a|)b*a(") }
    #expect(error?.offset == 8)
  }

  /// As deep as the library permits.
  @Test func aDeepPatternIsValid() throws {
    let expression = String(repeating: "(", count: 250) + "a|" + String(repeating: ")", count: 250) + "b*a"
    let pattern = try Pattern(expression)
    #expect(pattern.firstMatch(in: Array("ba".utf8)).range == 0..<2)
  }

  /// Random expressions, the same in each run.
  @Test(.heavy, arguments: 1...4)
  func yieldTheSameMatches(_ seed: UInt64) throws {
    var generator = ExpressionGenerator(numbers: SeededNumbers(seed: seed))
    var matches = 0
    for _ in 0..<500 {
      let expression = generator.alternatives(depth: 0)
      let pattern = try Pattern(expression, options: [], translated: true)
      let interpreted = try Pattern(expression, options: [], translated: false)
      for _ in 0..<8 {
        let subject = generator.subject()
        let results = [pattern, interpreted].map { $0.firstMatch(in: subject) }
        guard !results.contains(where: \.isLimit) else { continue }
        #expect(results[0].range == results[1].range, "\(expression) in \(subject)")
        if results[0].range != nil { matches += 1 }
      }
    }
    #expect(matches > 1000)
  }
}

extension Pattern.SearchResult {
  fileprivate var range: Range<Int>? {
    if case .match(let match) = self { match.range } else { nil }
  }

  fileprivate var isLimit: Bool {
    if case .limit = self { true } else { false }
  }
}

private struct ExpressionGenerator {
  var numbers: SeededNumbers

  mutating func subject() -> [UInt8] {
    (0..<Int.random(in: 0...7, using: &numbers)).map { _ in
      Array("aabs\n".utf8).randomElement(using: &numbers) ?? 0
    }
  }

  mutating func alternatives(depth: Int) -> String {
    var text = sequence(depth)
    while Int.random(in: 0..<3, using: &numbers) == 0 { text += "|" + sequence(depth) }
    return text
  }

  private mutating func sequence(_ depth: Int) -> String {
    (0..<Int.random(in: 0...3, using: &numbers)).map { _ in item(depth) }.joined()
  }

  private mutating func item(_ depth: Int) -> String {
    var item = ["a", "a", "b", "s", ".", "[ab]", "[^b]"].randomElement(using: &numbers) ?? ""
    if depth < 4, Bool.random(using: &numbers) {
      let group = ["(", "(?:", "(?:", "(?>"].randomElement(using: &numbers) ?? ""
      item = group + alternatives(depth: depth + 1) + ")"
    }
    return item
      + (["*", "+", "?", "*?", "*+", "{1,2}", "{2,}", "", "", ""].randomElement(using: &numbers) ?? "")
  }
}
