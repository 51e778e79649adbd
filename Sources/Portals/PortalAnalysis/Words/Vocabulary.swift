import ProbeBase

/// Words and short phrases that indicate what a text is about, in many languages.
///
/// A word of a text matches an entry as a whole, or with an ending of the entry's language (``Languages``):
/// "registrier" with the ending "en" matches "registrieren", and no entry matches a part of another language's
/// word. In a phrase, the last word takes the ending. In a script without spaces an entry matches anywhere.
/// Which languages count is up to the page (``PageLanguages``). Of several matches at one position the longest
/// counts, and nothing inside it counts again: "terms of sale" hides "terms". Letters are compared after
/// ``LetterFolding``.
///
/// The words are read from lists, a file for each family of languages. A line with a colon names the language
/// (BCP 47) and the ``WordTopic`` of the lines after it, each of which is one word or phrase in plain
/// spelling: case, diacritics and punctuation do not count. An entry that ends with a full stop takes no
/// ending. One that ends with a hyphen also begins compounds, in pages of its language. The topic `none` is for
/// words that resemble others but have no meaning here. If two topics of a language have the same word, the
/// first one counts; in another language the same spelling may have another topic. Lines that start with `#`
/// are comments.
///
/// The lists contain the words of any such page: phrases where a single word is ambiguous ("access denied",
/// not "access"), and nothing specific to one vendor.
///
/// Words are looked up by a hash of their first units, so that the cost does not grow with the number of
/// languages.
struct Vocabulary: Sendable {
  /// What an entry matches.
  enum Matching: Sendable {
    /// Words, as a whole or with an ending of their language.
    case words
    /// Every word that begins with the entry: names in markup and in URLs join words without a space.
    case stems
  }

  struct Word: Sendable {
    /// The languages that have it with this topic.
    var languages: LanguageSet
    /// The index of its first unit, and the number of units.
    let start: Int32
    let count: Int16
    /// Whether it must end where the word of the text ends.
    let isWhole: Bool
    /// Whether it also begins compounds.
    let isCompound: Bool
    /// Whether it is one word, without a space.
    let isSingle: Bool
    /// The topic; nil for a word that only hides others.
    let topic: WordTopic?
    /// Its spelling in the list.
    let spelling: Range<Int32>
    /// The index of the next word with the same hash, or -1.
    let next: Int32
  }

  private let matching: Matching
  private let languages: Languages
  /// All words, and the index of the first word of each hash, or -1.
  private(set) var words: [Word] = []
  private var heads: [Int32]
  private var units: [UInt16] = []
  private var source: [UInt8] = []
  /// The number of units of the longest word.
  private(set) var maximumLength = 0

  /// The words of all languages: sessions and devices first, because other lists have parts of their phrases; then
  /// English, because all others borrow from it.
  static let standard = Vocabulary([
    PackageResources.sessions_txt, PackageResources.devices_txt, PackageResources.english_txt,
    PackageResources.outages_txt, PackageResources.germanic_txt,
    PackageResources.romance_txt, PackageResources.west_slavic_txt, PackageResources.south_slavic_txt,
    PackageResources.east_slavic_txt, PackageResources.baltic_txt, PackageResources.uralic_txt,
    PackageResources.balkan_txt, PackageResources.turkic_txt, PackageResources.caucasian_txt,
    PackageResources.semitic_txt, PackageResources.iranian_txt, PackageResources.indic_txt,
    PackageResources.mainland_asian_txt, PackageResources.island_asian_txt, PackageResources.east_asian_txt,
  ])

  /// The words that distinguish kinds of pages; the topics are named as the kinds.
  static let kinds = Vocabulary([PackageResources.kinds_txt])

  /// What programs with a log-in of their own call themselves.
  static let programs = Vocabulary([PackageResources.programs_txt])

  /// Parses lists of words.
  ///
  /// - Parameters:
  ///   - lists: The lists.
  ///   - matching: What an entry matches.
  ///   - languages: The endings and the common words of the languages.
  init(_ lists: [[UInt8]], matching: Matching = .words, languages: Languages = .standard) {
    self.matching = matching
    self.languages = languages
    var word: [UInt16] = []
    word.reserveCapacity(256)
    let length = lists.reduce(0) { $0 + $1.count }
    source.reserveCapacity(length)
    // Several times as many hashes as words, so that most positions end at once; a power of two.
    heads = [Int32](repeating: -1, count: 1)
    while heads.count * 4 < length { heads += heads }
    for list in lists {
      var heading = Heading()
      var end = source.count
      source += list
      while end < source.count {
        let start = end
        while end < source.count, source[end] != UInt8(ascii: "\n") { end += 1 }
        switch source[start..<end].last {
        case _ where source[start] == UInt8(ascii: "#"), nil: break
        case UInt8(ascii: ":"): heading = Heading(source[start..<end - 1])
        default: add(start..<end, heading, &word)
        }
        end += 1
      }
    }
  }

  /// A heading, such as `en login`.
  private struct Heading {
    var language = LanguageSet.none
    /// The topic; nil for `none`.
    var topic: WordTopic?

    init() {}

    init(_ line: ArraySlice<UInt8>) {
      let names = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      language = LanguageSet(tag: names.first ?? "")
      topic = WordTopic(name: names.last ?? "")
    }
  }

