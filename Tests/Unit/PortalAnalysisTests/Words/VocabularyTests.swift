import Testing

@testable import PortalAnalysis

@Suite struct VocabularyTests {
  private func tally(_ text: String) -> WordTally {
    let bytes = Array(text.utf8)
    return Vocabulary.standard.tally(bytes.span, in: PageLanguages(of: bytes.span))
  }

  /// The topics with at least one word in a text.
  private func topics(_ text: String) -> Set<WordTopic> {
    let tally = tally(text)
    return Set(WordTopic.allCases.filter { tally[$0].distinct > 0 })
  }

  @Test(arguments: LanguageSamples.all.map { ($0.language, $0.portal) })
  func aPortalIsRecognizedByItsWords(_ language: String, _ text: String) {
    let topics = topics(text)
    #expect(topics.contains(.login) || topics.contains(.network), "\(language): \(tally(text))")
    #expect(topics.isDisjoint(with: [.blocked, .content, .failure]), "\(language): \(tally(text))")
  }

  @Test(arguments: LanguageSamples.all.map { ($0.language, $0.blockPage) })
  func aBlockPageIsRecognizedByItsWords(_ language: String, _ text: String) {
    let topics = topics(text)
    #expect(topics.contains(.blocked), "\(language): \(tally(text))")
    #expect(topics.isDisjoint(with: [.login, .network, .failure]), "\(language): \(tally(text))")
  }

  @Test(arguments: [
    "404 Not Found", "502 Bad Gateway", "Die Seite ist wegen Wartungsarbeiten nicht erreichbar",
    "Страница не найдена", "ページが見つかりません", "Service Unavailable. Please try again later.",
  ])
  func aFailureIsRecognizedByItsWords(_ text: String) {
    #expect(topics(text) == [.failure])
  }

  @Test(arguments: [
    "", "It works!", "Success", "Welcome to nginx!", "Example Domain", "Home About Contact", "Lorem ipsum",
    // Words that merely resemble those of a topic.
    "register of companies", "terms of sale", "blockchain and building blocks", "access road",
    "logging industry", "signature", "contest", "passwor", "Internet Explorer",
    // The requested address is not the page's own text.
    "You came from http://captive.example/hotspot/login?password=forbidden", "hotspot-detect.html",
  ])
  func otherTextHasNoTopic(_ text: String) {
    #expect(topics(text).isEmpty, "\(tally(text))")
  }

  @Test func aBlockPageMayMentionALogin() {
    let text = tally(
      """
      Access denied. This page has been blocked: category gambling.
      If you are an administrator, enter the password to override. Customer login.
      """)
    #expect(text[.blocked].distinct == 2)
    #expect(text[.content].distinct == 2)
    #expect(text[.login].distinct == 2)
  }

  @Test func termsOfUseCanListProhibitions() {
    let text = tally(
      """
      Guest Wi-Fi: log in with your room number. By clicking you accept the terms of use: no illegal use, no
      pornography, no gambling, no malware.
      """)
    #expect(text[.login].distinct == 2)
    #expect(text[.network].distinct == 1)
    #expect(text[.terms].distinct == 3)
    #expect(text[.blocked].distinct == 0)
    #expect(text[.content].distinct == 4)
  }

  @Test(arguments: [
    "ACCESS DENIED", "Access\n\t denied", "access-denied", "Access\u{A0}denied", "Ａccess denied",
    "ac\u{AD}cess denied",
  ])
  func caseSpacesAndSeparatorsAreIgnored(_ text: String) {
    #expect(tally(text)[.blocked] == WordTally.Matches(distinct: 1, total: 1, first: "access denied"))
  }

  @Test(arguments: ["accès refusé", "ACCÈS REFUSÉ", "acces refuse", "acce\u{300}s refuse\u{301}"])
  func diacriticsAreIgnored(_ text: String) {
    #expect(tally(text)[.blocked].total == 1)
  }

  @Test(arguments: [
    ("Πρόσβαση απαγορεύεται", "ΠΡΟΣΒΑΣΗ ΑΠΑΓΟΡΕΥΕΤΑΙ"), ("заблокирован", "ЗАБЛОКИРОВАН"),
    ("արգելված", "ԱՐԳԵԼՎԱԾ"), ("erişim engellendi", "ERİŞİM ENGELLENDİ"), ("gesperrt", "GESPERRT"),
  ])
  func caseIsIgnoredInEveryScript(_ lower: String, _ upper: String) {
    #expect(tally(lower)[.blocked].total == 1)
    #expect(tally(upper)[.blocked].total == 1)
  }

  @Test func onlyTheLongestMatchIsCounted() {
    let vocabulary = Vocabulary([
      Array(
        "# A comment:\nen login:\nalpha\nalpha beta\n\nen blocked:\nbeta\nen none:\nbeta gamma.\n".utf8)
    ])
    func found(_ text: String) -> [Int] {
      let tally = vocabulary.tally(Array(text.utf8).span, in: .all)
      return [tally[.login].total, tally[.blocked].total]
    }
    #expect(found("alpha beta") == [1, 0])
    #expect(found("alphas beta") == [1, 1])
    #expect(found("alphabet beta") == [0, 1])
    #expect(found("beta gamma") == [0, 0])
    #expect(found("beta gammas") == [0, 1])
    #expect(found("xbeta x-beta") == [0, 1])
  }

  @Test func distinctAndTotalWordsAreCounted() {
    let found = tally("password, password, username")
    #expect(found[.login] == WordTally.Matches(distinct: 2, total: 3, first: "password"))
    #expect(found.total == 3)
  }

  @Test func everyListedWordIsFound() {
    // A word that its own spelling does not match would be dead weight.
    let vocabulary = Vocabulary.standard
    #expect(vocabulary.words.count > 4000)
    for word in vocabulary.words.indices {
      guard let topic = vocabulary.words[word].topic else { continue }
      let spelling = vocabulary.spelling(of: word)
      let total = vocabulary.tally(Array(spelling.utf8).span, in: .all).total
      #expect(total > 0, "\(spelling) of \(topic)")
    }
  }
}
