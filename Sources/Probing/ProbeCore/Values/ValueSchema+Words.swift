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
    let own = if case .named(let name, let inner) = kind { [name: inner] } else { [String: ValueSchema]() }
    return parts.reduce(into: own) { $0.merge($1.definitions) { $1 } }
  }

  /// The schemas in this one, without those that it refers to.
  private var parts: [ValueSchema] {
    switch kind {
    case .named(_, let inner), .list(let inner, _), .checkedWhenDecoded(let inner): [inner]
    case .mapping(let keys, let others): keys.map(\.schema) + [others].compactMap(\.self)
    case .anyOf(let schemas): schemas
    case .anything, .text, .integer, .number, .boolean, .choice, .reference, .json: []
    }
  }

  /// Whether a value is a secret, or a list or a mapping of these; false if it can be another text.
  package var isSecret: Bool {
    switch kind {
    case .named(let name, _), .reference(let name): name == Self.secretName
    case .list(let item, _), .checkedWhenDecoded(let item): item.isSecret
    case .anyOf(let schemas):
      schemas.contains(where: \.isSecret) && !schemas.contains { $0.unwrapped.word == "a text" }
    case .mapping(let keys, let others): keys.isEmpty && others?.isSecret == true
    case .anything, .text, .integer, .number, .boolean, .choice, .json: false
    }
  }

  /// The name of the schema of secrets.
  static let secretName = "secret"

  /// The keys of mappings in the schema whose values are secrets.
  package var secretKeys: Set<String> {
    let own = if case .mapping(let keys, _) = kind { keys.filter(\.schema.isSecret) } else { [Key]() }
    return parts.reduce(into: Set(own.map(\.name))) { $0.formUnion($1.secretKeys) }
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
