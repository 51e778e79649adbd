import Foundation
import ProbeCore
import Testing

@testable import BlackboxExporter
import TestSupport
import ProbePatterns

@Suite struct GoPatternTests {
  /// A recorded expression, with Go's results for some subjects; `make pattern-judges` compares them with Go.
  struct Case: Decodable, CustomTestStringConvertible {
    enum Result: Decodable, Equatable {
      case refused
      case groups([String?])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = (try? container.decode([String?].self)).map { .groups($0) } ?? .refused
      }
    }

    var pattern: String
    var subjects: [String]
    var results: [Result?]

    var testDescription: String { pattern }

    static func all() throws -> [Case] {
      let file = projectFile("Tests/Judges/PatternJudges/cases.json")
      return try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
    }
  }

  @Test(arguments: try Case.all())
  func matchesLikeGo(_ example: Case) throws {
    for (subject, expected) in zip(example.subjects, example.results) {
      guard let pattern = try? GoPattern(example.pattern) else {
        #expect(expected == .refused)
        continue
      }
      let match = try pattern.match(in: bytes(subject))
      #expect(try pattern.matches(bytes(subject)) == (match != nil))
      let found = match.map { Case.Result.groups($0.groups.map { $0.map(text) }) }
      if pattern.differences.isEmpty { #expect(found == expected, "\(subject)") }
    }
  }

  @Test func thereAreManyCases() throws {
    let results = try Case.all().flatMap(\.results)
    #expect(results.count > 250)
    #expect(results.contains(nil))
    #expect(results.filter { $0 == .refused }.count > 50)
  }

  @Test func anExpressionIsKeptAsWritten() throws {
    #expect(try GoPattern("a.c$").text == "a.c$")
  }

  @Test(arguments: [
    ("a(?=b)", "Go's regular expressions have no lookahead (?=", 1),
    ("a(?!b)", "Go's regular expressions have no negative lookahead (?!", 1),
    ("(?<=a)b", "Go's regular expressions have no lookbehind (?<=", 0),
    ("(?<!a)b", "Go's regular expressions have no negative lookbehind (?<!", 0),
    ("é(?>b)", "Go's regular expressions have no atomic group (?>", 2),
    ("(a)\\1", "Go's regular expressions have no backreferences such as \\1", 3),
    ("(?P<n>a)(?P=n)", "Go's regular expressions have no backreference (?P=", 8),
    ("a++", "\"++\" repeats a repetition", 1),
    ("a{2}{3}", "\"{2}{3}\" repeats a repetition", 1),
    ("a\\K", "Go's regular expressions have no \\K", 1),
    ("a\\R", "Go's regular expressions have no \\R", 1),
    ("[\\h]", "Go's regular expressions have no \\h", 1),
    ("a\\Z", "Go's regular expressions have no \\Z", 1),
    ("a\\C", "Go's regular expressions have no \\C", 1),
    ("(?C1)", "Go's regular expressions have no callout (?C", 0),
    ("(?R)", "Go's regular expressions have no recursion (?R", 0),
    ("(*UTF)a", "Go's regular expressions have no verbs such as (*UTF)", 0),
    ("(?x)a", "Go's regular expressions have no group \"(?x\"", 0),
    ("a{1001}", "\"{1001}\" is not a valid number of repetitions", 1),
    ("(a{100}){100}", "the repetitions inside each other are more than 1000", 8),
    ("a|*", "\"*\" has nothing to repeat", 2),
    ("(a", "the group is not closed", 0),
    ("a)", "there is no group to close", 1),
    ("x[a", "the brackets are not closed", 1),
    ("[z-a]", "the range \"z-a\" runs backwards", 1),
    ("[[:alhpa:]]", "\"[:alhpa:]\" is no group of characters", 1),
    ("\\p{Foo}", "\"Foo\" is no category or script of Unicode", 0),
    ("\\x{110000}", "\"\\\\x{110000\" is not the code of a character", 0),
    ("a\\", "there is nothing after the backslash", 1),
    ("(?P<n-m>a)", "the name of the group is not valid", 4),
  ])
  func refusedSyntaxIsReportedWithItsOffset(_ expression: String, _ message: String, _ offset: Int) {
    let mistake = #expect(throws: InvalidInput.self) { try GoPattern(expression) }
    #expect(mistake?.message == message)
    #expect(mistake?.offset == offset)
  }

  @Test(arguments: [
    ("(a*)*", "a repetition of a group that can match nothing may end elsewhere than in Go"),
    ("(?:a??b?)+", "a repetition of a group that can match nothing may end elsewhere than in Go"),
    ("(?i)x\\p{Lu}", "\\p{Lu} without case may match other letters than in Go"),
  ])
  func warnsOfPossibleDifferencesFromGo(_ expression: String, _ words: String) throws {
    #expect(try GoPattern(expression).differences == [words])
  }

  @Test(arguments: ["(a+)*", "(?:a*)*", "(a*)?", "\\p{Lu}", "(?i)\\p{L}"])
  func doesNotWarnOfOtherExpressions(_ expression: String) throws {
    #expect(try GoPattern(expression).differences.isEmpty)
  }

  @Test func anAbandonedSearchIsNotAMismatch() throws {
    let pattern = try GoPattern("(?:a|aa|aaa)+$")
    let subject = [UInt8](repeating: UInt8(ascii: "a"), count: 10_000) + [UInt8(ascii: "b")]
    #expect(throws: GoPattern.GaveUp.self) { try pattern.matches(subject) }
    #expect(throws: GoPattern.GaveUp.self) { try pattern.match(in: subject) }
  }

  @Test func groupsContainTheReceivedBytes() throws {
    let match = try GoPattern("b(.+)c").match(in: [0xFF, 0x62, 0xFF, 0xC3, 0x28, 0x63, 0x64])
    #expect(match?.groups == [[0x62, 0xFF, 0xC3, 0x28, 0x63], [0xFF, 0xC3, 0x28]])
  }

  @Test(arguments: [
    ("PONG ${1}", "PONG abc"), ("$1", "abc"), ("$1x", ""), ("${1}x", "abcx"), ("$0", "<abc>"),
    ("$$1", "$1"), ("$", "$"), ("a$", "a$"), ("${", "${"), ("${1", "${1"), ("$ 1", "$ 1"), ("${}", "${}"),
    ("$9", ""), ("$word-", "abc-"), ("${word}s", "abcs"), ("$words", ""), ("$01", ""), ("$none", ""),
    ("$both", "abc"), ("$é", ""), ("$é!", "!"), ("$1_", ""), ("€$1€", "€abc€"),
  ])
  func expandsTemplatesLikeGo(_ template: String, _ expected: String) throws {
    let match = try GoPattern("<(?P<word>[a-z]+)>(?P<both>x)?|(?P<both>y)").match(in: Array("<abc>".utf8))
    let both = try GoPattern("(?P<both>x)?(?P<both>[a-z]+)").match(in: Array("abc".utf8))
    let used = template == "$both" ? both : match
    #expect(used?.expand(template) == Array(expected.utf8))
  }

  @Test func templatesMayContainAnyBytes() throws {
    let match = try #require(try GoPattern("a").match(in: [0x61]))
    #expect(match.expand([0xFF, 0x24, 0xFF, 0x24, 0x30, 0xC3]) == [0xFF, 0x24, 0xFF, 0x61, 0xC3])
  }

  private func bytes(_ subject: String) -> [UInt8] {
    guard subject.hasPrefix("hex:") else { return Array(subject.utf8) }
    let digits = Array(subject.dropFirst(4))
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? "hex:" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
