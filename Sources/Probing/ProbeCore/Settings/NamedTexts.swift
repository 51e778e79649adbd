/// `{ Name: value, Name: [value, value] }`, in the order of the file; each value is a text or a secret.
struct NamedTexts: Decodable, Sendable, SchemaProviding {
  static let schema = ValueSchema.mapping(
    [], others: .anyOf([TextOrSecret.schema, .list(of: TextOrSecret.schema)]))

  /// The values in order, each with its name.
  private let items: [(name: String, value: TextOrSecret)]
  /// The names with an empty list.
  let empty: [String]

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    try ValueLimits.check(container.allKeys.count, "names")
    var items: [(name: String, value: TextOrSecret)] = []
    var empty: [String] = []
    for name in container.allKeys {
      guard var list = try? container.nestedUnkeyedContainer(forKey: name) else {
        items.append((name.stringValue, try container.decode(TextOrSecret.self, forKey: name)))
        continue
      }
      if list.isAtEnd { empty.append(name.stringValue) }
      try ValueLimits.check(list.count ?? 0, "items")
      while !list.isAtEnd { items.append((name.stringValue, try list.decode(TextOrSecret.self))) }
    }
    self.items = items
    self.empty = empty
  }

  /// The texts to send, in order, each with its name.
  ///
  /// - Parameters:
  ///   - context: How to read secrets.
  ///   - secrets: Receives the secrets.
  /// - Returns: The texts.
  /// - Throws: ``InvalidInput`` naming the source of a secret that cannot be read.
  func texts(
    in context: RequestContext, adding secrets: inout [Secret]
  ) throws(InvalidInput) -> [(name: String, value: String)] {
    var texts: [(name: String, value: String)] = []
    for (name, value) in items { texts.append((name, try value.text(in: context, adding: &secrets))) }
    return texts
  }
}
