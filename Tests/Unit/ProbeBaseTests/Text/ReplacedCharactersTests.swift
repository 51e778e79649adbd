import ProbeBase
import ProbeCore
import Testing

/// Escaping compares code points.
@Suite struct ReplacedCharactersTests {
  /// What makes one `Character` with the one before it, or looks like another.
  static let companions = [
    "", "\u{301}", "\u{20E3}", "\u{FE0F}", "\u{200D}", "\u{1F3FD}", "\u{E0101}", "\r\n", "\n", "é", "\u{903}",
  ]

  @Test(arguments: companions)
  func charactersWithCompanionsAreReplaced(_ companion: String) {
    let text = "a|\(companion)b\"\(companion)\\\(companion)"
    #expect(
      text.withBackslashes(before: "|\"\\").unicodeScalars
        .elementsEqual("a\\|\(companion)b\\\"\(companion)\\\\\(companion)".unicodeScalars))
    #expect(
      "<\(companion)&\(companion)>\(companion)'\(companion)".withHTMLReferences.unicodeScalars
        .elementsEqual("&lt;\(companion)&amp;\(companion)&gt;\(companion)&#39;\(companion)".unicodeScalars))
    #expect(Excerpt("\"\(companion)\\").description.utf8.starts(with: "\"\\\"".utf8))
  }

  @Test func lineEndsAreTwoCharacters() {
    #expect("a\r\nb".replacing(["\n": " "]).utf8.elementsEqual("a\r b".utf8))
    #expect("é\u{2028}".replacing(["é": "x", "\u{2028}": "y"]) == "é\u{2028}")
  }
}

/// Text from outside is divided at code points.
@Suite struct DividedTextTests {
  @Test(arguments: ReplacedCharactersTests.companions)
  func separatorsWithCompanionsSeparate(_ companion: String) {
    let text = "a;\(companion)b;;"
    let parts = text.parts(between: ";").map { Array($0.utf8) }
    #expect(parts == ["a", "\(companion)b", "", ""].map { Array($0.utf8) })
    let pair = "name=\(companion)v=w".divided(at: "=")
    #expect(pair?.before == "name")
    #expect(pair.map { Array($0.after.utf8) } == Array("\(companion)v=w".utf8))
    #expect(text.divided(at: "=") == nil && "".parts(between: ";") == [""])
    #expect(" \t\(companion)x \t"[...].withoutOuterSpace.utf8.elementsEqual("\(companion)x".utf8))
  }

  /// A password is hidden also if it begins with an accent.
  @Test(arguments: ["Basic dXNlcjrMgXNlY3JldA==", "Bearer \u{301}secret-token"])
  func secretsThatBeginWithAnAccentAreFound(_ field: String) throws {
    var request = ProbeRequest(try ProbeURL("https://a.example/"))
    request.http.headers = HeaderFields([("Authorization", field)])
    let redactor = try #require(request.redactor)
    let secret = field.hasPrefix("Basic") ? "\u{301}secret" : "\u{301}secret-token"
    #expect(!redactor.redacted("<p>\(secret)</p>").contains("secret"))
  }

  @Test func cookiesThatBeginWithAnAccentAreKept() throws {
    var jar = CookieJar()
    let url = try ProbeURL("https://a.example/")
    jar.keep(["Set-Cookie": "a=\u{301}b; Path=/; Secure"], from: url)
    #expect(jar.field(for: url)?.utf8.elementsEqual("a=\u{301}b".utf8) == true)
  }
}
