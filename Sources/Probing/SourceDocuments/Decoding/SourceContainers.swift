internal import ProbeCore
internal import ProbeBase

/// Decodes the values of a mapping by their keys.
struct SourceKeyedContainer<Key: CodingKey> {
  private let decoder: SourceDecoder
  private let entries: [SourceEntry]
  private let survey: KeySurvey.Container
  /// The index of each key, if there are many entries.
  private let indexes: [String: Int]?

  init(_ decoder: SourceDecoder, _ entries: [SourceEntry]) {
    self.decoder = decoder
    self.entries = entries
    survey = decoder.survey.open(decoder, entries, Key.self)
    indexes =
      entries.count < 16
      ? nil
      : Dictionary(entries.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func entry(_ name: String) -> SourceEntry? {
    survey.ask(name)
    guard let indexes else { return entries.first { $0.key == name } }
    return indexes[name].map { entries[$0] }
  }

  /// The decoder of a key's value.
  private func part(_ key: Key) throws -> SourceDecoder {
    guard let entry = entry(key.stringValue) else {
      let mistake = ScalarRules.noKey(key.stringValue, in: decoder.field, example: "…")
      throw DecodingError.keyNotFound(key, decoder.context(mistake))
    }
    return decoder.part(entry.value, key, field: entry.fieldName)
  }
}

extension SourceKeyedContainer: KeyedDecodingContainerProtocol {
  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    survey.readsAll = true
    return entries.compactMap { Key(stringValue: $0.key) }
  }

  func contains(_ key: Key) -> Bool { entry(key.stringValue) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try part(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try part(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try part(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try part(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(AnyCodingKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key) }

  /// A decoder for a value, or for null if the key is missing.
  private func superDecoder(_ key: some CodingKey) -> SourceDecoder {
    let entry = entry(key.stringValue)
    let nothing = SourceNode(.scalar(SourceScalar("", isPlain: true)), span: decoder.node.span)
    let field = entry?.fieldName ?? key.stringValue.escapedForDisplay
    return decoder.part(entry?.value ?? nothing, key, field: field)
  }
}

/// Decodes the items of a list in order; after a failure, the same item is next.
struct SourceUnkeyedContainer {
  private let decoder: SourceDecoder
  private let nodes: [SourceNode]
  private(set) var currentIndex = 0

  init(_ decoder: SourceDecoder, _ nodes: [SourceNode]) {
    self.decoder = decoder
    self.nodes = nodes
  }

  /// The decoder of the next item.
  private func part(_ type: any Any.Type) throws -> SourceDecoder {
    guard currentIndex < nodes.count else {
      let mistake = InvalidInput(
        "\(decoder.field) has only \(nodes.count.counted("item"))",
        remedy: "add what is missing")
      throw DecodingError.valueNotFound(type, decoder.context(mistake))
    }
    return decoder.part(nodes[currentIndex], AnyCodingKey(intValue: currentIndex), field: decoder.field)
  }

  private mutating func next<Value>(_ decode: (SourceDecoder) throws -> Value) throws -> Value {
    let value = try decode(try part(Value.self))
    currentIndex += 1
    return value
  }
}

extension SourceUnkeyedContainer: UnkeyedDecodingContainer {
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { nodes.count }
  var isAtEnd: Bool { currentIndex >= nodes.count }

  mutating func decodeNil() throws -> Bool {
    guard try part(Never.self).decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next { try $0.decode(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
