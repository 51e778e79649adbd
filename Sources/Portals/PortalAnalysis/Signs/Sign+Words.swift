extension Sign {
  static let ofTitles: [Sign] =
    topics.map { topic, kind in
      Sign("title.\(topic.name)", "the title \(topic.clause)", kind) { facts in
        facts.counts(topic) ? SignOccurrence(facts.words.title[topic], atMost: topic == .device ? 1 : 3) : nil
      }
    }
    + kindTopics.map { kind, topic in
      Sign("title.\(topic.name)", "the title \(topic.clause)", kind) {
        SignOccurrence($0.words.titleKinds[topic])
      }
    }
    + [
      Sign("title.program", "the title \(WordTopic.program.clause)", .programLogin) {
        SignOccurrence($0.words.titleProgram[.program])
      },
      Sign("title.software", "the title names known portal software (%)") { facts in
        facts.page.flatMap { SignOccurrence(SourceWords.tally($0.title[...])[.portalSoftware]) }
      },
    ]

  static let ofTexts: [Sign] =
    [WordTopic.login, .network, .terms, .failure].map { topic in
      Sign("text.\(topic.name)", "the page \(topic.clause)") { SignOccurrence($0.words.all[topic]) }
    }
    + topics.filter { ![.login, .network, .terms, .failure].contains($0.topic) }.map { topic, kind in
      Sign("text.\(topic.name)", "the page \(topic.clause)", kind) { facts in
        facts.counts(topic) ? SignOccurrence(facts.words.start[topic]) : nil
      }
    }
    // Words of a block page further down; at the beginning they count as text.blocked and text.content.
    + [WordTopic.blocked, .content].map { topic in
      Sign(
        "text.late\(topic == .blocked ? "Blocked" : "Content")", "further down, the page \(topic.clause)"
      ) { facts in
        facts.words.start[topic].distinct > 0 ? nil : SignOccurrence(facts.words.all[topic])
      }
    }
    + kindTopics.map { kind, topic in
      Sign("text.\(topic.name)", "the page \(topic.clause)", kind) {
        SignOccurrence($0.words.startKinds[topic])
      }
    }
    + [
      Sign("text.program", "the page \(WordTopic.program.clause)", .programLogin) {
        SignOccurrence($0.words.startProgram[.program])
      },
      Sign("text.empty", "the page is almost empty") {
        SignOccurrence(if: $0.page != nil && $0.words.isEmpty)
      },
      Sign("text.long", "the page has a long text") { SignOccurrence(if: $0.words.isLong) },
    ]

  /// The topics of the vocabulary, with the kinds that they indicate.
  private static let topics: [(topic: WordTopic, kind: ResponseKind?)] = [
    (.login, nil), (.network, nil), (.terms, nil), (.blocked, .blockPage), (.content, .blockPage),
    (.failure, nil), (.admitted, nil), (.session, nil), (.device, .deviceAdmin),
  ]

  /// The kinds with a topic in the vocabulary of kinds alone, and their topics.
  private static let kindTopics = ResponseKind.all.compactMap { kind in
    WordTopic(name: kind.name).flatMap { topic in
      topics.contains { $0.topic == topic } ? nil : (kind, topic)
    }
  }

  /// The signs of names: in the markup, in scripts, and of known software in the source.
  static let ofNames: [Sign] = [
    Sign("name.login", "an element is named %") { SignOccurrence($0.words.names[.login]) },
    Sign("name.terms", "an element is named %") { SignOccurrence($0.words.names[.terms]) },
    Sign("name.network", "an element is named %") { SignOccurrence($0.words.names[.network]) },
    Sign("name.blocked", "an element is named %", .blockPage) { facts in
      let names = facts.words.names
      let count = names[.blocked].distinct + names[.content].distinct
      return count == 0
        ? nil : SignOccurrence(names[.blocked].first ?? names[.content].first ?? "", count: count)
    },
    Sign("name.scriptPortal", "a script contains the name %") { facts in
      let topics = [WordTopic.login, .network, .terms].filter { facts.words.scripts[$0].distinct > 0 }
      return topics.first.map { SignOccurrence(facts.words.scripts[$0].first ?? "", count: topics.count) }
    },
    Sign("name.scriptBlocked", "a script contains the name %", .blockPage) { facts in
      let topics = [WordTopic.blocked, .content].filter { facts.words.scripts[$0].distinct > 0 }
      return topics.first.map { SignOccurrence(facts.words.scripts[$0].first ?? "", count: topics.count) }
    },
    source("network", .network, "the source mentions %"),
    source("portalSoftware", .portalSoftware, "the source names known portal software (%)"),
    source("program", .program, "the source names a known program (%)", .programLogin),
    source("device", .device, "the source names a known device (%)", .deviceAdmin),
    source("cookies", .cookies, "the source has a question about cookies (%)"),
    source("filter", .filter, "the source names a known filter (%)", .blockPage),
    source("server", .defaultPage, "the source names a server or a host (%)", .defaultPage),
    source("robotCheck", .challenge, "the source names a known test for browsers (%)", .challenge),
  ]

  private static func source(
    _ name: String, _ topic: WordTopic, _ sentence: String, _ kind: ResponseKind? = nil
  ) -> Sign {
    Sign("name.source.\(name)", sentence, kind) { SignOccurrence($0.words.source[topic]) }
  }
}

extension WordTopic {
  /// The clause for a title or a text with a word of the topic, with `%` for the word.
  fileprivate var clause: String {
    switch self {
    case .blocked: "has a word of block pages (%)"
    case .content: "names a reason for blocking (%)"
    case .failure: "reports an error (%)"
    case .admitted: "says that the client has access (%)"
    case .session: "has a word of sessions (%)"
    case .device: "has a word of devices (%)"
    case .program: "has a word of programs (%)"
    case .voucher: "has a word of vouchers (%)"
    case .payment: "has a word of sales (%)"
    case .loggedOut: "says that the client has logged out (%)"
    case .nameErrorHelp: "has a word of search pages (%)"
    case .parked: "has a word of parked domains (%)"
    case .challenge: "has a word of tests for browsers (%)"
    case .defaultPage: "has a word of default pages of servers (%)"
    default: "says %"
    }
  }
}

extension ResponseFacts {
  /// Whether the words of a topic count for it.
  ///
  /// Terms to be accepted may mention everything that is forbidden and blocked, and a page with fields for a login is a
  /// login page, whatever its other text.
  fileprivate func counts(_ topic: WordTopic) -> Bool {
    switch topic {
    case .blocked, .content: !isAgreedTo
    case .admitted, .session: !asksForCredentials
    default: true
    }
  }

  /// Whether a button accepts terms.
  var isAgreedTo: Bool { forms.contains { $0.buttons[.terms].distinct > 0 } }
}
