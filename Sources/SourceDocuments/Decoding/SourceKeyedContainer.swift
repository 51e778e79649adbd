internal import ProbeCore

/// Decodes the values of a mapping by their keys.
struct SourceKeyedContainer<Key: CodingKey> {
  private let decoder: SourceDecoder
  private let entries: [SourceEntry]
  private let survey: KeySurvey.Container
  /// Where each key stands, in a mapping of many.
  private let places: [String: Int]?

  init(_ decoder: SourceDecoder, _ entries: [SourceEntry]) {
    self.decoder = decoder
    self.entries = entries
    survey = decoder.session.survey.open(decoder, entries, Key.self)
    places =
      entries.count < 16
      ? nil
      : Dictionary(entries.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func entry(_ name: String) -> SourceEntry? {
    // Who reads all keys knows them; thousands need not be noted one by one.
    if !survey.readsAll { survey.ask(name) }
    guard let places else { return entries.first { $0.key == name } }
    return places[name].map { entries[$0] }
  }

  /// The decoder of a key's value.
  private func part(_ key: some CodingKey, _ type: any Any.Type) throws -> SourceDecoder {
    guard let entry = entry(key.stringValue) else {
      guard decoder.node.isComplete else { throw decoder.silence }
      let mistake = ScalarRules.noKey(key.stringValue, in: decoder.field, example: "…")
      throw decoder.error(.missing(key.stringValue, type), mistake)
    }
    return decoder.part(entry.value, key, name: entry.key, field: entry.fieldName)
  }
}

extension SourceKeyedContainer: KeyedDecodingContainerProtocol {
  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    survey.readsAll = true
    let usable = entries.filter { entry in
      if case .unusable = entry.value.content { false } else { true }
    }
    if usable.count < entries.count {
      decoder.session.metUnusable = true
      decoder.session.leftOut = true
    }
    return usable.compactMap { Key(stringValue: $0.key) }
  }

  func contains(_ key: Key) -> Bool { entry(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    let part = try part(key, Never.self)
    guard part.isUnusable else { return part.decodeNil() }
    decoder.session.metUnusable = true
    decoder.session.leftOut = true
    return true
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try part(key, type).decode(type)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try part(key, type).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try part(key, type).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try part(key, type).decode(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try part(key, type).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try part(key, type).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try part(key, type).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try part(key, type).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try part(key, type).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try part(key, type).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try part(key, type).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try part(key, type).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try part(key, type).decode(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try part(key, type).decode(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try part(key, type).decode(type) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try part(key, type).decode(type) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try part(key, type).decode(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try part(key, [String: String].self).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try part(key, [String].self).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(AnyCodingKey("super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key) }

  /// A decoder of a value, or of nothing when the key is not there.
  private func superDecoder(_ key: some CodingKey) -> SourceDecoder {
    let entry = entry(key.stringValue)
    let nothing = SourceNode(.scalar(SourceScalar("", isPlain: true)), span: decoder.node.span)
    let field = entry?.fieldName ?? key.stringValue.escapedForDisplay
    return decoder.part(entry?.value ?? nothing, key, name: key.stringValue, field: field)
  }
}
