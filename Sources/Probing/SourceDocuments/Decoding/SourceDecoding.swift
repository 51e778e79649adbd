package import ProbeCore

/// Decodes `Decodable` values from a file, and reports all errors in them.
///
/// A value is checked against the schema that its type declares (`SchemaProviding`), every error is reported
/// at its location, and then the value is decoded once. For a type without a schema, only the first error and
/// the unknown keys are reported.
///
/// An unquoted scalar has the type of its field: `204` is a number if a number is decoded, and a text if a
/// text is; a time such as `5s` is accepted for a `Duration`.
package enum SourceDecoding {
  /// The maximum number of values to decode at once; no hand-written file has more.
  private static let maximumValues = 6000

  /// Decodes a value of a type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - node: The value in the file.
  ///   - field: The name of the value in messages.
  ///   - findings: Receives all errors with their locations.
  ///   - userInfo: Information that the decoder passes to the types.
  /// - Returns: The value, or nil if there was an error.
  package static func value<Value: Decodable>(
    _ type: Value.Type = Value.self, of node: SourceNode, field: String, _ findings: SourceFindings,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> Value? {
    value(of: node, field: field, findings, userInfo: userInfo) { (value: Value) in value }
  }

  /// Decodes a value and creates something from it, for instance a validator from its options.
  ///
  /// - Parameters:
  ///   - node: The value in the file.
  ///   - schema: The schema of the value; nil for the one that its type declares.
  ///   - field: The name of the value in messages.
  ///   - findings: Receives all errors with their locations.
  ///   - userInfo: Information that the decoder passes to the types.
  ///   - make: Creates the result. An `InvalidInput` that it throws is reported at the key in its path.
  /// - Returns: The result, or nil if there was an error.
  package static func value<Value: Decodable, Result>(
    of node: SourceNode, as schema: ValueSchema? = nil, field: String, _ findings: SourceFindings,
    userInfo: [CodingUserInfoKey: any Sendable] = [:], make: (Value) throws -> Result
  ) -> Result? {
    let weight = node.weight
    guard weight <= maximumValues else {
      findings.add(
        "\(field) is made of \(weight) values, more than \(maximumValues)", remedy: "make it smaller",
        at: node)
      return nil
    }
    let before = findings.count
    let schema = schema ?? ValueSchema(of: Value.self)
    let check = SchemaCheck(node, schema, field: field, findings)
    var unknown = check.unknown
    var reported: [[String]] = []
    func report(_ mistake: InvalidInput, at path: [String], _ part: SourceNode) {
      // The apparent error in the whole may be caused by a misspelled key.
      guard !unknown.contains(where: { $0.starts(with: path) }) else { return }
      findings.add(mistake, at: part)
      reported.append(path)
    }
    var result: Result?
    if check.isDecodable, node.isWhole {
      let survey = KeySurvey()
      // A schema declares the keys of its secrets.
      defer { if schema == .anything { findings.know(secretKeys: survey.secretKeys) } }
      func reportUnknown(hasDecoded: Bool) {
        for mapping in survey.mappings where check.leftToTypes.contains(where: mapping.path.starts) {
          for entry in mapping.unknown(hasDecoded: hasDecoded) where !findings.stopIfFull() {
            _ = findings.reportUnknown(entry, in: mapping.field, known: mapping.known)
            unknown.append(mapping.path + [entry.key])
          }
        }
      }
      var hasDecoded = false
      do {
        let value = try SourceDecoder(node, field: field, userInfo, survey).decode(Value.self)
        hasDecoded = true
        reportUnknown(hasDecoded: true)
        result = try make(value)
      } catch {
        if !hasDecoded { reportUnknown(hasDecoded: false) }
        for mistake in mistakes(of: error, in: node, field) {
          let (part, path) = node.part(at: mistake.path)
          report(mistake, at: path, part)
        }
      }
    }
    for mistake in check.deferred where !reported.contains(mistake.path) {
      report(mistake.mistake, at: mistake.path, mistake.node)
    }
    return findings.count == before ? result : nil
  }

  /// The errors in what a type or the closure threw.
  private static func mistakes(of error: any Error, in root: SourceNode, _ field: String) -> [InvalidInput] {
    switch error {
    case let mistake as InvalidInput: return [mistake]
    // Further errors would not be reported.
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
  var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context): context
    case .dataCorrupted(let context): context
    @unknown default: nil
    }
  }
}

extension FieldReader {
  /// A reader that decodes a value and creates something from it, for instance a validator from its options.
  ///
  /// - Parameters:
  ///   - type: The type that is decoded.
  ///   - schema: The schema of the value; nil for the one that the type declares.
  ///   - userInfo: Information that the decoder passes to the types.
  ///   - make: Creates the result; throws `InvalidInput` if the value cannot be used.
  /// - Returns: The reader.
  package static func decoded<Decoded: Decodable>(
    _ type: Decoded.Type = Decoded.self, as schema: ValueSchema? = nil,
    userInfo: [CodingUserInfoKey: any Sendable] = [:], make: @escaping (Decoded) throws -> Value
  ) -> FieldReader {
    FieldReader(schema: schema ?? ValueSchema(of: Decoded.self)) { node, field, findings in
      SourceDecoding.value(of: node, as: schema, field: field, findings, userInfo: userInfo, make: make)
    }
  }
}
