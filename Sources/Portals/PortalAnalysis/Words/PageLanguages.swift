import ProbeBase

/// The languages in which the words of a page count.
///
/// They are the languages that the page declares, and those of its most common words; in a script that only one
/// language of the lists uses, letters suffice. English counts on every page, because portals mix it with any
/// other language, but not for a word that is a common word of the page's own language. In a page whose language
/// cannot be determined, the words of all languages count, without endings.
struct PageLanguages: Hashable, Sendable {
  /// The languages of the page.
  let own: LanguageSet
  /// The languages whose words count with endings.
  let inflected: LanguageSet
  /// The languages whose words count.
  let counting: LanguageSet

  /// All languages, with endings.
  static let all = PageLanguages(own: .none, inflected: .all, counting: .all)

  private init(own: LanguageSet, inflected: LanguageSet, counting: LanguageSet) {
    self.own = own
    self.inflected = inflected
    self.counting = counting
  }

  /// Creates the languages of a page; English counts, too.
  ///
  /// - Parameters:
  ///   - own: The languages of the page.
  ///   - exact: Further languages, whose words count without endings.
  init(_ own: LanguageSet, exact: LanguageSet = .none) {
    self.own = own
    inflected = own.union(.english)
    counting = inflected.union(exact)
  }

  /// Whether the language could be determined.
  var isKnown: Bool { !own.isEmpty }
}

extension PageLanguages {
  /// Determines the languages of a page.
  ///
  /// The work is bounded: the beginning of the text decides.
  ///
  /// - Parameters:
  ///   - text: The page's text in UTF-8.
  ///   - declared: The languages that the page declares, such as `de-AT`.
  init(of text: Span<UInt8>, declared: [String] = []) {
    var sample = LanguageSample()
    sample.read(text)
    let declared = declared.prefix(Self.maximumDeclared).reduce(LanguageSet.none) {
      $0.union(LanguageSet(tag: $1))
    }
    let shown = sample.languages
    var own = shown.union(sample.agreeing(declared, with: shown))
    // Templates declare English for pages in any language.
    if own == .english, !sample.hasEnglish { own = .none }
    self.init(own, exact: sample.undetermined(own))
  }

  /// The maximum number of declarations to read.
  private static let maximumDeclared = 8
}

/// What the beginning of a text indicates about its languages.
struct LanguageSample {
  /// The maximum number of units to read.
  private static let limit = 4096
  /// The maximum number of languages that share an alphabet with others.
  private static let few = 4

  /// The number of letters of each script.
  private var letters = [Int](repeating: 0, count: Script.allCases.count)
  /// The common words found, with their number, their length and their languages.
  private var found: [UInt64: (count: Int, length: Int, languages: LanguageSet)] = [:]
  /// The number of words.
  private var words = 0
  /// The number of characters that are common in Chinese and rare or unknown in Japanese.
  private var chinese = 0

  /// Reads the beginning of a text.
  mutating func read(_ text: Span<UInt8>) {
    var units: [UInt16] = []
    units.reserveCapacity(min(text.count, Self.limit) + 1)
    var reader = UnitReader(.spelling)
    reader.read(text, into: &units, upTo: Self.limit)
    // A word that does not end in the sample is not read.
    if reader.isAtEnd(of: text) { units.append(LetterFolding.space) }
    let common = Languages.standard.common
    var hash = LanguageTable.start
    var length = 0
    var ascii = 0
    for unit in units {
      if unit == LetterFolding.space {
        if length > 0 { note(hash, length, common.languages(of: hash)) }
        hash = LanguageTable.start
        length = 0
      } else {
        if (0x61...0x7A).contains(unit) {
          ascii += 1
        } else if let script = Script(of: unit) {
          letters[script.rawValue] += 1
          if script == .han, Self.chineseCharacters.contains(unit) { chinese += 1 }
        }
        hash = LanguageTable.adding(unit, to: hash)
        length += 1
      }
    }
    letters[Script.latin.rawValue] += ascii
  }

  private mutating func note(_ hash: UInt64, _ length: Int, _ languages: LanguageSet) {
    words += 1
    guard !languages.isEmpty else { return }
    found[hash, default: (0, length, languages)].count += 1
  }

