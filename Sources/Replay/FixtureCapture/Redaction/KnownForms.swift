internal import ProbeCore

/// Searches a text for known values.
struct KnownForms: Sendable {
  private let forms: [KnownForm]
  private let search: SpelledSearch

  /// The length of the shortest form, or `Int.max` if there is none; no spelling is shorter than its form.
  let shortest: Int

  /// Creates a search for these forms; of equal ones the first counts.
  init(_ forms: [KnownForm]) {
    self.forms = forms
    shortest = forms.map(\.bytes.count).min() ?? .max
    search = SpelledSearch(forms.map(\.bytes))
  }

  /// The matches in a text from left to right, without overlaps; at each position the longest form matches.
  func found(in text: [UInt8]) -> [(range: Range<Int>, form: KnownForm)] {
    let all = search.matches(in: text) { match in
      match.form.map { !forms[$0].isWord || Self.isWord(match.range, of: text) } ?? false
    }
    let sorted = all.sorted {
      ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count)
    }
    var last = 0
    return sorted.compactMap { match in
      guard match.range.lowerBound >= last, let form = match.form else { return nil }
      last = match.range.upperBound
      return (match.range, forms[form])
    }
  }

  /// Whether neither a letter nor a digit is adjacent, except those of an escape.
  private static func isWord(_ range: Range<Int>, of text: [UInt8]) -> Bool {
    if range.upperBound < text.count, text[range.upperBound].isWord { return false }
    guard let before = text[..<range.lowerBound].last, before.isWord else { return true }
    return TextEscapes.endsInEscape(text[..<range.lowerBound])
  }
}

/// A form of a known value to search for in all texts and spellings.
struct KnownForm: Sendable {
  /// The bytes.
  let bytes: [UInt8]
  /// The stand-in, with the same number of bytes.
  let standIn: [UInt8]
  /// Whether it matches only as a separate word; long values match anywhere.
  let isWord: Bool

  private static let maximumLength = 1024

  /// The forms of a value, or none if it could occur by chance.
  static func all(of value: PrivateValue, standIn: [UInt8]) -> [KnownForm] {
    switch value.kind {
    case .mac: return cases(of: value.bytes, standIn, isWord: true)
    case .token where isDistinctive(value.bytes):
      return cases(of: value.bytes, standIn, isWord: value.bytes.count < 16)
    // Addresses are found by their syntax.
    case .token, .email, .clientAddress: return []
    }
  }

  /// The value and, if it is hexadecimal, the same in capitals.
  private static func cases(of value: [UInt8], _ standIn: [UInt8], isWord: Bool) -> [KnownForm] {
    let form = KnownForm(bytes: value, standIn: standIn, isWord: isWord)
    guard OpaqueWord.isHexadecimal(value) else { return [form] }
    return [
      form,
      KnownForm(bytes: value.map(\.asciiUppercased), standIn: standIn.map(\.asciiUppercased), isWord: isWord),
    ]
  }

  /// Whether a token is unlikely to occur by chance.
  private static func isDistinctive(_ token: [UInt8]) -> Bool {
    guard token.count >= 6, token.count <= maximumLength, !OpaqueWord.isWord(token) else { return false }
    let hasLetters = token.contains { $0.isWord && !$0.isASCIIDigit }
    return token.count >= 8 || hasLetters && token.contains(where: \.isASCIIDigit)
  }
}
