// The forms in which a file can give the values of request keys.

/// Limits on the parts of a value, above anything written by hand.
enum ValueLimits {
  /// Throws if a value has too many parts.
  static func check(_ count: Int, _ parts: String) throws(InvalidInput) {
    guard count > 1000 else { return }
    throw InvalidInput("\(count) \(parts) are too many", remedy: "use at most 1000")
  }
}

/// `HOST:PORT:ADDR:PORT`, or a list of these.
struct ConnectToValue: Decodable, Sendable, SchemaProviding {
  static let schema = ValueSchema.oneOrMore(
    of: .text(
      pattern: #"^(\[[^\]]*\]|[^:]*):[0-9]*:(\[[^\]]*\]|[^:]*):[0-9]*$"#, canBeNumber: false,
      canBeBoolean: false, examples: ["a.example:443:127.0.0.1:8443"]))

  let rules: [ConnectTo]

  init(from decoder: any Decoder) throws {
    let texts = try OneOrMore<String>(from: decoder).items
    try ValueLimits.check(texts.count, "items")
    rules = try texts.mapItems { text throws(InvalidInput) in try ConnectTo(text) }
  }
}

/// `1s`, or `{ initial: 1s, maximum: 10s }`.
struct BackoffValue: DeclaredOptions {
  static let declaration = OptionsDeclaration(
    Self(), short: .value(\.initial),
    [
      OptionField(
        "initial", \.initial, default: "500ms", summary: "the longest wait before the first retry"),
      OptionField("maximum", \.maximum, default: "10s", summary: "the longest wait before any retry"),
    ])

  var initial = RetryBackoff().initial
  var maximum: Duration?

  var backoff: RetryBackoff {
    RetryBackoff(initial: initial, maximum: maximum ?? max(initial, RetryBackoff().maximum))
  }
}

extension BackoffValue {
  init(from decoder: any Decoder) throws {
    self = try Self.declaration.value(from: decoder)
    guard backoff.maximum >= initial else {
      throw InvalidInput(
        "the longest wait is shorter than the first", remedy: "give a maximum of at least initial"
      ).at("maximum")
    }
  }
}

/// `any`, `v4` or `v6`.
enum FamilyValue: String, Decodable, Sendable, CaseIterable, SchemaProviding {
  case any, v4, v6

  var family: IPFamily? { IPFamily(rawValue: rawValue) }
}

/// `bearer: SECRET`, or `basic: { user: NAME, password: SECRET }`.
struct CredentialsValue: DeclaredOptions {
  static let declaration = OptionsDeclaration(
    Self(), [OptionField("bearer", \.bearer, required: true, summary: "a bearer token (RFC 6750)")],
    [OptionField("basic", \.basic, required: true, summary: "a user name and its password (RFC 7617)")])

  struct Basic: DeclaredOptions {
    static let declaration = OptionsDeclaration(
      Self(),
      [
        OptionField("user", \.user, required: true, summary: "the user name"),
        OptionField("password", \.password, required: true, summary: "the password"),
      ])

    var user = ""
    var password = SecretSource.text(Secret(""))
  }

  var bearer: SecretSource?
  var basic: Basic?

  func credentials(in context: RequestContext) throws(InvalidInput) -> HTTPCredentials {
    if let basic { return .basic(user: basic.user, password: try context.secret(basic.password)) }
    guard let bearer else { throw InvalidInput("there are no credentials") }
    return .bearer(try context.secret(bearer))
  }
}

extension CredentialsValue {
  init(from decoder: any Decoder) throws {
    self = try Self.declaration.value(from: decoder)
    guard (bearer == nil) != (basic == nil) else {
      throw InvalidInput(
        bearer == nil ? "there are no credentials" : "there are two kinds of credentials",
        remedy: "give one of bearer and basic")
    }
  }
}

/// A URL, or `{ url: URL, user: NAME, password: SECRET }`.
struct ProxyValue: DeclaredOptions {
  static let declaration = OptionsDeclaration(
    Self(), short: .value(\.url),
    [
      OptionField(
        "url", \.url, required: true,
        summary: "the URL of the proxy: http://, https://, socks5h:// or socks5://host:port"),
      OptionField("user", \.user, summary: "the user name"),
      OptionField("password", \.password, summary: "the password"),
    ])

  var url = ""
  var user: String?
  var password: SecretSource?
}

/// A file, or `{ certificate: FILE, key: FILE, passphrase: SECRET }`.
struct ClientCertificateValue: DeclaredOptions {
  static let declaration = OptionsDeclaration(
    Self(), short: .value(\.certificate),
    [
      OptionField(
        "certificate", \.certificate, required: true,
        summary: "the PEM file with the certificate and its chain"),
      OptionField("key", \.key, summary: "the PEM file with its key, if it is a different file"),
      OptionField("passphrase", \.passphrase, summary: "the passphrase of the key"),
    ])

  var certificate = ""
  var key: String?
  var passphrase: SecretSource?
}

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

/// `{ Name: value, Name: [value, value] }`, in the order of the file; each value is a text or a secret.
struct NamedTexts: Decodable, Sendable, SchemaProviding {
  static let schema = ValueSchema.mapping(
    [], others: .anyOf([TextOrSecret.schema, .list(of: TextOrSecret.schema)]))

  /// The values in order, each with its name.
  private let items: [(name: String, value: TextOrSecret)]
  /// The names with an empty list.
  let empty: [String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OptionKey.self)
    try ValueLimits.check(container.allKeys.count, "names")
    var items: [(name: String, value: TextOrSecret)] = []
    var empty: [String] = []
    for name in container.allKeys {
      guard var list = try? container.nestedUnkeyedContainer(forKey: name) else {
        items.append((name.stringValue, try container.decode(TextOrSecret.self, forKey: name)))
        continue
      }
      if list.isAtEnd { empty.append(name.stringValue) }
      try ValueLimits.check(list.count ?? 0, "items")
      while !list.isAtEnd { items.append((name.stringValue, try list.decode(TextOrSecret.self))) }
    }
    self.items = items
    self.empty = empty
  }

  /// The texts to send, in order, each with its name.
  ///
  /// - Parameters:
  ///   - context: How to read secrets.
  ///   - secrets: Receives the secrets.
  /// - Returns: The texts.
  /// - Throws: ``InvalidInput`` naming the source of a secret that cannot be read.
  func texts(
    in context: RequestContext, adding secrets: inout [Secret]
  ) throws(InvalidInput) -> [(name: String, value: String)] {
    try items.map { item throws(InvalidInput) in
      (item.name, try item.value.text(in: context, adding: &secrets))
    }
  }
}
