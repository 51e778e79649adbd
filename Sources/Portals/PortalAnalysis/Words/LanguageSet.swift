/// A set of the languages that the lists of words contain.
struct LanguageSet: Hashable, Sendable {
  private var bits: UInt128

  private init(bits: UInt128) { self.bits = bits }

  static let none = LanguageSet(bits: 0)
  static let all = LanguageSet(bits: UInt128.max)
  /// English, from which all others borrow.
  static let english = LanguageSet(["en"])

  /// The languages with these codes (BCP 47), as in ``codes``; other codes are ignored.
  init(_ codes: [String]) {
    self.init(bits: codes.reduce(0) { bits, code in Self.indices[code].map { bits | 1 << $0 } ?? bits })
  }

  /// The language with an index in ``codes``.
  init(index: Int) { self.init(bits: 1 << UInt128(truncatingIfNeeded: index)) }

  /// Whether there is no language in it.
  var isEmpty: Bool { bits == 0 }

  var count: Int { bits.nonzeroBitCount }

  func intersection(_ other: LanguageSet) -> LanguageSet { LanguageSet(bits: bits & other.bits) }

  func union(_ other: LanguageSet) -> LanguageSet { LanguageSet(bits: bits | other.bits) }

  func subtracting(_ other: LanguageSet) -> LanguageSet { LanguageSet(bits: bits & ~other.bits) }

  /// Whether a language is in both sets.
  func intersects(_ other: LanguageSet) -> Bool { bits & other.bits != 0 }

  /// Whether all languages of another set are in it.
  func contains(_ other: LanguageSet) -> Bool { other.bits & ~bits == 0 }

  /// Calls a closure with the index in ``codes`` of each language.
  func forEachIndex(_ body: (Int) -> Void) {
    var rest = bits
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}

extension LanguageSet {
  /// The codes of the languages, at most 128.
  static let codes = [
    "en", "de", "nl", "lb", "af", "sv", "da", "no", "is", "fr", "es", "pt", "it", "ro", "ca", "pl", "cs",
    "sk", "sl", "hr", "sr", "mk", "bg", "ru", "uk", "be", "lt", "lv", "et", "fi", "hu", "el", "sq", "mt",
    "tr", "az", "uz", "kk", "ky", "tt", "mn", "ka", "hy", "ar", "he", "fa", "ku", "ps", "ur", "tg", "am",
    "sw", "hi", "mr", "ne", "bn", "pa", "gu", "ta", "te", "kn", "ml", "si", "th", "lo", "my", "km", "vi",
    "id", "tl", "zh", "ja", "ko",
  ]

  private static let indices = Dictionary(
    codes.enumerated().map { ($1, UInt128(truncatingIfNeeded: $0)) }, uniquingKeysWith: { first, _ in first })

  /// Other codes for languages of the lists, and for languages whose words are in the list of another one.
  private static let aliases: [String: [String]] = [
    "nb": ["no"], "nn": ["no"], "bs": ["hr"], "sh": ["hr"], "cnr": ["hr"], "sr": ["sr", "hr"], "mo": ["ro"],
    "iw": ["he"], "in": ["id"], "ms": ["id"], "jv": ["id"], "fil": ["tl"], "ckb": ["ku"], "kmr": ["ku"],
    "yue": ["zh"], "cmn": ["zh"], "gsw": ["de"], "nds": ["de"], "arz": ["ar"], "prs": ["fa"],
    "gl": ["pt", "es"],
  ]

  /// The languages of a tag, such as `de-AT` or `pt_BR`; none if the lists do not have its language.
  init(tag: some StringProtocol) {
    let code = tag.split { $0 == "-" || $0 == "_" }.first.map { $0.lowercased() } ?? ""
    self.init(Self.aliases[code] ?? [code])
  }

  /// The codes of the languages in the set, in the order of ``codes``.
  var names: [String] {
    var names: [String] = []
    forEachIndex { if $0 < Self.codes.count { names.append(Self.codes[$0]) } }
    return names
  }
}

extension LanguageSet: CustomStringConvertible {
  var description: String { self == .all ? "all" : names.joined(separator: " ") }
}
