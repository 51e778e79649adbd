// The forms in which a file can give the values of request keys.

/// One text, or a non-empty list of texts.
struct OneOrMoreTexts: Decodable, Sendable {
  let items: [String]

  init(from decoder: any Decoder) throws {
    if let item = try? decoder.singleValueContainer().decode(String.self) {
      items = [item]
    } else {
      items = try [String](from: decoder)
      try ValueLimits.check(items.count, "items")
    }
  }
}

extension OneOrMoreTexts: SchemaProviding {
  static let schema = ValueSchema.oneOrMore(of: .text)
}

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
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      rules = [try ConnectTo(text)]
      return
    }
    let texts = try [String](from: decoder)
    try ValueLimits.check(texts.count, "items")
    var rules: [ConnectTo] = []
    for (index, text) in texts.enumerated() {
      rules.append(try InvalidInput.at("\(index)") { () throws(InvalidInput) in try ConnectTo(text) })
    }
    self.rules = rules
  }
}

/// `1s`, or `{ initial: 1s, maximum: 10s }`.
struct BackoffValue: Decodable, Sendable, SchemaProviding {
  static let schema = ValueSchema.anyOf([
    .duration,
    .mapping([
      .key("initial", .duration, default: "500ms", summary: "the longest wait before the first retry"),
      .key("maximum", .duration, default: "10s", summary: "the longest wait before any retry"),
    ]),
  ])

  let backoff: RetryBackoff

  private enum Key: CodingKey {
    case initial, maximum
  }

  init(from decoder: any Decoder) throws {
    let usual = RetryBackoff()
    if let initial = try? decoder.singleValueContainer().decode(Duration.self) {
      backoff = RetryBackoff(initial: initial, maximum: max(initial, usual.maximum))
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    let initial = try container.decodeIfPresent(Duration.self, forKey: .initial) ?? usual.initial
    let maximum = try container.decodeIfPresent(Duration.self, forKey: .maximum)
    backoff = RetryBackoff(initial: initial, maximum: maximum ?? max(initial, usual.maximum))
    guard backoff.maximum >= backoff.initial else {
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
struct CredentialsValue: Decodable, Sendable, SchemaProviding {
  static let schema: ValueSchema = {
    let basic = ValueSchema.mapping([
      .key("user", .text, required: true, summary: "the user name"),
      .key("password", SecretSource.schema, required: true, summary: "the password"),
    ])
    return .anyOf([
      .mapping([.key("bearer", SecretSource.schema, required: true, summary: "a bearer token (RFC 6750)")]),
      .mapping([
        .key("basic", basic, required: true, summary: "a user name and its password (RFC 7617)")
      ]),
    ])
  }()

  struct Basic: Decodable, Sendable {
    let user: String
    let password: SecretSource
  }

  let bearer: SecretSource?
  let basic: Basic?

  private enum CodingKeys: CodingKey {
    case bearer, basic
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    bearer = try container.decodeIfPresent(SecretSource.self, forKey: .bearer)
    basic = try container.decodeIfPresent(Basic.self, forKey: .basic)
    guard (bearer == nil) != (basic == nil) else {
      throw InvalidInput(
        bearer == nil ? "there are no credentials" : "there are two kinds of credentials",
        remedy: "give one of bearer and basic")
    }
  }

  func credentials(in context: RequestContext) throws(InvalidInput) -> HTTPCredentials {
    if let basic { return .basic(user: basic.user, password: try context.secret(basic.password)) }
    guard let bearer else { throw InvalidInput("there are no credentials") }
    return .bearer(try context.secret(bearer))
  }
}

/// A URL, or `{ url: URL, user: NAME, password: SECRET }`.
struct ProxyValue: Decodable, Sendable, SchemaProviding {
  static let schema = ValueSchema.anyOf([
    .text,
    .mapping([
      .key(
        "url", .text, required: true,
        summary: "the URL of the proxy: http://, https://, socks5h:// or socks5://host:port"),
      .key("user", .text, summary: "the user name"),
      .key("password", SecretSource.schema, summary: "the password"),
    ]),
  ])

  let url: String
  let user: String?
  let password: SecretSource?

  private enum Key: CodingKey {
    case url, user, password
  }

  init(from decoder: any Decoder) throws {
    if let url = try? decoder.singleValueContainer().decode(String.self) {
      (self.url, user, password) = (url, nil, nil)
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    url = try container.decode(String.self, forKey: .url)
    user = try container.decodeIfPresent(String.self, forKey: .user)
    password = try container.decodeIfPresent(SecretSource.self, forKey: .password)
  }
}

/// A file, or `{ certificate: FILE, key: FILE, passphrase: SECRET }`.
struct ClientCertificateValue: Decodable, Sendable, SchemaProviding {
  static let schema = ValueSchema.anyOf([
    .text,
    .mapping([
      .key("certificate", .text, required: true, summary: "the PEM file with the certificate and its chain"),
      .key("key", .text, summary: "the PEM file with its key, if it is a different file"),
      .key("passphrase", SecretSource.schema, summary: "the passphrase of the key"),
    ]),
  ])

  let certificate: String
  let key: String?
  let passphrase: SecretSource?

  private enum Key: CodingKey {
    case certificate, key, passphrase
  }

  init(from decoder: any Decoder) throws {
    if let certificate = try? decoder.singleValueContainer().decode(String.self) {
      (self.certificate, key, passphrase) = (certificate, nil, nil)
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    certificate = try container.decode(String.self, forKey: .certificate)
    key = try container.decodeIfPresent(String.self, forKey: .key)
    passphrase = try container.decodeIfPresent(SecretSource.self, forKey: .passphrase)
  }
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

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
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
    var texts: [(name: String, value: String)] = []
    for (name, value) in items { texts.append((name, try value.text(in: context, adding: &secrets))) }
    return texts
  }
}
