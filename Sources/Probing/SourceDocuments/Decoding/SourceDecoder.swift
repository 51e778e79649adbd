internal import ProbeCore

/// Decodes a value of a file in one pass.
///
/// It throws `DecodingError`, with the error to report as the underlying error.
struct SourceDecoder {
  /// The value.
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

  /// Creates a decoder for a part.
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
    if let scalar = type as? any ScalarValue.Type, let value = try read(scalar) as? Value { return value }
    var inner = self
    inner.owner = codingPath.count
    let path = codingPath[owner...].map(\.stringValue)
    do {
      return try Value(from: inner)
    } catch let mistake as InvalidInput {
      throw mistake.at(path)
    } catch let several as any InvalidInputs {
      throw NestedMistakes(mistakes: several.mistakes.map { $0.at(path) })
    } catch let error as DecodingError {
      throw explained(error, of: type)
    } catch {
      let mistake = InvalidInput("\(field) cannot be used: \("\(error)".escapedForDisplay)")
      throw DecodingError.dataCorrupted(context(mistake))
    }
  }

  private func read<Scalar: ScalarValue>(_ type: Scalar.Type) throws -> Scalar {
    do throws(InvalidInput) {
      guard !decodeNil() else { throw ScalarRules.noValue(field) }
      return try type.read(node, field)
    } catch {
      throw mismatch(type, error)
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
private struct NestedMistakes: InvalidInputs {
  var mistakes: [InvalidInput]
}

/// A key with any name, or the index of an item.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
