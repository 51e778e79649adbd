import TestRequirements
import TestSupport
import Testing

@testable import ProbePatterns

/// All matches of a pattern in one subject.
@Suite struct AllMatchesTests {
  /// The ranges of the matches, which are the same with machine code and without.
  private static func ranges(_ pattern: String, _ subject: [UInt8]) throws -> [Range<Int>] {
    let found = try [true, false].map { translated in
      var ranges: [Range<Int>] = []
      let pattern = try Pattern(pattern, options: .allMatches, translated: translated)
      #expect(pattern.forEachMatch(in: subject) { ranges.append($0.range) })
      return ranges
    }
    #expect(found[0] == found[1])
    return found[0]
  }

  @Test(
    arguments: [
      ("a+", "aa b a", [0..<2, 5..<6]), ("x", "aa", []), ("", "ab", [0..<0, 1..<1, 2..<2]), ("a", "", []),
      ("b*", "abb", [0..<0, 1..<3, 3..<3]),
      // A match can look at the text before it.
      ("(?<!a)b", "abb b", [2..<3, 4..<5]), ("^a", "aa", [0..<1]), ("ab", "abab", [0..<2, 2..<4]),
    ] as [(String, String, [Range<Int>])])
  func fromLeftToRight(_ pattern: String, _ subject: String, _ expected: [Range<Int>]) throws {
    #expect(try Self.ranges(pattern, Array(subject.utf8)) == expected)
  }

  @Test func bytesThatAreNotTextBetweenMatches() throws {
    #expect(try Self.ranges("a", [0x61, 0xFF, 0x61, 0xC3, 0x61]) == [0..<1, 2..<3, 4..<5])
  }

  @Test(
    arguments: [
      ("^a", [0xFF, 0x61], []), ("a$", [0x61, 0xFF, 0x61], [2..<3]),
      ("(?m)^a$", [0xC3, 0x61, 0x0A, 0x61], [3..<4]),
      (#"\ba\b"#, [0x61, 0x80, 0x61, 0xC3, 0xA9, 0x61], [0..<1, 2..<3, 5..<6]),
      ("(?<=é)a", [0xC3, 0xA9, 0x61], [2..<3]),
      ("(?<!b)a", [0x62, 0xFF, 0x61], [2..<3]), ("a(?!b)", [0x61, 0xFF, 0x62], [0..<1]),
      ("a", [0xFF, 0xFE], []),
      ("[^b]", [0xE2, 0x82, 0x61, 0xED, 0xA0, 0x80, 0x63], [2..<3, 6..<7]),
    ] as [(String, [UInt8], [Range<Int>])])
  func nothingIsSeenBeyondBytesThatAreNotText(
    _ pattern: String, _ subject: [UInt8], _ expected: [Range<Int>]
  ) throws {
    #expect(try Self.ranges(pattern, subject) == expected)
  }

  @Test func namedGroupsAreReported() throws {
    var words: [Range<Int>?] = []
    #expect(
      try Pattern("(?<w>[a-z]+)=(?<x>z)?").forEachMatch(in: Array("ab= c=".utf8)) { match in
        words += [match["w"], match["x"], match["y"]]
      })
    #expect(words == [0..<2, nil, nil, 4..<5, nil, nil])
  }

  /// Eight times the text takes about eight times as long; with a square it would be 64 times.
  @Test(.heavy, .serialized, arguments: [true, false])
  func theCostIsProportionalToTheLength(_ translated: Bool) throws {
    let pattern = try Pattern("(?<w>[a-z]{1,9}+) ", options: .allMatches, translated: translated)
    let growth = costGrowth { count in
      let subject = Array(repeating: Array("ab é ".utf8), count: 8 * count).joined()
      let start = threadTime()
      var matches = 0
      #expect(pattern.forEachMatch(in: Array(subject)) { _ in matches += 1 })
      #expect(matches == 8 * count)
      return threadTime() - start
    }
    #expect(growth < 24, "\(growth) times as much")
  }

  @Test func anAbandonedSearchIsReported() throws {
    let subject = Array("\(String(repeating: "a", count: 5000))b".utf8)
    #expect(try !Pattern("(a+)+$").forEachMatch(in: subject) { _ in })
  }
}