  private mutating func add(_ range: Range<Int>, _ heading: Heading, _ word: inout [UInt16]) {
    var range = range
    let last = range.last.map { source[$0] }
    let isWhole = last == UInt8(ascii: ".")
    let isCompound = last == UInt8(ascii: "-")
    if isWhole || isCompound { range.removeLast() }
    var reader = UnitReader()
    word.removeAll(keepingCapacity: true)
    reader.read(source.span.extracting(range), into: &word, upTo: 256)
    guard word.count >= 2 else { return }
    let count = word.count
    while word.count < Self.keyLength { word.append(LetterFolding.space) }
    let slot = slot(word.span, 0)
    var candidate = heads[slot]
    while candidate >= 0 {
      let index = Int(widening: candidate)
      let known = words[index]
      candidate = known.next
      guard known.isWhole == isWhole, known.isCompound == isCompound, Int(widening: known.count) == count,
        begins(known, word.span.extracting(first: count), at: 0)
      else { continue }
      // A language has one topic for a word; the first one counts.
      if known.languages.intersects(heading.language) { return }
      if known.topic == heading.topic {
        words[index].languages = known.languages.union(heading.language)
        return
      }
    }
    words.append(
      Word(
        languages: heading.language, start: Int32(clamping: units.count),
        count: Int16(truncatingIfNeeded: count), isWhole: isWhole, isCompound: isCompound,
        isSingle: !word.prefix(count).contains(LetterFolding.space), topic: heading.topic,
        spelling: Int32(truncatingIfNeeded: range.lowerBound)..<Int32(truncatingIfNeeded: range.upperBound),
        next: heads[slot]))
    heads[slot] = Int32(clamping: words.count - 1)
    units += word.prefix(count)
    maximumLength = max(maximumLength, count)
  }

  func spelling(of word: Int) -> String {
    String(
      decoding: source[
        Int(widening: words[word].spelling.lowerBound)..<Int(widening: words[word].spelling.upperBound)],
      as: UTF8.self)
  }

  /// The number of units in the hash: shorter words match only as a whole.
  static let keyLength = 4

  @inline(__always) private func slot(_ window: Span<UInt16>, _ position: Int) -> Int {
    let first = window[position]
    let second = window[position + 1]
    var hash = (UInt32(widening: first) &* 0x9E37_79B1) ^ (UInt32(widening: second) &* 0x85EB_CA6B)
    // In scripts where words may start anywhere, two letters can already be a word.
    if !first.isUnspacedScript {
      // A word of two letters ends before the third unit, whatever follows.
      let third = window[position + 2]
      let fourth = third == LetterFolding.space ? third : window[position + 3]
      hash ^= (UInt32(widening: third) &* 0xC2B2_AE35) ^ (UInt32(widening: fourth) &* 0x27D4_EB2F)
    }
    hash = (hash ^ hash >> 15) &* 0x2C1B_3C6D
    return Int(widening: hash ^ hash >> 16) & (heads.count - 1)
  }

  /// The longest match that starts at a position of a window.
  ///
  /// Of several that are equally long, the first in the lists counts, those of the page's own languages before
  /// those that count on every page.
  ///
  /// - Parameters:
  ///   - window: Units, with at least ``keyLength`` from the position on.
  ///   - position: The position, where a word may start.
  ///   - page: The languages that count.
  ///   - steps: Incremented for each word and each unit examined.
  /// - Returns: The index of the word and the end of the match, or nil.
  func word(
    in window: Span<UInt16>, at position: Int, of page: PageLanguages, steps: inout Int
  ) -> (word: Int, end: Int)? {
    var candidate = heads[slot(window, position)]
    var best: (word: Int, end: Int, isOwn: Bool)?
    while candidate >= 0 {
      let index = Int(widening: candidate)
      let word = words[index]
      candidate = word.next
      steps += 1
      guard word.languages.intersects(page.counting), begins(word, window, at: position),
        let match = match(of: word, in: window, at: position, page, &steps)
      else { continue }
      let isOwn = match.languages.intersects(page.own)
      if let best {
        guard match.end >= best.end else { continue }
        if match.end == best.end, best.isOwn && !isOwn || best.isOwn == isOwn && best.word < index {
          continue
        }
      }
      if !isOwn, word.isSingle, isForeign(window, position..<match.end, page) { continue }
      best = (index, match.end, isOwn)
    }
    return best.map { ($0.word, $0.end) }
  }

  /// Whether a word that counts on every page is a common word of the page's own language.
  private func isForeign(_ window: Span<UInt16>, _ range: Range<Int>, _ page: PageLanguages) -> Bool {
    guard !page.own.isEmpty else { return false }
    return languages.foldedCommon.languages(of: LanguageTable.hash(window.extracting(range))).intersects(
      page.own)
  }

  private func begins(_ word: Word, _ window: Span<UInt16>, at position: Int) -> Bool {
    let (start, count) = (Int(widening: word.start), Int(widening: word.count))
    guard position + count <= window.count else { return false }
    for offset in 0..<count where units[start + offset] != window[position + offset] { return false }
    return true
  }

  /// The end of a word whose beginning matches, and the languages in which it matches.
  private func match(
    of word: Word, in window: Span<UInt16>, at position: Int, _ page: PageLanguages, _ steps: inout Int
  ) -> (languages: LanguageSet, end: Int)? {
    let end = position + Int(widening: word.count)
    let counting = word.languages.intersection(page.counting)
    if end >= window.count || window[end] == LetterFolding.space { return (counting, end) }
    guard !word.isWhole else { return nil }
    if matching == .stems || UInt16.isBoundary(window[end - 1], window[end]) { return (counting, end) }
    if word.isCompound, counting.intersects(page.own) {
      var end = end
      while end < window.count, window[end] != LetterFolding.space { end += 1 }
      steps += end - position
      return (counting.intersection(page.own), end)
    }
    let inflected = counting.intersection(page.inflected)
    guard !inflected.isEmpty else { return nil }
    return languages.ending(in: window, at: end, of: inflected, steps: &steps)
  }
}
