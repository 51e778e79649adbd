import ProbeCore

/// Reading the words of a page and the names of its elements.
extension AnswerReading {
  /// The length of the beginning of a text, in bytes.
  private static let start = 1500
  /// The length from which a text counts as an article, in non-space bytes.
  private static let article = 1000

  /// Records the words.
  mutating func readWords(_ page: Page) {
    // A block page states its refusal at the beginning; terms of use have the same words further down.
    let text = page.text(in: [.message, .hidden])
    let (all, start) = Vocabulary.standard.tally(text.span, in: languages, beginning: Self.start)
    func said(_ topic: WordTopic, _ tally: WordTally) -> String {
      "the page says \(Excerpt(tally[topic].first ?? ""))"
    }
    func count(_ topic: WordTopic, _ tally: WordTally) -> Int { min(tally[topic].distinct, 4) }
    note(.portal, 2 * min(count(.login, all), 3), said(.login, all))
    let network = 2 * min(count(.network, all), 3)
    note(.portal, network, said(.network, all))
    note(.portal, min(count(.terms, all), 2), said(.terms, all))
    // Terms to be accepted may mention everything that is forbidden and blocked.
    let isAgreedTo = page.forms.contains { form in
      !form.isSearch && !form.isOfAnotherPurpose
        && Vocabulary.standard.tally(form.buttonText.span, in: languages)[.terms].distinct > 0
    }
    let hasTerms =
      isAgreedTo
      || all[.terms].distinct > 0 && (all[.login].distinct > 0 || all[.network].distinct > 0)
        && page.forms.contains { $0.hasButton && !$0.isSearch && !$0.isOfAnotherPurpose }
    func weight(_ topic: WordTopic, _ each: Int) -> Int {
      isAgreedTo ? min(count(topic, start), 2) : (hasTerms ? 1 : each) * count(topic, start)
    }
    note(.notice, weight(.blocked, 3), said(.blocked, start))
    note(.notice, weight(.content, 2), said(.content, start))
    for topic in [WordTopic.blocked, .content] where start[topic].distinct == 0 {
      note(.notice, min(count(topic, all), 2), said(topic, all))
    }
    note(.failure, 3 * count(.failure, all), said(.failure, all))
    let title = Vocabulary.standard.tally(page.title.span, in: languages)
    note(
      .admitted, 5 * min(count(.admitted, title), 1),
      "the title says \(Excerpt(title[.admitted].first ?? ""))")
    note(.admitted, 4 * min(count(.admitted, start), 2), said(.admitted, start))
    // A help text mentions logging out, too.
    if endsSession || title[.admitted].distinct + start[.admitted].distinct > 0 {
      note(.admitted, 2 * min(count(.session, start), 3), said(.session, start))
    }
    let isTitledDevice = title[.device].distinct > 0
    note(.administration, 4 * count(.device, title), "the title says \(Excerpt(title[.device].first ?? ""))")
    // A portal's help text mentions routers, too; its form is sent to a host of its own.
    if isTitledDevice || !places.places.contains(where: { $0.source == .form && $0.isOffHost }) {
      note(.administration, 2 * min(count(.device, start), 3), said(.device, start))
    }
    subjectWeight += network
    speaksToGuests = all[.terms].distinct > 0 || all[.network].distinct > 1 && !isTitledDevice
    let names = IdentifierWords.tally(page.identifiers.span)
    let portal = names[.login].distinct + names[.network].distinct + names[.terms].distinct
    let wall = names[.blocked].distinct + names[.content].distinct
    if portal > wall {
      let word = [WordTopic.login, .network, .terms].lazy.compactMap { names[$0].first }.first ?? ""
      subjectWeight += min(portal, 2)
      note(.portal, min(portal, 2), "an element is named \(Excerpt(word))")
    } else if wall > 0 {
      let word = names[.blocked].first ?? names[.content].first ?? ""
      note(.notice, min(wall, 2), "an element is named \(Excerpt(word))")
    }
  }

  /// The kinds with a topic in the vocabulary, and their topics.
  private static let topics = AnswerKind.all.compactMap { kind in
    WordTopic(name: kind.name).map { (kind, $0) }
  }

  /// Records the words that distinguish kinds of the same role.
  ///
  /// Words of a notice count for its role, too, if they are in the title or at the beginning.
  mutating func readKinds(_ page: Page) {
    let title = Vocabulary.kinds.tally(page.title.span, in: languages)
    let beginning = Array(page.text(in: [.message, .hidden]).prefix(Self.start))
    let start = Vocabulary.kinds.tally(beginning.span, in: languages)
    for (kind, topic) in Self.topics {
      guard let word = start[topic].first else { continue }
      let isTitle = title[topic].first != nil
      let weight = isTitle ? 4 : 2 * min(start[topic].distinct, 2)
      if kind.role == .notice {
        note(kind, weight, "\(isTitle ? "the title" : "the page") says \(Excerpt(word))")
      } else if kind != .payment || !asksForCredentials {
        hint(kind, weight)
      }
    }
  }

  /// Whether a page has a long text and no controls.
  func isArticle(_ page: Page) -> Bool {
    page.text(in: .all).lazy.filter { $0 > 0x20 }.prefix(Self.article + 1).count > Self.article
      && page.forms.allSatisfy { $0.isSearch || $0.isOfAnotherPurpose }
      && !page.loose.asksForPassword && !leadsSomewhere
  }
}
