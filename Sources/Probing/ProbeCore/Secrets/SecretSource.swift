/// The source of a secret: literal text, an environment variable, or a file.
///
/// In a pipeline file it is a text, `{ env: NAME }` or `{ file: PATH }`. The caller supplies access to the
/// environment and to files; `ProbePipeline` provides access to the real ones.
public struct SecretSource: Hashable, Sendable {
  /// The maximum size of a secret's file in bytes.
  public static let maximumBytes = 64 * 1024

  private enum Kind: Hashable {
    case text(Secret)
    case environment(String)
    case file(String, folders: [String]?)
  }

  private let kind: Kind

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// The secret as literal text.
  public static func text(_ secret: Secret) -> SecretSource { SecretSource(.text(secret)) }
  /// An environment variable.
  public static func environment(_ name: String) -> SecretSource { SecretSource(.environment(name)) }
  /// A file; one line break at its end is ignored.
  public static func file(_ path: String) -> SecretSource { SecretSource(.file(path, folders: nil)) }
  /// A file that must be below one of these folders, symbolic links resolved.
  public static func file(_ path: String, in folders: [String]) -> SecretSource {
    SecretSource(.file(path, folders: folders))
  }

  /// The path of the file, or nil for other sources.
  public var path: String? {
    if case .file(let path, _) = kind { path } else { nil }
  }

  /// The folders of which one must contain the file; nil if it may be anywhere.
  public var folders: [String]? {
    if case .file(_, let folders) = kind { folders } else { nil }
  }

  /// Reads the secret.
  ///
  /// - Parameters:
  ///   - environment: Returns the value of an environment variable, or nil if it is not set.
  ///   - contents: Returns the bytes of a file, after checking that it is in one of ``folders``; ``maximumBytes``
  ///     plus one are enough.
  /// - Returns: The secret, which is not empty and contains no control character.
  /// - Throws: ``InvalidInput`` naming the source, never its contents.
  public func secret(
    environment: (String) -> String?, contents: (String) throws(InvalidInput) -> [UInt8]
  ) throws(InvalidInput) -> Secret {
    switch kind {
    case .text(let secret):
      return try secret.withText { text throws(InvalidInput) in try Self.checked(text, of: "the secret") }
    case .environment(let name):
      let words = "the environment variable \(Excerpt(name))"
      guard let text = environment(name) else {
        throw InvalidInput("\(words) is not set", remedy: "set it, or name another source of the secret")
      }
      return try Self.checked(text, of: words)
    case .file(let path, _):
      do throws(InvalidInput) {
        return try Self.checked(try contents(path), of: "the file \(Excerpt(path, limit: 200))")
      } catch {
        throw error.ofFile
      }
    }
  }

  private static func checked(_ bytes: [UInt8], of source: String) throws(InvalidInput) -> Secret {
    guard bytes.count <= maximumBytes else {
      throw InvalidInput(
        "\(source) is larger than \(maximumBytes) bytes",
        remedy: "name the file that contains only the secret")
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw InvalidInput("\(source) is not valid UTF-8", remedy: "write the secret as text")
    }
    // LF and CRLF are each one Character.
    if text.last?.isNewline == true { text.removeLast() }
    return try checked(text, of: source)
  }

  private static func checked(_ text: String, of source: String) throws(InvalidInput) -> Secret {
    guard !text.isEmpty else {
      throw InvalidInput("\(source) is empty", remedy: "put the secret there")
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw InvalidInput(
        "\(source) contains a control character, such as a line end", remedy: "put the secret alone there")
    }
    return Secret(text)
  }
}

extension SecretSource: SchemaProviding {
  /// A text, or a mapping with one of two keys.
  public static let schema: ValueSchema = {
    let name = ValueSchema.text(canBeEmpty: false)
    let sources = ValueSchema.checkedWhenDecoded(
      .anyOf([
        name,
        .mapping([
          .key("env", name, required: true, summary: "the environment variable that contains the secret")
        ]),
        .mapping([
          .key("file", name, required: true, summary: "the file that contains only the secret")
        ]),
      ]))
    return .named(ValueSchema.secretName, sources)
  }()
}

extension SecretSource: Codable {
  /// Reads a text, `{ env: NAME }` or `{ file: PATH }`.
  public init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: OptionKey.self) else {
      self.init(.text(Secret(try decoder.singleValueContainer().decode(String.self))))
      return
    }
    let form = "write it as a text, as env: NAME or as file: PATH"
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      throw InvalidInput("a secret has one source", remedy: form)
    }
    switch key.stringValue {
    case "env":
      let name = try container.decode(String.self, forKey: key)
      guard !name.isEmpty, !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "=") }) else {
        throw InvalidInput(
          "\(Excerpt(name)) cannot name an environment variable", remedy: "write it as in env: TOKEN"
        ).at("env")
      }
      self.init(.environment(name))
    case "file":
      let path = try container.decode(String.self, forKey: key)
      guard !path.isEmpty else {
        throw InvalidInput("the path is empty", remedy: "name the file that contains the secret").at("file")
      }
      self.init(.file(path, folders: nil))
    default: throw InvalidInput("\(Excerpt(key.stringValue)) is no source of a secret", remedy: form)
    }
  }

  /// Encodes the source, with `<redacted>` instead of literal text.
  public func encode(to encoder: any Encoder) throws {
    switch kind {
    case .text: try Secret.placeholder.encode(to: encoder)
    case .environment(let name):
      var container = encoder.container(keyedBy: OptionKey.self)
      try container.encode(name, forKey: "env")
    case .file(let path, _):
      var container = encoder.container(keyedBy: OptionKey.self)
      try container.encode(path, forKey: "file")
    }
  }
}
