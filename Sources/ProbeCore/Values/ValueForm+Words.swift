extension ValueForm {
  /// The forms of which it is any.
  package var alternatives: [ValueForm] {
    if case .anyOf(let forms) = kind { forms } else { [self] }
  }

  /// The same with references in place of named forms.
  package var referring: ValueForm {
    switch kind {
    case .named(let name, _): .reference(name)
    case .list(let item, let count): .list(of: item.referring, atLeast: count)
    case .mapping(let keys, let others):
      .mapping(
        keys.map { KeyForm($0.name, $0.form.referring, isRequired: $0.isRequired, summary: $0.summary) },
        others: others?.referring)
    case .anyOf(let forms): ValueForm(.anyOf(forms.map(\.referring)))
    case .anything, .text, .integer, .number, .boolean, .choice, .reference: self
    }
  }

  /// The same without the name of it.
  package var unnamed: ValueForm {
    if case .named(_, let form) = kind { form.unnamed } else { self }
  }

  /// What a value must be, with its article: `a text or a mapping`; nil when it may be anything.
  package var words: String? {
    var words: [String] = []
    for form in unnamed.alternatives {
      guard let word = form.unnamed.word else { return nil }
      if !words.contains(word) { words.append(word) }
    }
    guard let last = words.last, words.count > 1 else { return words.last }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  private var word: String? {
    switch kind {
    case .text: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "true or false"
    case .choice: "one word"
    case .list: "a list"
    case .mapping: "a mapping"
    case .anything, .anyOf, .named, .reference: nil
    }
  }

  /// The keys of a mapping that it may be.
  package var keys: [KeyForm] {
    unnamed.alternatives.flatMap { form in
      if case .mapping(let keys, _) = form.unnamed.kind { keys } else { [KeyForm]() }
    }
  }

  /// A value as it could be written in a line.
  package var example: String {
    switch kind {
    case .text(let text): text.examples.first ?? "\"…\""
    case .integer(let bounds): "\(min(max(1, bounds.lowerBound), bounds.upperBound))"
    case .number: "1.5"
    case .boolean: "true"
    case .choice(let names): names.first ?? "…"
    case .list(let item, _): "[\(item.example)]"
    case .mapping(let keys, _):
      keys.first { $0.isRequired }.map { "{ \($0.name): \($0.form.example) }" } ?? "{ … }"
    case .anyOf(let forms): forms.first?.example ?? "…"
    case .named(_, let form): form.example
    case .anything, .reference: "…"
    }
  }
}
