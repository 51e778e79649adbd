// How the values of request keys are written in a file.

/// One value, or a list of them that is not empty.
struct OneOrMore<Item: Decodable & Sendable>: Decodable, Sendable {
  let items: [Item]

  init(from decoder: any Decoder) throws {
    guard let list = try? decoder.unkeyedContainer() else {
      items = [try decoder.singleValueContainer().decode(Item.self)]
      return
    }
    try FormLimits.check(list.count ?? 0, "items")
    items = try [Item](from: decoder)
    guard !items.isEmpty else {
      throw InvalidInput("the list is empty", remedy: "leave the key out, or give it an item")
    }
  }
}

extension OneOrMore: DescribedForm {
  static func form(describing other: (any Decodable.Type) -> ValueForm) -> ValueForm {
    let item = other(Item.self)
    return .anyOf([item, .list(of: item, atLeast: 1)])
  }
}

/// How much a value may be made of; nobody writes more by hand.
enum FormLimits {
  /// Refuses more parts than there may be.
  static func check(_ count: Int, _ parts: String) throws(InvalidInput) {
    guard count > 1000 else { return }
    throw InvalidInput("\(count) \(parts) are too many", remedy: "use at most 1000")
  }
}

/// A whole number in bounds.
struct BoundedCount<Bounds: CountBounds>: Decodable, Sendable, DescribedForm {
  static func form(describing other: (any Decodable.Type) -> ValueForm) -> ValueForm {
    .integer(in: Bounds.range)
  }

  let count: Int

  init(from decoder: any Decoder) throws {
    count = try decoder.singleValueContainer().decode(Int.self)
    guard Bounds.range.contains(count) else {
      throw InvalidInput(
        "\(count) is out of bounds",
        remedy: "use one from \(Bounds.range.lowerBound) to \(Bounds.range.upperBound)")
    }
  }
}

/// The bounds of a ``BoundedCount``.
protocol CountBounds {
  static var range: ClosedRange<Int> { get }
}

/// `HOST:PORT:ADDR:PORT`.
struct ConnectToForm: Decodable, Sendable, DescribedForm {
  static func form(describing other: (any Decodable.Type) -> ValueForm) -> ValueForm {
    .text(
      pattern: #"^(\[[^\]]*\]|[^:]*):[0-9]*:(\[[^\]]*\]|[^:]*):[0-9]*$"#, canBeNumber: false,
      canBeBoolean: false,
      examples: ["a.example:443:127.0.0.1:8443"])
  }

  let rule: ConnectTo

  init(from decoder: any Decoder) throws {
    rule = try ConnectTo(try decoder.singleValueContainer().decode(String.self))
  }
}

/// `1s`, or `{ initial: 1s, maximum: 10s }`.
struct BackoffForm: Decodable, Sendable {
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
enum FamilyForm: String, Decodable, Sendable, CaseIterable {
  case any, v4, v6

  var family: IPFamily? { IPFamily(rawValue: rawValue) }
}

/// `bearer: SECRET`, or `basic: { user: NAME, password: SECRET }`.
struct CredentialsForm: Decodable, Sendable, DescribedForm {
  static func form(describing other: (any Decodable.Type) -> ValueForm) -> ValueForm {
    let bearer = KeyForm(
      "bearer", other(SecretSource.self), isRequired: true, summary: "a bearer token (RFC 6750)")
    let basic = KeyForm(
      "basic", other(Basic.self), isRequired: true, summary: "a user name with its password (RFC 7617)")
    return .anyOf([.mapping([bearer]), .mapping([basic])])
  }

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
        bearer == nil ? "there is nothing to show" : "there are two things to show at a time",
        remedy: "give one of bearer and basic")
    }
  }

  func credentials(in context: RequestContext) throws(InvalidInput) -> HTTPCredentials {
    if let basic { return .basic(user: basic.user, password: try context.secret(basic.password)) }
    guard let bearer else { throw InvalidInput("there is nothing to show") }
    return .bearer(try context.secret(bearer))
  }
}

/// A URL, or `{ url: URL, user: NAME, password: SECRET }`.
struct ProxyForm: Decodable, Sendable {
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
struct ClientCertificateForm: Decodable, Sendable {
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

/// `{ Name: value, Name: [value, value] }`, in the order of the file.
struct HeadersForm: Decodable, Sendable {
  let fields: HeaderFields

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    var fields = HeaderFields()
    let names = container.allKeys
    try FormLimits.check(names.count, "header fields")
    for name in names {
      for value in try container.decode(OneOrMore<String>.self, forKey: name).items {
        fields.append(name: name.stringValue, value: value)
      }
    }
    self.fields = fields
  }
}
