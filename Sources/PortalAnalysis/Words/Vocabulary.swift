/// Words and short phrases that tell what a text is about, in many languages at once.
///
/// A word of a script with spaces matches where a word starts, and so as a stem: "registr" finds "registrieren". Where
/// a script has no spaces it matches anywhere. Of several words at one place the longest counts, and nothing inside it
/// counts again: "terms of sale" keeps "terms" from being seen. Letters are compared as ``LetterFolding`` has it.
///
/// They come from lists, a file for each family of languages. A line with a colon names the language (BCP 47) and the
/// ``WordTopic`` of the lines behind it, each of them one word or phrase in plain spelling: case, diacritics and
/// punctuation do not count. A word is a stem unless a full stop ends it. The topic `none` is for words that look like
/// others and mean nothing here. Where two topics have the same word the first one counts. Lines with a `#` in front are
/// comments.
///
/// What stands in them is what any such page would say: phrases where a word alone has more than one meaning ("access
/// denied", not "access"), and nothing that only one vendor says.
///
/// The words are looked up by a hash of their first units, so that the cost of a text does not grow with the number of
/// languages.
struct Vocabulary: Sendable {
  struct Word: Sendable {
    /// Where its units start, and how many it has.
    let start: Int32
    let count: Int32
    /// Whether nothing may follow in the same word.
    let isWhole: Bool
    /// What it is about; nil for one that is only there to keep others from being seen.
    let topic: WordTopic?
    /// How it is written in the list.
    let spelling: Range<Int32>
    /// The next word with the same hash, or -1.
    let next: Int32
  }

  /// All words, and where the words of each hash start, or -1.
  private(set) var words: [Word] = []
  private var heads = [Int32](repeating: -1, count: 1 << 13)
  private var units: [UInt16] = []
  private var source: [UInt8] = []
  /// The longest word's units.
  private(set) var longest = 0

  /// The words of all languages: those of sessions and devices first, whose phrases others have in part; then English,
  /// which all others borrow from.
  static let standard = Vocabulary([
    PackageResources.sessions_txt, PackageResources.devices_txt, PackageResources.english_txt,
    PackageResources.outages_txt, PackageResources.germanic_txt,
    PackageResources.romance_txt, PackageResources.west_slavic_txt, PackageResources.south_slavic_txt,
    PackageResources.east_slavic_txt, PackageResources.baltic_txt, PackageResources.uralic_txt,
    PackageResources.balkan_txt, PackageResources.turkic_txt, PackageResources.caucasian_txt,
    PackageResources.semitic_txt, PackageResources.iranian_txt, PackageResources.indic_txt,
    PackageResources.mainland_asian_txt, PackageResources.island_asian_txt, PackageResources.east_asian_txt,
  ])

  /// Reads lists of words.
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

  /// The topic of a line's heading, such as `en login`; nil for `none`.
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
        start: Int32(units.count), count: Int32(count), isWhole: isWhole, topic: topic,
        spelling: Int32(range.lowerBound)..<Int32(range.upperBound), next: heads[slot]))
    heads[slot] = Int32(words.count - 1)
    units += word.prefix(count)
    longest = max(longest, count)
  }

  /// Whether a word is there already; languages share many.
  private func hasWord(_ word: Span<UInt16>, _ isWhole: Bool, in slot: Int) -> Bool {
    var candidate = heads[slot]
    while candidate >= 0 {
      let known = words[Int(candidate)]
      if known.isWhole == isWhole, Int(known.count) == word.count, begins(known, word, at: 0) { return true }
      candidate = known.next
    }
    return false
  }

  /// How a word is written in its list.
  func spelling(of word: Int) -> String {
    String(
      decoding: source[Int(words[word].spelling.lowerBound)..<Int(words[word].spelling.upperBound)],
      as: UTF8.self)
  }

  /// How many units the hash is made of: words that are shorter match as a whole only.
  static let keyLength = 4

  private static func slot(_ window: Span<UInt16>, _ place: Int) -> Int {
    let first = window[place]
    var hash = (UInt32(first) &* 0x9E37_79B1) ^ (UInt32(window[place + 1]) &* 0x85EB_CA6B)
    // Where words may start anywhere two letters are a word already.
    if !first.isOfUnspacedScript {
      hash ^= (UInt32(window[place + 2]) &* 0xC2B2_AE35) ^ (UInt32(window[place + 3]) &* 0x27D4_EB2F)
    }
    hash ^= hash >> 15
    return Int((hash &* 0x2C1B_3C6D) >> 19)
  }

  /// The longest word that starts at a place of a window.
  ///
  /// - Parameters:
  ///   - window: Units, with at least ``keyLength`` from the place on.
  ///   - place: The place, where a word may start.
  ///   - steps: Is counted up by the words looked at.
  /// - Returns: The number of the word, or nil.
  func word(in window: Span<UInt16>, at place: Int, steps: inout Int) -> Int? {
    var candidate = heads[Self.slot(window, place)]
    var best: Int?
    var bestCount = 0
    while candidate >= 0 {
      let word = words[Int(candidate)]
      steps += 1
      if Int(word.count) > bestCount, begins(word, window, at: place), endsRight(word, window, at: place) {
        best = Int(candidate)
        bestCount = Int(word.count)
      }
      candidate = word.next
    }
    return best
  }

  private func begins(_ word: Word, _ window: Span<UInt16>, at place: Int) -> Bool {
    let (start, count) = (Int(word.start), Int(word.count))
    guard place + count <= window.count else { return false }
    for offset in 0..<count where units[start + offset] != window[place + offset] { return false }
    return true
  }

  private func endsRight(_ word: Word, _ window: Span<UInt16>, at place: Int) -> Bool {
    let end = place + Int(word.count)
    return !word.isWhole || end >= window.count || window[end] == LetterFolding.space
  }
}
