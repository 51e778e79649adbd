public import ProbeCore

/// Makes `Decodable` values of what stands in a file, and tells what is wrong with it.
///
/// A value is checked against the schema that its type declares (`SchemaProviding`), every mistake is told at its place,
/// and it is then decoded once. Of a type without a schema the first mistake is told, and the keys that nothing decodes.
///
/// Plain scalars take the type of their field: `204` is a number where one is decoded and a text where a text is; a time
/// such as `5s` is read where a `Duration` is decoded.
public enum SourceDecoding {
  /// How many values may be decoded as one; nobody writes more by hand.
  private static let mostValues = 6000

  /// A value of a type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - node: What it is decoded from.
  ///   - field: What it is called in messages.
  ///   - findings: Where everything that is wrong is told, at its place.
  ///   - userInfo: What the decoder tells the types it decodes.
  /// - Returns: The value, or nil when something is wrong.
  public static func value<Value: Decodable>(
    _ type: Value.Type = Value.self, of node: SourceNode, field: String, _ findings: SourceFindings,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> Value? {
    value(of: node, field: field, findings, userInfo: userInfo) { (value: Value) in value }
  }

  /// What is made of a value that is decoded, such as a validator of its options.
  ///
  /// - Parameters:
  ///   - node: What it is decoded from.
  ///   - schema: What it may look like; nil for what its type declares.
  ///   - field: What it is called in messages.
  ///   - findings: Where everything that is wrong is told, at its place.
  ///   - userInfo: What the decoder tells the types it decodes.
  ///   - make: Makes something of the value. An `InvalidInput` that it throws is told at the key that its path leads to.
  /// - Returns: What was made, or nil when something is wrong.
  public static func value<Value: Decodable, Result>(
    of node: SourceNode, as schema: ValueSchema? = nil, field: String, _ findings: SourceFindings,
    userInfo: [CodingUserInfoKey: any Sendable] = [:], make: (Value) throws -> Result
  ) -> Result? {
    let weight = node.weight
    guard weight <= mostValues else {
      findings.add(
        "\(field) is made of \(weight) values, more than \(mostValues)", remedy: "make it smaller", at: node)
      return nil
    }
    let before = findings.count
    let check = SchemaCheck(node, schema ?? ValueSchema(of: Value.self), field: field, findings)
    var unknown = check.unknown
    var told: [[String]] = []
    func tell(_ mistake: InvalidInput, at path: [String], _ part: SourceNode) {
      // What seems wrong with the whole may be so for a key that is misspelt.
      guard !unknown.contains(where: { $0.starts(with: path) }) else { return }
      findings.add(mistake, at: part)
      told.append(path)
    }
    var result: Result?
    if check.isDecodable, node.isWhole {
      let survey = KeySurvey()
      func tellUnknown(hasDecoded: Bool) {
        for mapping in survey.mappings where check.leftToTypes.contains(where: mapping.path.starts) {
          for entry in mapping.unknown(hasDecoded: hasDecoded) where !findings.givesUp() {
            _ = findings.tellUnknown(entry, in: mapping.field, known: mapping.known)
            unknown.append(mapping.path + [entry.key])
          }
        }
      }
      var hasDecoded = false
      do {
        let value = try SourceDecoder(node, field: field, userInfo, survey).decode(Value.self)
        hasDecoded = true
        tellUnknown(hasDecoded: true)
        result = try make(value)
      } catch {
        if !hasDecoded { tellUnknown(hasDecoded: false) }
        for mistake in mistakes(of: error, in: node, field) {
          let (part, path) = node.part(at: mistake.path)
          tell(mistake, at: path, part)
        }
      }
    }
    for mistake in check.deferred where !told.contains(mistake.path) {
      tell(mistake.mistake, at: mistake.path, mistake.node)
    }
    return findings.count == before ? result : nil
  }

  /// What an error says that was thrown by a type or by what was made of it.
  private static func mistakes(of error: any Error, in root: SourceNode, _ field: String) -> [InvalidInput] {
    switch error {
    case let mistake as InvalidInput: return [mistake]
    // More are not told anyway.
    case let several as any InvalidInputs: return Array(several.mistakes.prefix(SourceFindings.limit))
    case let error as DecodingError:
      let path = error.context?.codingPath.map(\.stringValue) ?? []
      if let mistake = error.context?.underlyingError as? InvalidInput {
        return [mistake.at(path)]
      }
      let field = root.field(at: path, field)
      if case .keyNotFound(let key, _) = error {
        return [InvalidInput("\(field) has no \(key.stringValue.escapedForDisplay)").at(path)]
      }
      let reason = error.context?.debugDescription ?? ""
      let words = reason.isEmpty ? "" : ": \(reason.escapedForDisplay)"
      return [InvalidInput("\(field) cannot be used\(words)").at(path)]
    default: return [InvalidInput("\(field) cannot be used: \("\(error)".escapedForDisplay)")]
    }
  }
}

extension DecodingError {
  /// Where it happened and why.
  var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context): context
    case .dataCorrupted(let context): context
    @unknown default: nil
    }
  }
}

extension FieldReader {
  /// A value that is decoded.
  public static func decoded(
    _ type: Value.Type = Value.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> FieldReader where Value: Decodable {
    decoded(userInfo: userInfo) { (value: Value) in value }
  }

  /// What is made of a value that is decoded, such as a validator of its options.
  ///
  /// - Parameters:
  ///   - type: The type that is decoded.
  ///   - schema: What a value may look like; nil for what the type declares.
  ///   - userInfo: What the decoder tells the types it decodes.
  ///   - make: Makes something of the value; throws `InvalidInput` for one that cannot be used.
  /// - Returns: The reader.
  public static func decoded<Decoded: Decodable>(
    _ type: Decoded.Type = Decoded.self, as schema: ValueSchema? = nil,
    userInfo: [CodingUserInfoKey: any Sendable] = [:], make: @escaping (Decoded) throws -> Value
  ) -> FieldReader {
    FieldReader(schema: schema ?? ValueSchema(of: Decoded.self)) { node, field, findings in
      SourceDecoding.value(of: node, as: schema, field: field, findings, userInfo: userInfo, make: make)
    }
  }
}
