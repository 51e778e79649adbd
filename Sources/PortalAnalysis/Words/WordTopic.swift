/// What a word of a page, of an identifier or of a URL is about.
///
/// The first three are what portals talk about, the next two what walls talk about: block pages, filters, payment
/// walls of an operator. No topic decides alone: ``AnswerReading`` weighs them against each other.
enum WordTopic: Int, CaseIterable, Sendable {
  /// Saying who one is: log in, password, voucher, register.
  case login
  /// The network between the user and the Internet: Wi-Fi, hotspot, guest network, being online.
  case network
  /// Agreeing to something: terms of use, I accept.
  case terms
  /// A refusal: access denied, site blocked, forbidden.
  case blocked
  /// What refusals give as their cause: law, court, gambling, malware, a category, a policy.
  case content
  /// Something is broken: not found, bad gateway, try again later.
  case failure
}

extension WordTopic {
  /// The name that vocabularies use.
  var name: String {
    switch self {
    case .login: "login"
    case .network: "network"
    case .terms: "terms"
    case .blocked: "blocked"
    case .content: "content"
    case .failure: "failure"
    }
  }

  /// The topic of a name.
  init?(name: some StringProtocol) {
    guard let topic = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = topic
  }
}
