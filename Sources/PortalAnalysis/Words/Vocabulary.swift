import ProbeASCII

/// Words and short phrases that indicate what a text is about, in many languages at once.
///
/// In a script with spaces, an entry matches at the start of a word, and thus as a stem: "registr" matches
/// "registrieren". In a script without spaces it matches anywhere. Of several matches at one position the
/// longest counts, and nothing inside it counts again: "terms of sale" hides "terms". Letters are compared
/// after ``LetterFolding``.
///
/// The words are read from lists, a file for each family of languages. A line with a colon names the language
/// (BCP 47) and the ``WordTopic`` of the lines after it, each of which is one word or phrase in plain
/// spelling: case, diacritics and punctuation do not count. A word is a stem unless it ends with a full stop.
/// The topic `none` is for words that resemble others but have no meaning here. If two topics have the same
/// word, the first one counts. Lines that start with `#` are comments.
///
/// The lists contain what any such page would say: phrases where a single word is ambiguous ("access denied",
/// not "access"), and nothing specific to one vendor.
///
/// Words are looked up by a hash of their first units, so that the cost does not grow with the number of
/// languages.
struct Vocabulary: Sendable {
  struct Word: Sendable {
    /// The index of its first unit, and the number of units.
    let start: Int32
    let count: Int32
    /// Whether it must end where the word of the text ends.
    let isWhole: Bool
    /// The topic; nil for a word that only hides others.
    let topic: WordTopic?
    /// Its spelling in the list.
    let spelling: Range<Int32>
    /// The index of the next word with the same hash, or -1.
    let next: Int32
  }

  /// All words, and the index of the first word of each hash, or -1.
  private(set) var words: [Word] = []
  private var heads = [Int32](repeating: -1, count: 1 << 13)
  private var units: [UInt16] = []
  private var source: [UInt8] = []
  /// The number of units of the longest word.
  private(set) var longest = 0

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
  init(_ lists: [[UInt8]]) {
    var word: [UInt16] = []
    word.reserveCapacity(256)
    source.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for list in lists {
      var topic: WordTopic?
      var end = source.count
      source += list
      while end < source.count {
        let start = end
        while end < source.count, source[end] != UInt8(ascii: "\n") { end += 1 }
        switch source[start..<end].last {
        case _ where source[start] == UInt8(ascii: "#"), nil: break
        case UInt8(ascii: ":"): topic = Self.topic(ofHeading: source[start..<end - 1])
        default: add(start..<end, topic, &word)
        }
        end += 1
      }
    }
  }

  /// The topic in a heading, such as `en login`; nil for `none`.
  private static func topic(ofHeading heading: ArraySlice<UInt8>) -> WordTopic? {
    let name = heading.split(separator: UInt8(ascii: " ")).last ?? []
    return WordTopic(name: String(decoding: name, as: UTF8.self))
  }

  private mutating func add(_ range: Range<Int>, _ topic: WordTopic?, _ word: inout [UInt16]) {
    var range = range
    let isWhole = range.last.map { source[$0] } == UInt8(ascii: ".")
    if isWhole { range.removeLast() }
    var reader = UnitReader()
    word.removeAll(keepingCapacity: true)
    reader.read(source.span.extracting(range), into: &word, upTo: 256)
    guard word.count >= 2 else { return }
    let count = word.count
    while word.count < Self.keyLength { word.append(LetterFolding.space) }
    let slot = Self.slot(word.span, 0)
    guard !hasWord(word.span.extracting(first: count), isWhole, in: slot) else { return }
    words.append(
      Word(
        start: Int32(clamping: units.count), count: Int32(truncatingIfNeeded: count), isWhole: isWhole,
        topic: topic,
        spelling: Int32(truncatingIfNeeded: range.lowerBound)..<Int32(truncatingIfNeeded: range.upperBound),
        next: heads[slot]))
    heads[slot] = Int32(clamping: words.count - 1)
    units += word.prefix(count)
    longest = max(longest, count)
  }

  /// Whether a word exists already; languages share many.
  private func hasWord(_ word: Span<UInt16>, _ isWhole: Bool, in slot: Int) -> Bool {
    var candidate = heads[slot]
    while candidate >= 0 {
      let known = words[Int(widening: candidate)]
      if known.isWhole == isWhole, Int(known.count) == word.count, begins(known, word, at: 0) { return true }
      candidate = known.next
    }
    return false
  }

  /// The spelling of a word in its list.
  func spelling(of word: Int) -> String {
    String(
      decoding: source[
        Int(widening: words[word].spelling.lowerBound)..<Int(widening: words[word].spelling.upperBound)],
      as: UTF8.self)
  }

  /// The number of units in the hash: shorter words match only as a whole.
  static let keyLength = 4

  private static func slot(_ window: Span<UInt16>, _ place: Int) -> Int {
    let first = window[place]
    var hash = (UInt32(widening: first) &* 0x9E37_79B1) ^ (UInt32(widening: window[place + 1]) &* 0x85EB_CA6B)
    // In scripts where words may start anywhere, two letters can already be a word.
    if !first.isOfUnspacedScript {
      hash ^=
        (UInt32(widening: window[place + 2]) &* 0xC2B2_AE35)
        ^ (UInt32(widening: window[place + 3]) &* 0x27D4_EB2F)
    }
    hash ^= hash >> 15
    return Int(widening: (hash &* 0x2C1B_3C6D) >> 19)
  }

  /// The longest word that starts at a position of a window.
  ///
  /// - Parameters:
  ///   - window: Units, with at least ``keyLength`` from the position on.
  ///   - place: The position, where a word may start.
  ///   - steps: Incremented for each word examined.
  /// - Returns: The index of the word, or nil.
  func word(in window: Span<UInt16>, at place: Int, steps: inout Int) -> Int? {
    var candidate = heads[Self.slot(window, place)]
    var best: Int?
    var bestCount = 0
    while candidate >= 0 {
      let word = words[Int(widening: candidate)]
      steps += 1
      if Int(word.count) > bestCount, begins(word, window, at: place), endsRight(word, window, at: place) {
        best = Int(widening: candidate)
        bestCount = Int(word.count)
      }
      candidate = word.next
    }
    return best
  }

  private func begins(_ word: Word, _ window: Span<UInt16>, at place: Int) -> Bool {
    let (start, count) = (Int(widening: word.start), Int(word.count))
    guard place + count <= window.count else { return false }
    for offset in 0..<count where units[start + offset] != window[place + offset] { return false }
    return true
  }

  private func endsRight(_ word: Word, _ window: Span<UInt16>, at place: Int) -> Bool {
    let end = place + Int(word.count)
    return !word.isWhole || end >= window.count || window[end] == LetterFolding.space
  }
}
