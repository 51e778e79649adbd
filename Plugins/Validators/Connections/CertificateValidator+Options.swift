public import ProbeCore

extension CertificateValidator {
  /// The requirements, at least one: in a file `certificate: { expiresAfter: 14d, names: [shop.example] }`,
  /// or `certificate: 33%` for the remaining validity alone.
  public struct Options: Hashable, Sendable {
    /// The minimum remaining validity of each certificate, as written: a time such as `14d`, or a share of the lifetime
    /// of the server's certificate such as `33%`.
    public var expiresAfter: String?
    /// The names and addresses, all of which the server's certificate must cover.
    public var names: [String]
    /// A text in the issuer's organization or common name, in any case.
    public var issuer: String?
    /// The minimum sizes of its key.
    public var keyBits: KeyBits?
    /// The accepted signatures: each is the weakest accepted hash function, or the name of an algorithm.
    public var signature: [String]

    /// Creates options.
    public init(
      expiresAfter: String? = nil, names: [String] = [], issuer: String? = nil, keyBits: KeyBits? = nil,
      signature: [String] = []
    ) {
      self.expiresAfter = expiresAfter
      self.names = names
      self.issuer = issuer
      self.keyBits = keyBits
      self.signature = signature
    }
  }

  /// The minimum size of a key, by its kind; in a file `keyBits: { rsa: 2048, ec: 256 }`, or `keyBits: 2048`.
  ///
  /// An elliptic-curve key is as strong as an RSA key of many times its size. A number alone is the minimum
  /// for RSA, and requires 256 bits of the others.
  public struct KeyBits: Hashable, Sendable {
    /// The minimum for RSA and DSA; nil for any size.
    public var rsa: Int?
    /// The minimum for elliptic curves, Ed25519 and Ed448 among them; nil for any size.
    public var ec: Int?

    /// Creates minimum sizes.
    public init(rsa: Int? = nil, ec: Int? = nil) {
      self.rsa = rsa
      self.ec = ec
    }

    /// The minimum sizes for a number alone.
    fileprivate init(_ number: Int) {
      self.init(rsa: number, ec: 256)
    }
  }
}

extension CertificateValidator.KeyBits: SchemaProviding {
  /// The valid minimums for RSA, up to the maximum key size that OpenSSL verifies.
  private static let ofRSA = ValueSchema.integer(in: 1...16384)

  /// A number, or a mapping.
  public static let schema = ValueSchema.anyOf([
    ofRSA,
    .mapping([
      .key("rsa", ofRSA, summary: "the minimum for RSA"),
      .key("ec", .integer(in: 1...640), summary: "the minimum for elliptic curves, such as 256 for P-256"),
    ]),
  ])
}

extension CertificateValidator.KeyBits: Codable {
  private enum CodingKeys: String, CodingKey {
    case rsa, ec
  }

  /// Decodes a number, or a mapping.
  public init(from decoder: any Decoder) throws {
    if let number = try? decoder.singleValueContainer().decode(Int.self) {
      self.init(number)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      rsa: try container.decodeIfPresent(Int.self, forKey: .rsa),
      ec: try container.decodeIfPresent(Int.self, forKey: .ec))
  }
}

extension CertificateValidator.Options: SchemaProviding {
  private static let name = ValueSchema.text(
    canBeEmpty: false, canBeNumber: false, canBeBoolean: false, examples: ["shop.example", "*.shop.example"])

  private static let margin = ValueSchema.text(
    pattern: #"^[0-9]+(\.[0-9]+)? *(ms|s|m|h|d|%)$"#, canBeNumber: false, canBeBoolean: false,
    examples: ["14d", "33%"])

  /// A remaining validity, or a mapping.
  public static let schema = ValueSchema.anyOf([
    margin,
    .mapping([
      .key(
        "expiresAfter", margin,
        summary:
          "how much longer each certificate must be valid: a duration such as 14d, or a share of the lifetime of the "
          + "server's certificate such as 33%"),
      .key(
        "names", .oneOrMore(of: name),
        summary: "names and addresses that the server's certificate must be for; its wildcards count"),
      .key("issuer", .text, summary: "a text in the organization or common name of the issuer, in any case"),
      .key(
        "keyBits", CertificateValidator.KeyBits.schema,
        summary:
          "the minimum size of its key in bits: a number for RSA, with 256 for elliptic curves, or both as a mapping"
      ),
      .key(
        "signature", .oneOrMore(of: .text(examples: ["sha256", "sha256WithRSAEncryption"])),
        summary: "the weakest hash function of its signature, such as sha256, or names of algorithms"),
    ]),
  ])
}

extension CertificateValidator.Options: Codable {
  private enum CodingKeys: String, CodingKey {
    case expiresAfter, names, issuer, keyBits, signature
  }

  /// Decodes a remaining validity, or a mapping.
  public init(from decoder: any Decoder) throws {
    if let time = try? decoder.singleValueContainer().decode(String.self) {
      self.init(expiresAfter: time)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func texts(_ key: CodingKeys) throws -> [String] {
      guard container.contains(key), try !container.decodeNil(forKey: key) else { return [] }
      if let text = try? container.decode(String.self, forKey: key) { return [text] }
      return try container.decode([String].self, forKey: key)
    }
    self.init(
      expiresAfter: try container.decodeIfPresent(String.self, forKey: .expiresAfter),
      names: try texts(.names),
      issuer: try container.decodeIfPresent(String.self, forKey: .issuer),
      keyBits: try container.decodeIfPresent(CertificateValidator.KeyBits.self, forKey: .keyBits),
      signature: try texts(.signature))
  }

  /// Encodes the requirements that are set.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(expiresAfter, forKey: .expiresAfter)
    if !names.isEmpty { try container.encode(names, forKey: .names) }
    try container.encodeIfPresent(issuer, forKey: .issuer)
    try container.encodeIfPresent(keyBits, forKey: .keyBits)
    if !signature.isEmpty { try container.encode(signature, forKey: .signature) }
  }
}
