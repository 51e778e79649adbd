internal import ProbeBase
internal import ProbeCore

/// Where a value is in a file, as far as that decides whether it is a secret.
///
/// It follows the keys on the way from the root of a file to a value; ``SecretNames`` has the names.
package enum SecretContext: Hashable, Sendable {
  /// Outside of everything that can be a secret.
  case ordinary
  /// A mapping with keys for secrets, such as `basic_auth`: a text instead of it is secret too.
  case section
  /// A mapping of names that the author chose, such as `headers`, or the lines of header fields.
  case fields
  /// The value of such a name that does not suggest a secret.
  case field
  /// A secret, or a mapping or a list instead of one.
  case secret
  /// A text that is sent.
  case content
  /// A word about a secret; any other text instead of it may be the secret itself.
  case word(Word)

  /// The kind of a word about a secret.
  package enum Word: Hashable, Sendable {
    /// The name of a variable.
    case variable
    /// The scheme of an authorization, such as `Bearer`.
    case scheme
    /// The name of a user, who has no colon (RFC 7617 §2).
    case user

    /// Whether a text is such a word, or none at all.
    fileprivate func includes(_ text: some StringProtocol) -> Bool {
      switch self {
      case .variable:
        text.utf8.first?.isASCIIDigit != true
          && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
      case .scheme: text.utf8.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "-") }
      case .user: !text.utf8.contains(UInt8(ascii: ":"))
      }
    }
  }

  /// Whether a text here is secret.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - declared: The keys that are declared to have secrets.
  /// - Returns: Whether it is.
  package func isSecret(_ text: some StringProtocol, _ declared: DeclaredSecrets) -> Bool {
    switch self {
    case .ordinary, .field: return value(ofEntry: text, isKey: false, declared) != nil
    case .section, .secret: return true
    case .content: return Self.mentionsSecret(text, declared)
    case .fields:
      guard let colon = text.firstIndex(of: ":") else {
        return value(ofEntry: text, isKey: false, declared) != nil
      }
      return Self.isSecretField(text[..<colon])
    case .word(let word): return !word.includes(text) || value(ofEntry: text, isKey: false, declared) != nil
    }
  }

  /// Where the value begins in a text that is a key of a secret with its value, such as `password=hunter2`; nil for
  /// another text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isKey: Whether it is itself a key, in quotes, which nothing but a mistake makes of such a text. A text
  ///     elsewhere lacks the colon or the space after it.
  ///   - declared: The keys that are declared to have secrets.
  /// - Returns: The offset of the value in bytes.
  func value(ofEntry text: some StringProtocol, isKey: Bool, _ declared: DeclaredSecrets) -> Int? {
    let start = Array(text.utf8.prefix(128))
    let name = start.prefix { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
    guard let mark = start[name.endIndex...].first, ":= ".utf8.contains(mark) else { return nil }
    let rest = start[(name.endIndex + 1)...]
    let value = isKey ? rest.drop { $0 <= 0x20 } : rest
    guard let next = value.first, next > 0x20,
      mark != UInt8(ascii: " ") || !value.contains(where: { $0 <= 0x20 })
    else { return nil }
    let key = String(decoding: name, as: UTF8.self)
    let isSecret =
      switch self {
      case .fields: Self.isSecretField(key)
      case .section: key == "key" || Self.isSecretKey(key)
      // The name of a user with the password.
      case .secret where isKey && mark == UInt8(ascii: ":"): true
      case .ordinary, .field, .content, .secret, .word: Self.isSecretKey(key)
      }
    return isSecret || declared.include(key) ? value.startIndex : nil
  }

  /// The context of the value of a key.
  package func entering(_ key: some StringProtocol) -> SecretContext {
    switch self {
    case .fields: return Self.isSecretField(key) ? .secret : .field
    case .field where key == "values": return .ordinary
    case .field, .secret: return Self.word(key) ?? (Self.isAboutSecret(key) ? .ordinary : .secret)
    case .section where key == "key": return .secret
    case .section: if let word = Self.word(key) { return word }
    case .ordinary, .content, .word: if key != "type", let word = Self.word(key) { return word }
    }
    if Self.sections.contains(String(key)) { return .section }
    if Self.fieldMappings.contains(String(key)) { return .fields }
    return Self.isSecretKey(key) || key == Self.proxyFields ? .secret : .ordinary
  }

  /// Whether a text that is sent may have a secret in it, as a form and JSON with a password have.
  ///
  /// A text that is longer than anything written by hand counts as one.
  private static func mentionsSecret(_ text: some StringProtocol, _ declared: DeclaredSecrets) -> Bool {
    let isName = { (byte: UInt8) in byte.isASCIILetter || byte.isASCIIDigit || "-_".utf8.contains(byte) }
    return text.utf8.count > 64 * 1024
      || text.utf8.split { !isName($0) }.contains { word in
        let word = String(decoding: word, as: UTF8.self)
        return declared.include(word) || isSecretField(word)
      }
  }

  /// Whether the value of a key, or that of a misspelled one, is a secret, wherever it is.
  static func isSecretKey(_ key: some StringProtocol) -> Bool {
    SecretNames.mayBeSecretKey(key) && !isAboutSecret(key)
  }

  private static func isSecretField(_ name: some StringProtocol) -> Bool {
    SecretNames.isSecretField(String(name)) || SecretNames.mayBeSecretKey(name)
  }

  /// Whether the value of a known key is a secret text by its name, so that an unknown key next to it may be meant for it.
  static func isSecretText(_ key: String, _ declared: DeclaredSecrets) -> Bool {
    declared.include(key) || (key == "key" || isSecretKey(key)) && !mappings.contains(key)
  }

  /// Keys of secrets whose values are no texts.
  private static let mappings: Set<String> = ["auth", "basic", "cookie", "cookies"]

  /// Whether a line of a file that cannot be parsed has a secret after this key.
  static func mayPrecedeSecret(_ key: String, _ declared: DeclaredSecrets) -> Bool {
    declared.include(key) || sections.contains(key) || key == proxyFields || key == "key" || isSecretKey(key)
  }

  /// Mappings with keys for secrets.
  private static let sections: Set<String> = [
    "authorization", "basic_auth", "oauth2", "tls_config", "tls_server_config",
  ]
  /// The header fields for a proxy, all of which are secret.
  package static let proxyFields = "proxy_connect_header"
  /// Mappings of names that the author chose.
  private static let fieldMappings: Set<String> = [
    "claims", "endpoint_params", "headers", "http_headers", "metadata",
  ]

  /// The word that is the value of a key next to a secret or inside of one.
  private static func word(_ key: some StringProtocol) -> SecretContext? {
    switch String(key) {
    case "env": .word(.variable)
    case "type": .word(.scheme)
    case "user", "username": .word(.user)
    default: nil
    }
  }

  /// Whether a name is about a secret, such as `password_file` or `token_url`.
  private static func isAboutSecret(_ key: some StringProtocol) -> Bool {
    guard key.utf8.count <= 64, let last = SecretNames.words(of: Array(key.utf8)).last else { return false }
    return ["file", "files", "ref", "type", "uri", "url"].contains(last)
  }
}
