internal import ProbeCore

/// Decodes from a value in a file.
struct SourceDecoder {
  /// The value.
  let node: SourceNode
  /// What it is called in messages.
  let field: String
  /// The type that is made of it, as far as it is known.
  var type: any Any.Type
  let session: DecodingSession
  let codingPath: [any CodingKey]
  /// Where it stands in the value that is decoded, as keys and numbers of items.
  let path: [String]
  /// The last part of the path: what leads here from the value of which a type with its own code is made.
  let base: [String]

  /// Decodes the whole.
  init(_ node: SourceNode, field: String, type: any Any.Type, session: DecodingSession) {
    self.init(node: node, field: field, type: type, session: session, codingPath: [], path: [], base: [])
  }

  private init(
    node: SourceNode, field: String, type: any Any.Type, session: DecodingSession,
    codingPath: [any CodingKey], path: [String], base: [String]
  ) {
    self.node = node
    self.field = field
    self.type = type
    self.session = session
    self.codingPath = codingPath
    self.path = path
    self.base = base
  }

  /// A decoder of a part.
  func part(_ node: SourceNode, _ key: any CodingKey, name: String, field: String) -> SourceDecoder {
    SourceDecoder(
      node: node, field: field, type: Never.self, session: session, codingPath: codingPath + [key],
      path: path + [name], base: base + [name])
  }

  /// The error of something that is wrong with the value.
  func error(_ kind: DecodingMistake.Kind, _ input: InvalidInput) -> DecodingError {
    DecodingMistake(kind: kind, path: path, input: input).error(codingPath, type: type)
  }

  /// The error of a value that was told to be unusable.
  var silence: DecodingError {
    session.metUnusable = true
    return error(.silent, InvalidInput("\(field) cannot be used"))
  }

  var isUnusable: Bool {
    if case .unusable = node.content { true } else { false }
  }
}

extension SourceDecoder {
  /// A value of a type with its own code.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if isUnusable {
      let silence = silence
      guard let value = session.forms.harmless(type) else { throw silence }
      return value
    }
    if let duration = Duration.zero as? Value { return try time() as? Value ?? duration }
    // A type that is made of another one's value takes more forms than that one.
    let owner: any Any.Type = self.type is Never.Type ? type : self.type
    let inner = SourceDecoder(
      node: node, field: field, type: owner, session: session, codingPath: codingPath, path: path, base: [])
    do {
      return try Value(from: inner)
    } catch let mistake as InvalidInput {
      throw mistake.at(base)
    } catch let error as DecodingError {
      throw inner.explained(error, of: type)
    } catch let error as any InvalidInputs {
      throw NestedMistakes(error, at: base)
    } catch {
      let mistake = InvalidInput("\(field) cannot be used: \("\(error)".escapedForDisplay)")
      throw self.error(.value, mistake)
    }
  }

  private func time() throws -> Duration {
    try scalar(harmless: .seconds(1), Duration.self) { (node, field) throws(InvalidInput) in
      try ScalarRules.duration(node, field, in: .zero ... .nanoseconds(Int.max))
    }
  }

  /// A value that a rule takes or refuses.
  func scalar<Value>(
    harmless: Value, _ type: Value.Type,
    _ rule: (SourceNode, _ field: String) throws(InvalidInput) -> Value
  ) throws -> Value {
    if isUnusable {
      session.metUnusable = true
      return harmless
    }
    guard node.scalar?.isNull != true else { throw noValue(type) }
    do throws(InvalidInput) {
      return try rule(node, field)
    } catch {
      let asked: any Any.Type = self.type is Never.Type ? type : self.type
      throw self.error(node.scalar == nil || !(type is Duration.Type) ? .shape(asked) : .value, error)
    }
  }

  /// The error of a value that is not there.
  func noValue(_ type: any Any.Type) -> DecodingError {
    let mistake = DecodingMistake(kind: .value, path: path, input: ScalarRules.noValue(field))
    return .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: mistake.input.description, underlyingError: mistake))
  }

  /// The error of a type that is one of several words, in words.
  private func explained(_ error: DecodingError, of type: any Any.Type) -> DecodingError {
    guard let names = ChoiceNames.of(type), node.scalar?.isNull != true,
      error.context?.codingPath.count == codingPath.count
    else { return error }
    return self.error(.value, ScalarRules.noChoice(node, field, among: names))
  }
}

extension SourceDecoder: Decoder {
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch node.content {
    case .mapping(let entries):
      return KeyedDecodingContainer(SourceKeyedContainer<Key>(self, entries))
    case .unusable: throw silence
    case .scalar, .sequence:
      if node.scalar?.isNull == true { throw noValue(self.type) }
      throw error(.shape(self.type), ScalarRules.noMapping(node, field))
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch node.content {
    case .sequence(let nodes): return SourceUnkeyedContainer(self, nodes)
    case .unusable: throw silence
    case .scalar, .mapping:
      if node.scalar?.isNull == true { throw noValue(self.type) }
      throw error(.shape(self.type), ScalarRules.noList(node, field))
    }
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

/// The names of a type that is one of several words.
enum ChoiceNames {
  /// The names, or nil for another type.
  static func of(_ type: any Any.Type) -> [String]? {
    guard let type = type as? any (CaseIterable & RawRepresentable<String>).Type else { return nil }
    return names(type)
  }

  private static func names<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type) -> [String]
  {
    type.allCases.map(\.rawValue)
  }
}
