extension ValueSchema {
  /// The alternatives of an `anyOf` schema, or the schema itself.
  package var alternatives: [ValueSchema] {
    if case .anyOf(let schemas) = kind { schemas } else { [self] }
  }

  /// The schema with references instead of named schemas.
  var referring: ValueSchema {
    switch kind {
    case .named(let name, _): .reference(name)
    case .list(let item, let count): .list(of: item.referring, atLeast: count)
    case .mapping(let keys, let others):
      .mapping(keys.map { $0.with(\.schema, $0.schema.referring) }, others: others?.referring)
    case .anyOf(let schemas): ValueSchema(.anyOf(schemas.map(\.referring)))
    case .checkedWhenDecoded(let schema): .checkedWhenDecoded(schema.referring)
    case .anything, .text, .integer, .number, .boolean, .choice, .reference, .json: self
    }
  }

  /// The schema without its name and without the `checkedWhenDecoded` wrapper.
  package var unwrapped: ValueSchema {
    switch kind {
    case .named(_, let schema), .checkedWhenDecoded(let schema): schema.unwrapped
    default: self
    }
  }

  /// All named schemas in this one, by name.
  package var definitions: [String: ValueSchema] {
    var definitions: [String: ValueSchema] = [:]
    collect(into: &definitions)
    return definitions
  }

  private func collect(into definitions: inout [String: ValueSchema]) {
    switch kind {
    case .named(let name, let inner):
      definitions[name] = inner
      inner.collect(into: &definitions)
    case .list(let inner, _), .checkedWhenDecoded(let inner): inner.collect(into: &definitions)
    case .mapping(let keys, let others):
      for key in keys { key.schema.collect(into: &definitions) }
      others?.collect(into: &definitions)
    case .anyOf(let schemas):
      for schema in schemas { schema.collect(into: &definitions) }
    case .anything, .text, .integer, .number, .boolean, .choice, .reference, .json: break
    }
  }

  /// A description of the value, with its article: `a text or a mapping`; nil if any value is valid.
  package var words: String? {
    var words: [String] = []
    for schema in unwrapped.alternatives {
      guard let word = schema.unwrapped.word else { return nil }
      if !words.contains(word) { words.append(word) }
    }
    return words.isEmpty ? nil : words.alternatives
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
    case .anything, .anyOf, .named, .reference, .checkedWhenDecoded, .json: nil
    }
  }

  package var keys: [Key] {
    unwrapped.alternatives.flatMap { schema in
      if case .mapping(let keys, _) = schema.unwrapped.kind { keys } else { [Key]() }
    }
  }

  /// An example of a value, on one line.
  package var example: String {
    switch kind {
    case .text(let text): text.examples.first ?? "\"…\""
    case .integer(let bounds): "\(min(max(1, bounds.lowerBound), bounds.upperBound))"
    case .number: "1.5"
    case .boolean: "true"
    case .choice(let names): names.first ?? "…"
    case .list(let item, _): "[\(item.example)]"
    case .mapping(let keys, _):
      keys.first { $0.isRequired }.map { "{ \($0.name): \($0.schema.example) }" } ?? "{ … }"
    case .anyOf(let schemas): schemas.first?.example ?? "…"
    case .named(_, let schema), .checkedWhenDecoded(let schema): schema.example
    case .anything, .reference, .json: "…"
    }
  }
}
