/// A text, or the source of a secret that is sent instead of it.
///
/// In a pipeline file it is a text, `{ env: NAME }` or `{ file: PATH }`. Use it for the values of a
/// ``RequestKey`` that become part of a request, such as header fields.
public enum TextOrSecret: Hashable, Sendable {
  /// A text, which reports may show.
  case text(String)
  /// A secret.
  case secret(SecretSource)

  /// The text to send.
  ///
  /// - Parameters:
  ///   - context: How to read a secret; its file must be below the context's folder.
  ///   - secrets: Receives the secret if there is one; add it to ``ProbeRequest/otherSecrets``.
  /// - Returns: The text.
  /// - Throws: ``InvalidInput`` naming the source of a secret that cannot be read.
  public func text(
    in context: RequestContext, adding secrets: inout [Secret]
  ) throws(InvalidInput) -> String {
    switch self {
    case .text(let text): return text
    case .secret(let source):
      let secret = try context.confinedSecret(source)
      secrets.append(secret)
      return secret.withText { $0 }
    }
  }
}

extension TextOrSecret: SchemaProviding {
  /// A text, or the source of a secret.
  public static let schema = ValueSchema.anyOf([.text, SecretSource.schema])
}

extension TextOrSecret: Decodable {
  /// Reads a text, `{ env: NAME }` or `{ file: PATH }`.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self = .text(text)
    } else {
      self = .secret(try SecretSource(from: decoder))
    }
  }
}
