import ProbeCore

/// The purpose of a link, judging by its text and its path.
struct LinkPurpose {
  private let words: WordTally

  /// Reads the text of a link or a button.
  init(text: FoldedText, in languages: PageLanguages) {
    words = Self.vocabulary.tally(text, in: languages)
  }

  /// Whether it names another purpose than a login.
  var isAside: Bool { words.total > 0 }

  /// Whether it is for a forgotten password, which accounts have.
  var isForForgottenPassword: Bool { words[.forgotten].total > 0 }

  /// Whether a link's reference is for a forgotten password.
  static func isForForgottenPassword(_ href: String) -> Bool { words(of: href.utf8)[.forgotten].total > 0 }

  /// Whether the path or the host of a URL names another purpose than a login.
  static func isAside(_ url: ProbeURL) -> Bool {
    let path = url.path.utf8
    return words(of: path.split(separator: UInt8(ascii: "/")).last ?? path[...]).total > 0
      || words(of: url.host.utf8).total > 0
  }

  private static func words(of name: some Sequence<UInt8>) -> WordTally {
    vocabulary.tally(IdentifierWords.split(Array(name.prefix(256)).span).span, in: .all)
  }

  private static let vocabulary = Vocabulary([PackageResources.asides_txt])
}
