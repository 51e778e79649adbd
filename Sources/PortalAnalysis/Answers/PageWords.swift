/// The words of a page, by place.
struct PageWords {
  /// The words of its title.
  var title = WordTally()
  /// The words at its beginning: a block page states its refusal there; terms of use have the same words further
  /// down.
  var start = WordTally()
  /// The words of the whole text.
  var all = WordTally()
  /// The words that distinguish kinds of pages, in the title and at the beginning.
  var titleKinds = WordTally()
  var startKinds = WordTally()
  /// What the title and the beginning of the text call a program.
  var titleProgram = WordTally()
  var startProgram = WordTally()
  /// The words in the names of its elements.
  var names = WordTally()
  /// The words in the scripts of a page without text, which build the page from their data.
  var scripts = WordTally()
  /// Known software, and words of networks, in the source.
  var source = WordTally()
  /// Whether it has almost no text.
  var isEmpty = true
  /// Whether its text is long.
  var isLong = false

  /// The length of the beginning of a text, in bytes.
  private static let start = 1500
  /// The length from which a text counts as long, in non-space bytes.
  private static let long = 1000
  /// The length up to which a text counts as empty, in non-space bytes.
  private static let empty = 60
  /// How much of the source is read.
  private static let source = 64 * 1024

  init() {}

  init(_ page: Page, in languages: PageLanguages, source: ArraySlice<UInt8>) {
    // Scripts show hidden parts; menus and the choices of a list are no part of the message.
    let text = page.text(in: [.message, .hidden])
    let beginning = text.span.extracting(first: min(text.count, Self.start))
    (all, start) = Vocabulary.standard.tally(text.span, in: languages, beginning: Self.start)
    title = Vocabulary.standard.tally(page.title.span, in: languages)
    titleKinds = Vocabulary.kinds.tally(page.title.span, in: languages)
    startKinds = Vocabulary.kinds.tally(beginning, in: languages)
    titleProgram = Vocabulary.programs.tally(page.title.span, in: languages)
    startProgram = Vocabulary.programs.tally(beginning, in: languages)
    names = IdentifierWords.tally(page.identifiers.span)
    self.source = SourceWords.tally(source.prefix(Self.source))
    let length = page.text(in: .all).lazy.filter { $0 > 0x20 }.prefix(Self.long + 1).count
    (isEmpty, isLong) = (length <= Self.empty, length > Self.long)
    if isEmpty {
      scripts = IdentifierWords.tally(Array(page.scripts.joined().prefix(Page.Limit.identifiers)).span)
    }
  }
}

/// The words in the source of a page, markup and scripts included: names of software, and of networks.
enum SourceWords {
  static func tally(_ source: ArraySlice<UInt8>) -> WordTally {
    // Names of software have capitals in the middle (`MikroTik`), and so have names of several words (`guestWifi`).
    let text = source + [0x20] + IdentifierWords.split(source.span)
    return vocabulary.tally(text.span, in: .all)
  }

  private static let vocabulary = Vocabulary([PackageResources.software_txt], matching: .stems)
}
