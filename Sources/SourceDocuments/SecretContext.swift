internal import ProbeASCII
internal import ProbeCore

/// Where a value is in a file, as far as that decides whether it is a secret.
///
/// It follows the keys on the way from the root of a file to a value; ``SecretNames`` has the names.
package enum SecretContext: Hashable, Sendable {
  /// Outside of everything that can be a secret.
  case ordinary
  /// A mapping with keys for secrets, such as `basic_auth`: a text in its place is secret too.
  case section
  /// A mapping of names that the author chose, such as `headers`, or the lines of header fields.
  case fields
  /// The value of such a name that does not suggest a secret.
  case field
  /// A secret, or a mapping or a list in its place.
  case secret

  /// Whether a text here is secret.
  package func isSecret(_ text: some StringProtocol) -> Bool {
    switch self {
    case .ordinary, .field: return Self.isEntryOfSecret(text)
    case .section, .secret: return true
    case .fields:
      guard let colon = text.firstIndex(of: ":") else { return false }
      return Self.isSecretField(text[..<colon])
    }
  }

  /// Whether a text is a key of a secret with its value, which lacks the colon or the space after it.
  private static func isEntryOfSecret(_ text: some StringProtocol) -> Bool {
    let start = text.utf8.prefix(64)
    let name = start.prefix { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
    let rest = start[name.endIndex...]
    guard let mark = rest.first, ":= ".utf8.contains(mark), let next = rest.dropFirst().first, next > 0x20,
      mark != UInt8(ascii: " ") || !rest.dropFirst().contains(where: { $0 <= 0x20 })
    else { return false }
    return isSecretKey(String(decoding: name, as: UTF8.self))
  }

  /// The context of the value of a key.
  package func entering(_ key: some StringProtocol) -> SecretContext {
    switch self {
    case .fields: return Self.isSecretField(key) ? .secret : .field
    case .field: return Self.isSource(key) || key == "values" ? .ordinary : .secret
    case .secret: return Self.isSource(key) ? .ordinary : .secret
    case .section where key == "key": return .secret
    case .section, .ordinary: break
    }
    if Self.sections.contains(String(key)) { return .section }
    if Self.fieldMappings.contains(String(key)) { return .fields }
    return Self.isSecretKey(key) || key == Self.proxyFields ? .secret : .ordinary
  }

  /// Whether the value of a key, or that of a misspelled one, is a secret, wherever it is.
  static func isSecretKey(_ key: some StringProtocol) -> Bool {
    SecretNames.mayBeSecretKey(key) && !isAboutSecret(key)
  }

  private static func isSecretField(_ name: some StringProtocol) -> Bool {
    SecretNames.isSecretField(String(name)) || SecretNames.mayBeSecretKey(name)
  }

  /// Whether the value of a known key is a secret text, so that an unknown key beside it may be meant for it.
  static func isSecretText(_ key: String) -> Bool {
    (key == "key" || isSecretKey(key)) && !mappings.contains(key)
  }

  /// Keys of secrets whose values are no texts.
  private static let mappings: Set<String> = ["auth", "basic", "basic_auth_users", "cookie", "cookies"]

  /// Whether a line of a file that cannot be parsed has a secret after this key.
  static func mayPrecedeSecret(_ key: String) -> Bool {
    sections.contains(key) || key == proxyFields || key == "key" || isSecretKey(key)
  }

  /// Mappings with keys for secrets.
  private static let sections: Set<String> = [
    "authorization", "basic_auth", "oauth2", "tls_config", "tls_server_config",
  ]
  /// The header fields for a proxy, all of which are secret.
  private static let proxyFields = "proxy_connect_header"
  /// Mappings of names that the author chose.
  private static let fieldMappings: Set<String> = [
    "claims", "endpoint_params", "headers", "http_headers", "metadata",
  ]

  /// Whether a key inside of a secret value names its source, its scheme or its user, rather than contain it.
  private static func isSource(_ key: some StringProtocol) -> Bool {
    ["env", "user", "username"].contains(String(key)) || isAboutSecret(key)
  }

  /// Whether a name is about a secret, such as `password_file` or `token_url`.
  private static func isAboutSecret(_ key: some StringProtocol) -> Bool {
    guard key.utf8.count <= 64, let last = SecretNames.words(of: Array(key.utf8)).last else { return false }
    return ["file", "files", "ref", "type", "uri", "url"].contains(last)
  }
}