  private static let chineseCharacters = Set("的是了您请請这這们們为為网網说說没沒吗嗎你他她它个個".utf16)

  /// Whether it has a common word of English.
  var hasEnglish: Bool { found.values.contains { $0.languages.intersects(.english) } }

  /// The number of letters of a script.
  private func count(_ script: Script) -> Int { letters[script.rawValue] }
}

extension LanguageSample {
  /// The languages of the common words, and those whose scripts no other language uses.
  var languages: LanguageSet {
    var shown = Script.allCases.reduce(LanguageSet.none) { shown, script in
      guard count(script) > 0, let language = script.onlyLanguage else { return shown }
      return shown.union(language)
    }
    let (kana, han) = (count(.kana), count(.han))
    // Japanese text has more kana than ideographs, and its headings have some.
    if kana > 0 { shown = shown.union(LanguageSet(["ja"])) }
    if han > 0, kana == 0 || chinese * 20 > kana + han { shown = shown.union(LanguageSet(["zh"])) }
    return shown.union(ofCommonWords)
  }

  /// The languages of the common words, at most a few.
  ///
  /// The language that explains most of them comes first, with those that explain nearly as many, because related
  /// languages share most of theirs. Then the next one is found that explains the rest.
  private var ofCommonWords: LanguageSet {
    var rest = Array(found.values)
    var shown = LanguageSet.none
    var first = 0
    while shown.count < Self.few {
      var scores = [Int](repeating: 0, count: LanguageSet.codes.count)
      var distinct = scores
      for word in rest {
        word.languages.forEachIndex {
          scores[$0] += min(word.count, 3)
          distinct[$0] += 1
        }
      }
      guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[best] > 0 else { break }
      let near = scores.indices.filter { scores[$0] * 4 >= scores[best] * 3 }
      guard near.count <= Self.few - shown.count else { break }
      // Short words in Latin letters are parts of names, too.
      let isLatin = Script.latin.languages.intersects(LanguageSet(index: best))
      let hasWord = rest.contains {
        ($0.length > 2 || !isLatin) && $0.languages.intersects(LanguageSet(index: best))
      }
      // Beside another language of the same script, a few words may be names, or belong to both.
      let isClear =
        shown.isEmpty || !isLatin && Script.latin.languages.contains(shown) || distinct[best] >= 4
        || distinct[best] >= 2 && scores[best] * 10 >= first
      guard hasWord, isClear else { break }
      if shown.isEmpty { first = scores[best] }
      let added = near.reduce(LanguageSet.none) {
        $0.union(LanguageSet(index: $1))
      }
      shown = shown.union(added)
      rest.removeAll { $0.languages.intersects(added) || $0.length < 2 }
    }
    return shown
  }

  /// The declared languages that the text does not contradict.
  ///
  /// It contradicts a language by its script, or with many common words of another language and none of this one.
  func agreeing(_ declared: LanguageSet, with shown: LanguageSet) -> LanguageSet {
    guard !declared.isEmpty else { return .none }
    var agreeing = LanguageSet.none
    let isClear = found.values.reduce(0) { $0 + ($1.languages.intersects(shown) ? 1 : 0) } >= 5
    declared.forEachIndex { index in
      let language = LanguageSet(index: index)
      let scripts = Script.scripts(of: language)
      guard words == 0 || scripts.contains(where: { count($0) > 0 }) else { return }
      if isClear, !shown.intersects(language),
        !found.values.contains(where: { $0.languages.intersects(language) })
      {
        return
      }
      agreeing = agreeing.union(language)
    }
    return agreeing
  }

  /// The languages of scripts that are in the text while no language that uses them is determined.
  func undetermined(_ own: LanguageSet) -> LanguageSet {
    guard words > 0 else { return .all }
    var undetermined = LanguageSet.none
    for script in [Script.latin, .cyrillic, .arabic, .devanagari] where count(script) > 0 {
      let languages = script.languages
      if !own.intersects(languages), script != .latin || own.isEmpty {
        undetermined = undetermined.union(languages)
      }
    }
    return undetermined
  }
}

