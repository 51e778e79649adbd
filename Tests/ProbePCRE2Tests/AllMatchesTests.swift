import ProbePCRE2
import Testing

/// All matches of a pattern in one subject.
@Suite struct AllMatchesTests {
  private static func places(_ pattern: String, _ subject: [UInt8]) throws -> [Range<Int>] {
    var places: [Range<Int>] = []
    #expect(try Pattern(pattern).forEachMatch(in: subject) { places.append($0.range) })
    return places
  }

  @Test(
    arguments: [
      ("a+", "aa b a", [0..<2, 5..<6]), ("x", "aa", []), ("", "ab", [0..<0, 1..<1, 2..<2]), ("a", "", []),
      ("b*", "abb", [0..<0, 1..<3, 3..<3]),
      // A match can look at the text before it.
      ("(?<!a)b", "abb b", [2..<3, 4..<5]), ("^a", "aa", [0..<1]), ("ab", "abab", [0..<2, 2..<4]),
    ] as [(String, String, [Range<Int>])])
  func fromLeftToRight(_ pattern: String, _ subject: String, _ expected: [Range<Int>]) throws {
    #expect(try Self.places(pattern, Array(subject.utf8)) == expected)
  }

  @Test func bytesThatAreNotTextBetweenMatches() throws {
    #expect(try Self.places("a", [0x61, 0xFF, 0x61, 0xC3, 0x61]) == [0..<1, 2..<3, 4..<5])
  }

  @Test func namedGroupsAreReported() throws {
    var words: [Range<Int>?] = []
    #expect(
      try Pattern("(?<w>[a-z]+)=").forEachMatch(in: Array("ab= c=".utf8)) { words.append($0.groups["w"]) })
    #expect(words == [0..<2, 4..<5])
  }

  @Test func anAbandonedSearchIsReported() throws {
    let subject = Array("\(String(repeating: "a", count: 5000))b".utf8)
    #expect(try !Pattern("(a+)+$").forEachMatch(in: subject) { _ in })
  }
}
