import ProbeCore
import TestSupport
import TestRequirements
import Testing

@testable import PortalAnalysis

/// Words count as a whole, and in the languages of their page.
@Suite(.heavy) struct WholeWordTests {
  private static let vocabularies = [Vocabulary.standard, Vocabulary.kinds]

  @Test func theWordsOfTheFixturesAreWholeWordsOfTheirLanguages() {
    var count = 0
    for item in FixturePages.all {
      let text = item.page.text(in: .all)
      for found in Self.vocabularies.flatMap({ FoundWord.all(of: $0, in: text, item.languages) }) {
        count += 1
        #expect(found.isWhole, "\(item.path): \(found.entry) in \(found.text)")
        #expect(
          found.word.languages.intersects(item.languages.counting),
          "\(item.path): \(found.entry) of \(found.word.languages) in a page in \(item.languages.own)")
      }
    }
    #expect(FixturePages.all.count > 400)
    #expect(count > 1000)
  }

  /// The list of each language, in the pages of all others.
  @Test func noListMatchesWordsOfOtherLanguages() {
    var found: [String: String] = [:]
    for item in FixturePages.all where item.languages.isKnown {
      let text = FoldedLetters(item.page.text(in: .all))
      for index in LanguageSet.codes.indices {
        let language = LanguageSet(index: index)
        guard !language.intersects(item.languages.own.union(.english)) else { continue }
        for word in Self.vocabularies.flatMap({ FoundWord.all(of: $0, in: text, PageLanguages(language)) })
        where !word.word.languages.intersects(item.languages.own.union(.english)) {
          #expect(word.isWhole, "\(item.path): \(word.entry) in \(word.text)")
          found["\(language) \(word.text)"] = item.path
        }
      }
    }
    for (word, path) in found where !Self.sharedWords.contains(word) {
      Issue.record("\(word) is in \(path)")
    }
    for word in Self.sharedWords where found[word] == nil { Issue.record("\(word) is in no page") }
  }

  /// Words of a list that pages in other languages have, too, with the same meaning.
  private static let sharedWords: Set = [
    "az parola", "bg администратора", "bg администратору", "da login", "da pornografi", "de illegal",
    "es bloqueado", "es comprar", "fa خروج", "fr categories", "fr tarif", "hr administratora", "hu kupon",
    "hu kuponu", "hu pornografi", "lv administrator", "lv administratora", "nl categories", "pt bloqueado",
    "pt comprar", "sv illegal", "uz parola", "af geblokkeerd",
    "af verboden", "az parolanizi", "cs kategorie", "cs kupon", "cs kupony", "cs kuponu", "da logins",
    "da pornograficos", "da pornografischen", "de illegali", "es bloqueados", "es dispositivo", "fa قمار",
    "fr categorie", "fr reglement", "hr законом", "hu kupony", "id konten", "id sara", "lv kupon",
    "lv kuponu",
    "nl categorie", "nl illegales", "pt bloqueadas", "pt menores de", "pt usuario", "pt usuarios",
    "ro accept",
    "ro categorie", "sk kupon", "sk kupony", "sk kuponu", "sl kupon", "sl kuponu", "sr законом",
    "sv illegali",
    "sv inloggegevens", "sv inloggen", "sv kategorie", "sv kategorienummer", "sv kategorisiert",
    "tr kategorie",
    "tr kategorienummer", "tr kategorisiert", "tr kupon", "tr kupony", "tr kuponu",
  ]

  @Test(arguments: [
    // Parts of other words.
    ("<title>Shop</title><p>Our products.</p><button>Toggle navigation</button>", "navigation"),
    ("<p>The password of the organisation</p>", "organisation"),
    ("<p>Our regulations were the passport to their acceptance of loginess.</p>", "loginess"),
  ])
  func partsOfWordsAreNotWords(_ html: String, _ word: String) throws {
    let parsed = Page(Array(html.utf8).span)
    let page = try #require(parsed)
    let text = page.text(in: .all)
    for languages in [page.languages(in: [:]), PageLanguages.all] {
      for found in Self.vocabularies.flatMap({ FoundWord.all(of: $0, in: text, languages) }) {
        #expect(!word.hasPrefix(found.text), "\(found.entry) of \(found.word.languages)")
      }
    }
  }

  @Test(arguments: [
    ("<title>Shop</title><p>Our products.</p><button>Toggle navigation</button>", 200),
    // Words of a login alone.
    ("<p>Please login</p>", 200), ("<title>Shop</title><p>username</p>", 200),
    ("<h1>Not Found</h1><p>Please make sure that you have the right password/username.</p>", 404),
  ])
  func aShopIsNoPortal(_ page: String, _ status: Int) throws {
    #expect(try TestResponse(page, status: status).analysis().kind.role != .portal)
  }

  private static let homographs = Vocabulary([
    Array(
      """
      en login:
      alarm
      men
      shared word
      sv blocked:
      alarm
      sv login:
      shared-
      sv none:
      none
      de failure:
      alarm
      """.utf8)
  ])

  @Test(arguments: [
    ("alarm", "en", "login"), ("alarm", "sv", "blocked"), ("alarm", "de", "failure"),
    ("alarm", "fr", "login"),
    // "men" means "but" in Swedish.
    ("men", "en", "login"), ("men", "sv", ""), ("men", "de", "login"), ("men", "en sv", "login"),
    // English phrases count on every page; compounds only in pages of their language.
    ("shared words", "sv", "login"), ("sharedword", "sv", "login"), ("sharedword", "de", ""),
    ("alarmet", "sv", "blocked"), ("alarmet", "de", "failure"), ("alarmet", "en", ""),
    ("alarmes", "de", "failure"),
    ("alarmes", "sv", "login"),
  ])
  func homographsCountByTheLanguageOfThePage(_ text: String, _ page: String, _ topic: String) {
    let languages = PageLanguages(LanguageSet(page.split(separator: " ").map(String.init)))
    let tally = Self.homographs.tally(Array(text.utf8).span, in: languages)
    let topics = WordTopic.allCases.filter { tally[$0].total > 0 }.map(\.name)
    #expect(topics == (topic.isEmpty ? [] : [topic]))
  }

  @Test(arguments: [
    ("tr", "şifre", "şifrelerinizdeki"), ("fi", "salasana", "salasanallanne"),
    ("hu", "jelszó", "jelszavukkal"),
    ("pl", "zablokowan", "zablokowanych"), ("ru", "заблокирован", "заблокированного"),
    ("ro", "autentific", "autentificați"), ("es", "denegad", "denegadas"),
    ("de", "Passwort", "Passwortänderung"),
    ("el", "απαγορευμέν", "απαγορευμένων"), ("lt", "užblokuot", "užblokuotas"),
    ("ta", "தடுக்கப்பட்ட", "தடுக்கப்பட்டுள்ளது"),
  ])
  func aWordHasTheFormsOfItsLanguage(_ language: String, _ word: String, _ form: String) {
    let languages = PageLanguages(LanguageSet([language]))
    for text in [word, form] {
      let found = FoundWord.all(of: .standard, in: Array(text.utf8), languages)
      #expect(found.count == 1 && found.allSatisfy(\.isWhole), "\(text): \(found.map(\.entry))")
    }
    // In another language it is no form.
    let other = PageLanguages(LanguageSet([language == "sw" ? "tl" : "sw"]))
    if language != "ta" {
      #expect(Vocabulary.standard.tally(Array(form.utf8).span, in: other).total == 0)
    }
  }

  @Test func theBeginningIsCountedInTheSamePass() {
    for filling in [0, 5, 4080, 4090, 4096, 9000] {
      let text = Array("Password é \(String(repeating: "x", count: filling)) user name".utf8)
      for beginning in [0, 7, 8, 9, 10, 11, text.count - 1, text.count, text.count + 1] {
        let (all, start) = Vocabulary.standard.tally(text.span, in: .all, beginning: beginning)
        #expect(all[.login].total == 2)
        #expect(start[.login].total == (beginning < 8 ? 0 : beginning < text.count ? 1 : 2), "\(beginning)")
      }
    }
  }

  @Test func everyHeadingNamesALanguage() {
    for word in Self.vocabularies.flatMap(\.words) { #expect(!word.languages.isEmpty) }
    #expect(LanguageSet.codes.count <= 128 && Set(LanguageSet.codes).count == LanguageSet.codes.count)
  }
}
