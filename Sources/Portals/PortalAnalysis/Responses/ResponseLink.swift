import ProbeCore

/// A link of a response to another URL, whatever makes it: a field, a script or an element.
struct ResponseLink {
  /// How the link is followed.
  enum Manner: String, CaseIterable {
    /// A Location field.
    case redirect
    /// A refresh of the page or its head.
    case refresh
    /// A script that runs when the page loads.
    case script
    /// A script that runs when something is pressed.
    case press
    case form
    case frame
    case link

    /// Whether it is followed without the user.
    var isAutomatic: Bool { Self.automatic.contains(self) }

    /// Those that are followed without the user.
    static let automatic: [Manner] = [.redirect, .refresh, .script]
  }

  let manner: Manner
  let facts: URLFacts
  /// Whether the text of the link has words of a login.
  var isNamedLogin = false

  var url: ProbeURL { facts.url }
  /// Whether it is on a host other than the requested one.
  var isOffHost: Bool { facts.isOffHost }
}

/// The links of a response, by manner.
struct ResponseLinks {
  private var lists = [[ResponseLink]](repeating: [], count: ResponseLink.Manner.allCases.count)
  /// The number of all of them.
  private(set) var count = 0

  /// The maximum number: a page may have hundreds of them.
  private static let maximum = 300

  /// Adds a link, unless there are enough.
  mutating func append(_ link: ResponseLink) {
    guard count < Self.maximum else { return }
    count += 1
    lists[Self.index(of: link.manner)].append(link)
  }

  /// The links of one manner, in their order.
  subscript(manner: ResponseLink.Manner) -> [ResponseLink] { lists[Self.index(of: manner)] }

  /// Those that are followed without the user.
  var automatic: some Sequence<ResponseLink> { ResponseLink.Manner.automatic.lazy.flatMap { self[$0] } }

  /// Whether there is one that is followed without the user.
  var hasAutomatic: Bool { ResponseLink.Manner.automatic.contains { !self[$0].isEmpty } }

  private static func index(of manner: ResponseLink.Manner) -> Int {
    switch manner {
    case .redirect: 0
    case .refresh: 1
    case .script: 2
    case .press: 3
    case .form: 4
    case .frame: 5
    case .link: 6
    }
  }
}

/// The purpose of a link, judging by its text and its path.
struct LinkPurpose {
  private let words: WordTally

  /// Reads the text of a link or a button.
  init(text: FoldedText, in languages: PageLanguages) {
    words = Self.vocabulary.tally(text, in: languages)
  }

  /// Whether it names another purpose than a login.
  var hasNonLoginPurpose: Bool { words.total > 0 }

  /// Whether it is for a forgotten password, which accounts have.
  var isForForgottenPassword: Bool { words[.forgotten].total > 0 }

  /// Whether a link's reference is for a forgotten password.
  static func isForForgottenPassword(_ href: String) -> Bool { words(of: href.utf8)[.forgotten].total > 0 }

  /// Whether the path or the host of a URL names another purpose than a login.
  static func hasNonLoginPurpose(_ url: ProbeURL) -> Bool {
    let path = url.path.utf8
    return words(of: path.split(separator: UInt8(ascii: "/")).last ?? path[...]).total > 0
      || words(of: url.host.utf8).total > 0
  }

  private static func words(of name: some Sequence<UInt8>) -> WordTally {
    vocabulary.tally(IdentifierWords.split(Array(name.prefix(256)).span).span, in: .all)
  }

  private static let vocabulary = Vocabulary([PackageResources.link_purposes_txt])
}
