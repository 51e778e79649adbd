/// The listed answers of a decoder that has one to everything: one item, or as many as are asked for.
struct DescribingUnkeyedContainer {
  private let decoder: DescribingDecoder
  private let items: FormNotes
  private(set) var currentIndex = 0
  /// Types that try again until an item can be decoded are to end too.
  private var failures = 0

  init(_ decoder: DescribingDecoder, _ items: FormNotes) {
    self.decoder = decoder
    self.items = items
  }

  private var isEmpty: Bool { decoder.trial.presence != .all }

  private mutating func next<Value>(_ decode: (DescribingDecoder) throws -> Value) throws -> Value {
    do {
      let value = try decode(decoder.part(items, AnyCodingKey(intValue: currentIndex)))
      currentIndex += 1
      return value
    } catch {
      failures += 1
      throw error
    }
  }
}

extension DescribingUnkeyedContainer: UnkeyedDecodingContainer {
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { isEmpty ? 0 : 1 }
  var isAtEnd: Bool { isEmpty || currentIndex > 0 || failures > 16 }

  mutating func decodeNil() throws -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next { try $0.value(type) }
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decode(type) } }
  mutating func decode(_ type: String.Type) throws -> String { try next { try $0.decode(type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.decode(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { try $0.decode(type) } }

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
