/// The keyed answers of a decoder that has one to everything.
struct DescribingKeyedContainer<Key: CodingKey> {
  private let decoder: DescribingDecoder

  init(_ decoder: DescribingDecoder) {
    self.decoder = decoder
  }

  private func part(_ key: some CodingKey, isNeeded: Bool = true) -> DescribingDecoder {
    let name = key.stringValue
    let isNeeded = isNeeded && !decoder.questions.names.contains(name)
    return decoder.part(decoder.notes.key(name, neededIn: isNeeded ? decoder.trial : nil), key)
  }

  private func isThere(_ key: Key) -> Bool {
    decoder.questions.names.insert(key.stringValue)
    _ = decoder.notes.key(key.stringValue)
    return decoder.trial.presence.contains(key.stringValue)
  }
}

extension DescribingKeyedContainer: KeyedDecodingContainerProtocol {
  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    guard let any = Key(stringValue: FormNotes.anyKey) else { return [] }
    decoder.notes.readAllKeys()
    return decoder.trial.presence == .all ? [any] : []
  }

  func contains(_ key: Key) -> Bool { isThere(key) }
  func decodeNil(forKey key: Key) throws -> Bool { !isThere(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try part(key).value(type)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try part(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try part(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try part(key).decode(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try part(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try part(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try part(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try part(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try part(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try part(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try part(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try part(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try part(key).decode(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try part(key).decode(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try part(key).decode(type) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try part(key).decode(type) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try part(key).decode(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try part(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try part(key).unkeyedContainer()
  }

  // A decoder of nothing is given too, so the key need not be there.
  func superDecoder() throws -> any Decoder { part(AnyCodingKey("super"), isNeeded: false) }
  func superDecoder(forKey key: Key) throws -> any Decoder { part(key, isNeeded: false) }
}