extension LanguageSample {
  /// A script of the lists.
  enum Script: Int, CaseIterable {
    case latin, greek, cyrillic, armenian, hebrew, arabic, devanagari, bengali, gurmukhi, gujarati, tamil,
      telugu
    case kannada, malayalam, sinhala, thai, lao, burmese, georgian, hangul, ethiopic, khmer, kana, han

    /// The script of a unit; nil for digits and for scripts without a list.
    init?(of unit: UInt16) {
      switch unit {
      case 0x61...0x7A, 0xAA...0x24F, 0x1E00...0x1EFF: self = .latin
      case ..<0x370: return nil
      case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
      case 0x400...0x52F: self = .cyrillic
      case 0x530...0x58F: self = .armenian
      case 0x590...0x5FF: self = .hebrew
      case 0x600...0x77F: self = .arabic
      case 0x900...0x97F: self = .devanagari
      case 0x980...0x9FF: self = .bengali
      case 0xA00...0xA7F: self = .gurmukhi
      case 0xA80...0xAFF: self = .gujarati
      case 0xB80...0xBFF: self = .tamil
      case 0xC00...0xC7F: self = .telugu
      case 0xC80...0xCFF: self = .kannada
      case 0xD00...0xD7F: self = .malayalam
      case 0xD80...0xDFF: self = .sinhala
      case 0xE00...0xE7F: self = .thai
      case 0xE80...0xEFF: self = .lao
      case 0x1000...0x109F: self = .burmese
      case 0x10A0...0x10FF: self = .georgian
      case 0x1100...0x11FF, 0xAC00...0xD7A3: self = .hangul
      case 0x1200...0x137F: self = .ethiopic
      case 0x1780...0x17FF: self = .khmer
      case 0x3040...0x30FF: self = .kana
      case 0x3400...0x9FFF: self = .han
      default: return nil
      }
    }

    /// The languages that are written in it.
    var languages: LanguageSet { Self.languages[rawValue] }

    /// The language that alone is written in it.
    var onlyLanguage: LanguageSet? { self != .kana && languages.count == 1 ? languages : nil }

    static func scripts(of languages: LanguageSet) -> [Script] {
      allCases.filter { $0.languages.intersects(languages) }
    }

    private static let languages: [LanguageSet] = allCases.map { script in
      switch script {
      case .latin: LanguageSet(inLatin)
      case .greek: LanguageSet(["el"])
      case .cyrillic: LanguageSet(["sr", "mk", "bg", "ru", "uk", "be", "uz", "kk", "ky", "tt", "mn", "tg"])
      case .armenian: LanguageSet(["hy"])
      case .hebrew: LanguageSet(["he"])
      case .arabic: LanguageSet(["ar", "fa", "ku", "ps", "ur"])
      case .devanagari: LanguageSet(["hi", "mr", "ne"])
      case .bengali: LanguageSet(["bn"])
      case .gurmukhi: LanguageSet(["pa"])
      case .gujarati: LanguageSet(["gu"])
      case .tamil: LanguageSet(["ta"])
      case .telugu: LanguageSet(["te"])
      case .kannada: LanguageSet(["kn"])
      case .malayalam: LanguageSet(["ml"])
      case .sinhala: LanguageSet(["si"])
      case .thai: LanguageSet(["th"])
      case .lao: LanguageSet(["lo"])
      case .burmese: LanguageSet(["my"])
      case .georgian: LanguageSet(["ka"])
      case .hangul: LanguageSet(["ko"])
      case .ethiopic: LanguageSet(["am"])
      case .khmer: LanguageSet(["km"])
      case .kana: LanguageSet(["ja"])
      case .han: LanguageSet(["zh", "ja"])
      }
    }

    private static let inLatin = [
      "en", "de", "nl", "lb", "af", "sv", "da", "no", "is", "fr", "es", "pt", "it", "ro", "ca", "pl", "cs",
      "sk",
      "sl", "hr", "lt", "lv", "et", "fi", "hu", "sq", "mt", "tr", "az", "uz", "ku", "sw", "vi", "id", "tl",
    ]
  }
}
