import ProbeBase

/// What is known of each language in addition to its words on a topic: its endings and its most common words.
///
/// They are in a list of their own, with several on a line. The topic of a heading is one of these:
///
/// - `endings`: the endings that a word takes, each with everything that precedes the end of the word. An ending
///   of `*` is any ending; it is only for languages whose script no other language of the lists uses.
/// - `suffixes`: the endings of a language that joins several of them.
/// - `common`: the most common words.
struct Languages: Sendable {
  /// The languages of each ending.
  private(set) var endings = LanguageTable()
  /// The languages of each suffix.
  private(set) var suffixes = LanguageTable()
  /// The languages of each common word, with its diacritics.
  private(set) var common = LanguageTable()
  /// The languages of each common word, without its diacritics.
  private(set) var foldedCommon = LanguageTable()
  /// The languages in which a word takes any ending.
  private(set) var withAnyEnding = LanguageSet.none
  /// The languages that join suffixes.
  private(set) var withSuffixes = LanguageSet.none

  /// The languages of all lists.
  static let standard = Languages(PackageResources.languages_txt)

  /// The maximum length of an ending with all its suffixes, in units.
  static let maximumEnding = 16
  /// The maximum length of one suffix, in units.
  private static let maximumSuffix = 7

  private enum Topic { case endings, suffixes, common }

  init(_ list: [UInt8]) {
    var word: [UInt16] = []
    word.reserveCapacity(64)
    var language = LanguageSet.none
    var topic = Topic.common
    for line in list.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      if line.last == UInt8(ascii: ":") {
        let heading = String(decoding: line.dropLast(), as: UTF8.self).split(separator: " ")
        language = LanguageSet(heading.prefix(1).map(String.init))
        topic = heading.last == "endings" ? .endings : heading.last == "suffixes" ? .suffixes : .common
        continue
      }
      var end = line.startIndex
      while end < line.endIndex {
        let start = end
        while end < line.endIndex, line[end] != UInt8(ascii: " ") { end += 1 }
        if start < end { add(list.span.extracting(start..<end), topic, language, &word) }
        end += 1
      }
    }
  }

  private mutating func add(
    _ item: Span<UInt8>, _ topic: Topic, _ language: LanguageSet, _ word: inout [UInt16]
  ) {
    if topic == .endings, item.count == 1, item[0] == UInt8(ascii: "*") {
      withAnyEnding = withAnyEnding.union(language)
      return
    }
    let hash = Self.hash(item, .standard, &word)
    guard !word.isEmpty else { return }
    switch topic {
    case .endings: endings.add(hash, language)
    case .suffixes:
      suffixes.add(hash, language)
      withSuffixes = withSuffixes.union(language)
    case .common:
      foldedCommon.add(hash, language)
      common.add(Self.hash(item, .spelling, &word), language)
    }
  }

  private static func hash(
    _ item: Span<UInt8>, _ folding: LetterFolding, _ word: inout [UInt16]
  ) -> UInt64 {
    var reader = UnitReader(folding)
    word.removeAll(keepingCapacity: true)
    reader.read(item, into: &word, upTo: 64)
    return LanguageTable.hash(word.span)
  }

  /// The languages in which the rest of a word is an ending.
  ///
  /// - Parameters:
  ///   - window: Units.
  ///   - position: The start of the rest.
  ///   - languages: The languages that count.
  ///   - steps: Incremented for each unit and each suffix examined.
  /// - Returns: The languages, and the end of the word; nil if the rest is no ending in any of them.
  func ending(
    in window: Span<UInt16>, at position: Int, of languages: LanguageSet, steps: inout Int
  ) -> (languages: LanguageSet, end: Int)? {
    var hash = LanguageTable.start
    var end = position
    while end < window.count, window[end] != LetterFolding.space {
      guard end - position < Self.maximumEnding || languages.intersects(withAnyEnding) else { return nil }
      hash = LanguageTable.adding(window[end], to: hash)
      end += 1
      steps += 1
    }
    var found = endings.languages(of: hash).union(withAnyEnding).intersection(languages)
    let joining = languages.intersection(withSuffixes)
    if !joining.isEmpty, end - position <= Self.maximumEnding {
      found = found.union(suffixes(in: window, position..<end, of: joining, steps: &steps))
    }
    return found.isEmpty ? nil : (found, end)
  }

  /// The languages in which a text consists of suffixes.
  private func suffixes(
    in window: Span<UInt16>, _ range: Range<Int>, of languages: LanguageSet, steps: inout Int
  ) -> LanguageSet {
    let count = range.count
    // The languages in which the text up to each position consists of suffixes.
    var reached = [LanguageSet](repeating: .none, count: count + 1)
    reached[0] = languages
    for start in 0..<count where !reached[start].isEmpty {
      var hash = LanguageTable.start
      for end in start..<min(count, start + Self.maximumSuffix) {
        hash = LanguageTable.adding(window[range.lowerBound + end], to: hash)
        steps += 1
        let found = suffixes.languages(of: hash).intersection(reached[start])
        if !found.isEmpty { reached[end + 1] = reached[end + 1].union(found) }
      }
    }
    return reached[count]
  }
}

/// The languages of words, looked up by a hash of the word's units.
///
/// The table has only the hashes: they have 64 bits, and the words are few and fixed.
struct LanguageTable: Sendable {
  private var hashes: [UInt64] = [UInt64](repeating: 0, count: 4096)
  private var languages: [LanguageSet] = [LanguageSet](repeating: .none, count: 4096)
  private var count = 0

  /// The hash of no unit (FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/).
  static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of a text with one more unit.
  static func adding(_ unit: UInt16, to hash: UInt64) -> UInt64 {
    (hash ^ UInt64(widening: unit)) &* 0x100_0000_01B3
  }

  static func hash(_ units: Span<UInt16>) -> UInt64 {
    var hash = start
    for index in units.indices { hash = adding(units[index], to: hash) }
    return hash
  }

  /// Adds languages to a word.
  mutating func add(_ hash: UInt64, _ added: LanguageSet) {
    let slot = slot(of: hash)
    if hashes[slot] == 0 {
      hashes[slot] = hash
      count += 1
    }
    languages[slot] = languages[slot].union(added)
    if count * 2 > hashes.count { grow() }
  }

  func languages(of hash: UInt64) -> LanguageSet { languages[slot(of: hash)] }

  /// The slot with a hash, or the free one for it.
  private func slot(of hash: UInt64) -> Int {
    let mask = hashes.count - 1
    var slot = Int(truncatingIfNeeded: (hash ^ hash >> 32) &* 0x9E37_79B9 >> 16) & mask
    while hashes[slot] != hash, hashes[slot] != 0 { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let (oldHashes, oldLanguages) = (hashes, languages)
    hashes = [UInt64](repeating: 0, count: oldHashes.count * 2)
    languages = [LanguageSet](repeating: .none, count: hashes.count)
    for index in oldHashes.indices where oldHashes[index] != 0 {
      let slot = slot(of: oldHashes[index])
      (hashes[slot], languages[slot]) = (oldHashes[index], oldLanguages[index])
    }
  }
}
