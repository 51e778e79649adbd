internal import ProbeCore

/// Makes ordinary `Decodable` values of what stands in a file, and tells everything that is wrong with it.
///
/// Plain scalars take the type of their field: `204` is a number where one is decoded and a text where a text is; a time
/// such as `5s` is read where a `Duration` is decoded. Keys that nothing decodes are mistakes.
public enum SourceDecoding {
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
  ///   - field: What it is called in messages.
  ///   - findings: Where everything that is wrong is told, at its place.
  ///   - userInfo: What the decoder tells the types it decodes.
  ///   - make: Makes something of the value. An `InvalidInput` that it throws is told at the key that its path leads to.
  /// - Returns: What was made, or nil when something is wrong.
  public static func value<Value: Decodable, Result>(
    of node: SourceNode, field: String, _ findings: SourceFindings,
    userInfo: [CodingUserInfoKey: any Sendable] = [:], make: (Value) throws -> Result
  ) -> Result? {
    var rounds = DecodingRounds(node, field, findings, userInfo)
    return rounds.value(make)
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
  public static func decoded<Decoded: Decodable>(
    _ type: Decoded.Type = Decoded.self, userInfo: [CodingUserInfoKey: any Sendable] = [:],
    make: @escaping (Decoded) throws -> Value
  ) -> FieldReader {
    FieldReader(form: FormDescription.form(of: Decoded.self, userInfo)) { node, field, findings in
      SourceDecoding.value(of: node, field: field, findings, userInfo: userInfo, make: make)
    }
  }
}
