import ProbeBase

/// The topic of a word in a page, an identifier or a URL.
///
/// The first three topics indicate portals, the next two block pages: filters and an operator's payment
/// pages. No topic decides alone: ``ResponseDecision`` weighs them against each other.
enum WordTopic: Int, CaseIterable, Sendable {
  /// Identification: log in, password, voucher, register.
  case login
  /// The network between the user and the Internet: Wi-Fi, hotspot, guest network, being online.
  case network
  /// Acceptance: terms of use, I accept.
  case terms
  /// A refusal: access denied, site blocked, forbidden.
  case blocked
  /// The reason for a refusal: law, court, gambling, malware, a category, a policy.
  case content
  /// An error: not found, bad gateway, try again later.
  case failure
  /// The client has access, or has logged out: you are connected, login successful, access granted.
  case admitted
  /// What belongs to a session: log out, remaining time.
  case session
  /// The administration of a device: router configuration, admin login.
  case device
  /// A voucher, or a code that grants access.
  case voucher
  /// Internet access for sale.
  case payment
  case loggedOut
  /// A search instead of an error about a name.
  case nameErrorHelp
  /// A domain for sale.
  case parked
  /// A test for browsers.
  case challenge
  /// A web server without a site.
  case defaultPage
  /// The purpose of a link that is no login: terms, help, registration.
  case aside
  /// A field for a user name.
  case user
  /// A field for an e-mail address.
  case email
  /// A field for a telephone number.
  case phone
  /// A field for a room, a ticket or a name.
  case person
  /// A box to stay logged in, which accounts have.
  case remember
  /// A field against forged requests, which programs have.
  case token
  /// A field for the page of the program to return to.
  case returnTo
  /// A forgotten password.
  case forgotten
  /// An address of this client in a URL.
  case client
  case portalSoftware
  /// A program with a log-in of its own.
  case program
  /// A question about cookies.
  case cookies
  /// Filter software.
  case filter
}

extension WordTopic {
  /// The name in the vocabularies.
  var name: String { "\(self)" }

  init?(name: some StringProtocol) {
    guard let topic = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = topic
  }
}

/// The words of a ``Vocabulary`` that a text contains.
struct WordTally: Hashable, Sendable {
  /// The matches of one topic.
  struct Matches: Hashable, Sendable {
    /// The number of distinct words.
    var distinct = 0
    /// The number of words, counting each occurrence.
    var total = 0
    /// The first word in the text, as spelled in the vocabulary; a stem is not completed.
    var first: String?
  }

  /// By topic; empty until the first word, as most names and links have none.
  private var matches: [Matches] = []

  subscript(topic: WordTopic) -> Matches { matches.isEmpty ? Matches() : matches[topic.rawValue] }

  /// The number of words of any topic, counting each occurrence.
  var total: Int { matches.reduce(0) { $0 + $1.total } }

  /// Adds a word.
  ///
  /// - Parameters:
  ///   - topic: Its topic.
  ///   - isNew: Whether it is the first occurrence in the text.
  ///   - spelling: The word, evaluated only if it is the first of its topic.
  mutating func add(_ topic: WordTopic, isNew: Bool, spelling: @autoclosure () -> String) {
    if matches.isEmpty { matches = [Matches](repeating: Matches(), count: WordTopic.allCases.count) }
    let index = topic.rawValue
    matches[index].total += 1
    if isNew { matches[index].distinct += 1 }
    if matches[index].first == nil { matches[index].first = spelling() }
  }
}
