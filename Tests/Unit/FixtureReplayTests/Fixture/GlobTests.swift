import FixtureReplay
import Testing

@Suite struct GlobTests {
  @Test(arguments: [
    ("*", "", true), ("*", "anything", true), ("", "", true), ("", "a", false), ("abc", "abc", true),
    ("abc", "abcd", false), ("a*c", "ac", true), ("a*c", "abcbc", true), ("a*c", "abcb", false),
    ("*.example", "login.example", true), ("*.example", "example", false), ("*a*b*", "xxaxxbxx", true),
    ("*a*b*", "xxbxxaxx", false), ("a?c", "abc", false), ("**a", "ba", true),
  ])
  func matches(pattern: String, text: String, expected: Bool) {
    #expect(Glob(pattern).matches(text) == expected)
  }

  @Test func matchingIsCaseSensitiveByDefault() {
    #expect(!Glob("Login").matches("login"))
    #expect(Glob("Login*", isCaseSensitive: false).matches("LOGIN.example"))
  }

  @Test func manyStarsDoNotTakeExponentialTime() {
    let pattern = Glob(String(repeating: "*a", count: 200) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 2000)))
  }

  @Test func exactHostsComeBeforePatternsAndLongPatternsBeforeShortOnes() {
    let rules: HostRules<Int> = ["*": 1, "*.example": 2, "login.EXAMPLE": 3, "*.deep.example": 4]
    #expect(rules["other.test"] == 1)
    #expect(rules["www.example"] == 2)
    #expect(rules["LOGIN.example"] == 3)
    #expect(rules["x.deep.example"] == 4)
    #expect(HostRules<Int>([])["x"] == nil)
  }
}
