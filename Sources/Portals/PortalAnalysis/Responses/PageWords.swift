import ProbeBase

/// The words of a page, by part of the page.
struct PageWords {
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
    let beginning = FoldedText(text.span.extracting(first: min(text.count, Self.start)))
    let title = FoldedText(page.title.span)
    (all, start) = Vocabulary.standard.tally(text.span, in: languages, beginning: Self.start)
    self.title = Vocabulary.standard.tally(title, in: languages)
    titleKinds = Vocabulary.kinds.tally(title, in: languages)
    startKinds = Vocabulary.kinds.tally(beginning, in: languages)
    titleProgram = Vocabulary.programs.tally(title, in: languages)
    startProgram = Vocabulary.programs.tally(beginning, in: languages)
    names = IdentifierWords.tally(page.identifiers.span)
    self.source = SourceWords.tally(source.prefix(Self.source))
    var length = 0
    for byte in page.text(in: .all) where byte > 0x20 && length <= Self.long { length += 1 }
    (isEmpty, isLong) = (length <= Self.empty, length > Self.long)
    if isEmpty {
      scripts = IdentifierWords.tally(Array(page.scripts.joined().prefix(Page.Limit.identifiers)).span)
    }
  }
}

/// The words in the source of a page, markup and scripts included: names of software, and of networks.
enum SourceWords {
  static func tally(_ source: ArraySlice<UInt8>) -> WordTally {
    let text = text(of: source)
    return vocabulary.tally(text.span, in: .all)
  }

  /// A source without its data in Base64, and with some of its names once more as words.
  ///
  /// Names of software have capitals in the middle (`MikroTik`), and so have names of several words (`guestWifi`). The
  /// scan of a text skips URLs, most of which are the requested one. What follows the first number or capital in a URL
  /// counts, because gateways have an address or a port in theirs, with the beginning of the text behind it.
  private static func text(of source: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = source.span
    let parts = Self.partsOfNames.span
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    var names: [UInt8] = []
    var copied = 0
    var index = 0
    while index < bytes.count {
      let start = index
      let isURL = starts(with: Self.scheme, bytes, at: index)
      if isURL { index += 3 }
      // Where a second word or a number begins.
      var second: Int?
      while index < bytes.count, isURL ? isPartOfURL(bytes[index]) : parts[Int(widening: bytes[index])] {
        if second == nil, index > start, isBeginning(index, in: bytes) { second = index }
        index += 1
      }
      if let second {
        // No list has this character, so that two names are not one phrase.
        names += " \u{FFFD} ".utf8
        let range = isURL ? second..<endOfText(after: index, in: bytes) : start..<index
        names += IdentifierWords.split(bytes.extracting(range))
        if start > 0, starts(with: Self.data, bytes, at: start - 1) {
          text.append(copying: bytes.extracting(copied..<index))
          copied = endOfData(after: index + 1, in: bytes)
          index = copied
        }
      }
      if index == start { index += 1 }
    }
    text.append(copying: bytes.extracting(copied..<bytes.count))
    text += names
    return text
  }

  private static let scheme = Array("://".utf8)
  private static let data = Array(";base64,".utf8)

  /// Whether a mark in lower case is at an index, ignoring case.
  private static func starts(with mark: [UInt8], _ bytes: Span<UInt8>, at index: Int) -> Bool {
    guard bytes[index] == mark[0], index + mark.count <= bytes.count else { return false }
    for offset in mark.indices where bytes[index + offset].asciiLowercased != mark[offset] { return false }
    return true
  }

  /// The end of the text that begins at an index: the next tag or line, within a phrase's length.
  private static func endOfText(after start: Int, in bytes: Span<UInt8>) -> Int {
    var end = start
    while end < min(bytes.count, start + 64), bytes[end] != UInt8(ascii: "<"),
      bytes[end] != UInt8(ascii: "\n")
    {
      end += 1
    }
    return end
  }

  /// The end of data in Base64 (RFC 4648 §4) that begins at an index, as it is or percent-encoded.
  ///
  /// It continues in the next line if a line is as long as those of MIME, 76 bytes, or of PEM, 64 bytes.
  private static func endOfData(after start: Int, in bytes: Span<UInt8>) -> Int {
    var line = start
    var end = start
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        guard end == line || end - line >= 64 else { return end }
        line = end + 1
      } else {
        let isData = byte.isASCIILetter || byte.isASCIIDigit || "+/=%".utf8.contains(byte)
        guard isData else { return end }
      }
      end += 1
    }
    return end
  }

  private static func isPartOfURL(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "<")
  }

  /// Whether each byte is part of a name.
  private static let partsOfNames = (UInt8.min...UInt8.max).map {
    $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0)
  }

  /// Whether a word or a number begins inside a name.
  private static func isBeginning(_ index: Int, in text: Span<UInt8>) -> Bool {
    text[index].isASCIIDigit || text[index - 1].isASCIIDigit && text[index].isASCIILetter
      || IdentifierWords.isBeginning(index, in: text)
  }

  private static let vocabulary = Vocabulary([PackageResources.software_txt], matching: .stems)
}
