internal import ProbeCore

/// Decodes the items of a list one after the other; one that cannot be decoded remains the next.
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
    let key = AnyCodingKey(intValue: currentIndex)
    guard currentIndex < nodes.count else {
      guard decoder.node.isComplete else { throw decoder.silence }
      let message = "\(decoder.field) has only \(nodes.count) item\(nodes.count == 1 ? "" : "s")"
      let mistake = DecodingMistake(
        kind: .value, path: decoder.path, input: InvalidInput(message, remedy: "add what is missing"))
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath + [key], debugDescription: message, underlyingError: mistake))
    }
    return decoder.part(nodes[currentIndex], key, name: key.stringValue, field: decoder.field)
  }

  private mutating func next<Value>(
    _ type: Value.Type, _ decode: (SourceDecoder) throws -> Value
  ) throws -> Value {
    let value = try decode(try part(type))
    currentIndex += 1
    return value
  }
}

extension SourceUnkeyedContainer: UnkeyedDecodingContainer {
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { nodes.count }
  var isAtEnd: Bool { currentIndex >= nodes.count }

  mutating func decodeNil() throws -> Bool {
    let part = try part(Never.self)
    if part.isUnusable {
      decoder.session.metUnusable = true
      decoder.session.leftOut = true
    }
    guard part.isUnusable || part.decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(type) { try $0.decode(type) }
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.decode(type) } }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next((any Decoder).self) { $0 }
  }
}
