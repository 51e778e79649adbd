import ProbeCore
import Testing

@testable import PortalAnalysis

@Suite struct PageLanguagesTests {
  private func languages(_ text: String, declared: [String] = []) -> PageLanguages {
    PageLanguages(of: Array(text.utf8).span, declared: declared)
  }

  @Test(arguments: LanguageSamples.all.map { ($0.language, "\($0.portal) \($0.blockPage)") })
  func aFewSentencesShowTheirLanguage(_ language: String, _ text: String) {
    let languages = languages(text)
    let expected = language == "sr-Latn" ? LanguageSet(["hr"]) : LanguageSet(tag: language)
    #expect(languages.own.intersects(expected), "\(language): \(languages.own)")
    #expect(languages.own.subtracting(.english).count <= 4, "\(languages.own)")
  }

  /// The pages of the fixtures that declare a language other than English, which templates declare, too.
  @Test func thePagesOfTheFixturesShowTheirLanguages() {
    var (known, count) = (0, 0)
    for item in FixturePages.all {
      let declared = item.page.declaredLanguages.reduce(LanguageSet.none) { $0.union(LanguageSet(tag: $1)) }
      guard !declared.isEmpty, declared != .english else { continue }
      let text = item.page.text(in: [.message, .hidden])
      let found = PageLanguages(of: text.span)
      let words = text.split { $0 <= 0x20 }.count
      if words >= 10 {
        #expect(found.own.isEmpty || found.own.intersects(declared), "\(item.path): \(found.own)")
      }
      guard words >= 25 else { continue }
      count += 1
      if found.own.intersects(declared) { known += 1 }
    }
    #expect(count > 30 && known >= count - 1, "\(known) of \(count)")
  }

  @Test(arguments: [
    // What is declared counts, as far as nothing contradicts it.
    ("Parola", ["ro"], "ro"), ("Parola", ["ro-MD"], "ro"), ("Parola", ["ro_RO"], "ro"), ("", ["pl"], "pl"),
    ("Hasło", ["xx", "pl"], "pl"), ("Heslo", ["sr"], "hr"), ("Лозинка", ["sr-Latn"], "sr"),
    // The script contradicts it.
    ("Hasło", ["ru"], ""), ("Пароль", ["pl"], ""), ("パスワード", ["ko"], "ja"),
    // The words contradict it: they are all of another language.
    (
      "Welcome! Please log in to use the Wi-Fi. You have one hour, and it is free for all of our guests.",
      ["tr"], "en"
    ),
    // Templates declare English.
    ("Bine ați venit! Conectați-vă la rețea pentru a naviga.", ["en"], "ro"),
    ("Přihlášení. Heslo", ["en"], ""),
    ("Please log in", ["en"], "en"),
    // Two languages.
    (
      "Please log in to the network. Vă rugăm să vă conectați la rețea cu parola pentru oaspeți.", [], "en ro"
    ),
    (
      "Доступ к этому сайту был ограничен по решению суда. This site is blocked by order of the court.", [],
      "en ru"
    ),
  ])
  func declarationsCountUnlessTheTextContradictsThem(
    _ text: String, _ declared: [String], _ expected: String
  ) {
    let own = languages(text, declared: declared).own
    let wanted = LanguageSet(expected.split(separator: " ").map(String.init))
    #expect(expected.isEmpty ? own.isEmpty : own.contains(wanted) && own.count <= wanted.count + 2, "\(own)")
    if expected == "en" { #expect(own == .english) }
  }

  @Test(arguments: [
    "<html lang=ro>", "<html lang=RO-md>", "<meta http-equiv=content-language content=ro>",
    "<meta property=og:locale content=ro_RO>",
  ])
  func aPageDeclaresItsLanguage(_ markup: String) throws {
    let parsed = Page(Array("\(markup)<p>Parola".utf8).span)
    let page = try #require(parsed)
    #expect(page.languages(in: [:]).own == LanguageSet(["ro"]))
  }

  @Test func aHeaderFieldDeclaresItsLanguages() throws {
    let parsed = Page(Array("<p>Parola".utf8).span)
    let page = try #require(parsed)
    #expect(page.languages(in: ["Content-Language": "ro, hu"]).own == LanguageSet(["ro", "hu"]))
    #expect(!page.languages(in: [:]).isKnown)
  }

  @Test func inAnUnknownLanguageOnlyExactWordsCount() {
    let vocabulary = Vocabulary.standard
    func login(_ text: String) -> Int {
      let bytes = Array(text.utf8)
      return vocabulary.tally(bytes.span, in: PageLanguages(of: bytes.span))[.login].total
    }
    #expect(login("Hasło") == 1 && login("Hasłem") == 0)
    #expect(login("Hasłem, proszę, jeśli można") == 1)
    #expect(login("Benutzername") == 1 && login("Benutzernamen") == 0)
    #expect(login("Benutzernamen und Kennworteingabe für die Gäste") == 2)
    // English excludes all other languages.
    #expect(login("Hasło") == 1 && login("Hasło and the") == 0)
  }

  @Test func longTextsAndManyDeclarationsAreBounded() {
    let text = String(repeating: "pentru ", count: 200_000)
    #expect(
      languages(text, declared: Array(repeating: "en", count: 100_000) + ["pl"]).own
        == LanguageSet(["en", "ro"]))
  }
}
