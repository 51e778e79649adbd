internal import ProbeCore

/// Looks for the values that are known wherever they stand.
struct KnownForms: Sendable {
  private let forms: [KnownForm]
  private let search: SpelledSearch

  /// Whether there is nothing to look for.
  var isEmpty: Bool { forms.isEmpty }

  /// The forms to look for; of equal ones the first counts.
  init(_ forms: [KnownForm]) {
    self.forms = forms
    search = SpelledSearch(forms.map(\.bytes))
  }

  /// Where forms stand in a text: from left to right, none over another, the longest of those that start at one place.
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

  /// Whether neither a letter nor a digit stands before or behind, but for those of an escape.
  private static func isWord(_ range: Range<Int>, of text: [UInt8]) -> Bool {
    if range.upperBound < text.count, text[range.upperBound].isWord { return false }
    guard let before = text[..<range.lowerBound].last, before.isWord else { return true }
    return TextEscapes.endsInEscape(text[..<range.lowerBound])
  }
}
