internal import ProbeBase
internal import ProbeCore

/// Decodes a value of a file in one pass.
///
/// It throws `DecodingError`, with the error to report as the underlying error.
struct SourceDecoder {
  let node: SourceNode
  /// The name of the value in messages.
  let field: String
  let userInfo: [CodingUserInfoKey: Any]
  let survey: KeySurvey
  var codingPath: [any CodingKey] = []
  /// The length of the path to the closest value whose type has a custom `init(from:)`.
  private var owner = 0

  /// Creates a decoder for the whole value.
  init(
    _ node: SourceNode, field: String, _ userInfo: [CodingUserInfoKey: any Sendable], _ survey: KeySurvey
  ) {
    self.node = node
    self.field = field
    self.userInfo = userInfo
    self.survey = survey
  }

  private init(_ whole: SourceDecoder, _ node: SourceNode, _ key: any CodingKey, field: String) {
    self.node = node
    self.field = field
    userInfo = whole.userInfo
    survey = whole.survey
    codingPath = whole.codingPath + [key]
    owner = whole.owner
  }

  func part(_ node: SourceNode, _ key: any CodingKey, field: String) -> SourceDecoder {
    SourceDecoder(self, node, key, field: field)
  }

  /// The context of an error: where and why decoding failed.
  func context(_ mistake: InvalidInput) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: codingPath, debugDescription: mistake.description, underlyingError: mistake)
  }
}

extension SourceDecoder: Decoder {
  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .mapping(let entries) = node.content else {
      throw mismatch([String: String].self, ScalarRules.noMapping(node, field))
    }
    return KeyedDecodingContainer(SourceKeyedContainer<Key>(self, entries))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .sequence(let nodes) = node.content else {
      throw mismatch([String].self, ScalarRules.noList(node, field))
    }
    return SourceUnkeyedContainer(self, nodes)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  private func mismatch(_ type: any Any.Type, _ mistake: InvalidInput) -> DecodingError {
    node.scalar?.isNull == true
      ? .valueNotFound(type, context(ScalarRules.noValue(field))) : .typeMismatch(type, context(mistake))
  }
}

extension SourceDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { node.scalar?.isNull == true }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let scalar = try scalar(type), let value = scalar as? Value { return value }
    if type == SecretSource.self {
      survey.secretKeys.insert(codingPath.last { $0.intValue == nil }?.stringValue ?? field)
    }
    var inner = self
    inner.owner = codingPath.count
    let path = codingPath[owner...].map(\.stringValue)
    do {
      return try Value(from: inner)
    } catch let mistake as InvalidInput {
      throw mistake.at(path)
    } catch let several as any InvalidInputs {
      throw NestedErrors(mistakes: several.mistakes.map { $0.at(path) })
    } catch let error as DecodingError {
      throw explained(error, of: type)
    } catch {
      let mistake = InvalidInput("\(field) cannot be used: \("\(error)".escapedForDisplay)")
      throw DecodingError.dataCorrupted(context(mistake))
    }
  }

  /// The value of a scalar; nil for a type that decodes itself.
  private func scalar(_ type: any Any.Type) throws -> Any? {
    do throws(InvalidInput) {
      let value = try ScalarRules.value(of: node, field, as: type)
      guard value == nil || !decodeNil() else { throw ScalarRules.noValue(field) }
      return value
    } catch {
      throw mismatch(type, decodeNil() ? ScalarRules.noValue(field) : error)
    }
  }

  /// Adds the possible values to an error of an enumeration type.
  private func explained<Value>(_ error: DecodingError, of type: Value.Type) -> DecodingError {
    func names(of type: (some CaseIterable & RawRepresentable<String>).Type) -> [String] {
      type.allCases.map(\.rawValue)
    }
    guard let choice = type as? any (CaseIterable & RawRepresentable<String>).Type, !decodeNil(),
      error.context?.codingPath.count == codingPath.count
    else { return error }
    return .dataCorrupted(context(ScalarRules.noChoice(node, field, among: names(of: choice))))
  }
}

/// Errors that a type reported for a part, with paths from the whole value.
private struct NestedErrors: InvalidInputs {
  var mistakes: [InvalidInput]
}

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

  func superDecoder() throws -> any Decoder { superDecoder(OptionKey(stringValue: "super")) }
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
    return decoder.part(nodes[currentIndex], OptionKey(intValue: currentIndex), field: decoder.field)
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

/// Records which keys of which mappings a type requests while it is decoded.
final class KeySurvey {
  /// The keys requested from one container.
  final class Container {
    /// Whether a name is a key of the container's type.
    let isKey: (String) -> Bool
    /// Whether every name is a key.
    let takesAnything: Bool
    /// The keys that are known without being requested.
    let names: [String]
    /// The requested keys, in order.
    private(set) var asked: [String] = []
    private var wasAsked: Set<String> = []
    var readsAll = false

    init<Key: CodingKey>(_ type: Key.Type) {
      isKey = { Key(stringValue: $0) != nil }
      takesAnything = isKey("\u{1}")
      func names(of type: (some CaseIterable & CodingKey).Type) -> [String] {
        type.allCases.map(\.stringValue)
      }
      self.names = (type as? any (CaseIterable & CodingKey).Type).map { names(of: $0) } ?? []
    }

    func ask(_ key: String) {
      // A type that reads all keys knows them; they need not be recorded one by one.
      if !readsAll, wasAsked.insert(key).inserted { asked.append(key) }
    }

    /// Whether a key is known; if any name is a key, an unrequested one is unknown only after decoding
    /// succeeded.
    func knows(_ key: String, hasDecoded: Bool) -> Bool {
      if wasAsked.contains(key) { return true }
      return takesAnything ? !hasDecoded || readsAll : isKey(key)
    }
  }

  /// A mapping for which a container was opened.
  struct Mapping {
    let entries: [SourceEntry]
    let field: String
    let path: [String]
    fileprivate(set) var containers: [Container] = []

    /// The keys that are known to no container.
    func unknown(hasDecoded: Bool) -> [SourceEntry] {
      entries.filter { entry in containers.allSatisfy { !$0.knows(entry.key, hasDecoded: hasDecoded) } }
    }

    var known: [String] {
      var seen: Set<String> = []
      return containers.flatMap { $0.names + $0.asked }.filter { seen.insert($0).inserted }
    }
  }

  private var byPath: [[String]: Mapping] = [:]
  /// The keys whose values are decoded as secrets.
  var secretKeys: Set<String> = []

  /// The mappings for which containers were opened.
  var mappings: some Collection<Mapping> { byPath.values }

  /// Records a container for a mapping.
  func open<Key: CodingKey>(_ decoder: SourceDecoder, _ entries: [SourceEntry], _ type: Key.Type) -> Container
  {
    let container = Container(type)
    let path = decoder.codingPath.map(\.stringValue)
    byPath[path, default: Mapping(entries: entries, field: decoder.field, path: path)]
      .containers.append(container)
    return container
  }
}
