import ProbeCore

/// The purpose of a link, judging by its text and its path.
enum LinkPurpose {
  /// Whether a link's text names another purpose than a login.
  static func isAside(text: Span<UInt8>, in languages: PageLanguages) -> Bool {
    text.count > 0 && vocabulary.tally(text, in: languages).total > 0
  }

  /// Whether a link is for a forgotten password, which accounts have.
  static func isForForgottenPassword(_ link: Page.Link, in languages: PageLanguages) -> Bool {
    vocabulary.tally(link.text.span, in: languages)[.forgotten].total > 0
      || vocabulary.tally(IdentifierWords.split(Array(link.href.utf8.prefix(256)).span).span, in: .all)[
        .forgotten
      ].total > 0
  }

  /// Whether the path or the host of a URL names another purpose than a login.
  static func isAside(_ url: ProbeURL) -> Bool {
    let name = Array((url.path.split(separator: "/").last ?? "").utf8.prefix(256))
    let host = Array(url.host.utf8.prefix(256))
    return [name, host].contains {
      !$0.isEmpty && vocabulary.tally(IdentifierWords.split($0.span).span, in: .all).total > 0
    }
  }

  private static let vocabulary = Vocabulary([PackageResources.asides_txt])
}
