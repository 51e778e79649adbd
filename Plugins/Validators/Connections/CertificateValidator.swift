public import FoundationEssentials
public import ProbeCore

/// Accepts a response whose certificates meet the requirements; `certificate` in a pipeline file.
///
/// The validator judges the chain that the server sent. Every certificate of the chain must remain valid for
/// long enough; names, issuer, key and signature are those of the server's own certificate. If redirects were
/// followed, the chain of each server that was reached over TLS is judged; only the names are those of the last
/// server. If a probe fails, its certificates are judged too, and the findings are reported in addition to the
/// reason for the failure.
public struct CertificateValidator: ConfigurableValidator {
  /// The key in a pipeline file.
  public static let name = "certificate"
  /// A summary of the accepted responses.
  public static let summary: String? =
    "the certificates remain valid for this time, and the server's own has the names, issuer, key and signature"

  private let margin: ExpiryMargin?
  private let ownRequirements: [CertificateRequirement]
  private let now: @Sendable () -> Date

  /// Creates a validator for a minimum remaining validity.
  ///
  /// - Parameters:
  ///   - expiresAfter: The minimum remaining validity; not negative.
  ///   - now: Returns the current time; tests replace it.
  public init(expiresAfter: Duration, now: @escaping @Sendable () -> Date = { Date() }) {
    margin = ExpiryMargin(expiresAfter)
    ownRequirements = []
    self.now = now
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if there is no requirement, or if one of them is invalid: a text that is neither a
  ///   duration nor a percentage, a duration of more than ten years, a name that no certificate can have, or an unknown
  ///   algorithm.
  public init(options: Options) throws(InvalidInput) {
    try self.init(options: options, now: { Date() })
  }

  /// Creates a validator with options and another clock.
  package init(options: Options, now: @escaping @Sendable () -> Date) throws(InvalidInput) {
    margin = try options.expiresAfter.map { text throws(InvalidInput) in
      try InvalidInput.at(key: "expiresAfter", ExpiryMargin(text))
    }
    ownRequirements = try CertificateRequirement.requirements(of: options)
    self.now = now
    guard margin != nil || !ownRequirements.isEmpty else {
      throw InvalidInput(
        "the certificate has no requirement", remedy: "add expiresAfter, names, issuer, keyBits or signature")
    }
  }

  /// None: it judges the connection.
  public var judges: ResponseParts { [] }

  /// Judges the certificates.
  public func validate(_ response: ProbeResponse) -> Validation {
    let earlier = findings(in: response.redirectSessions)
    guard let rejection = (earlier + findings(in: response.tls?.chain ?? [])).first else { return .accepted }
    return .rejected(rejection.reason, expected: rejection.expected, found: rejection.found)
  }

  /// Judges the certificates that were received before the probe failed.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    guard let partial = failure.partial else { return [] }
    let chain = partial.tls?.chain ?? []
    return findings(in: partial.redirectSessions) + (chain.isEmpty ? [] : findings(in: chain))
  }

  /// The findings about the servers that sent redirects, each with its URL.
  private func findings(in sessions: [RedirectSession]) -> [Validation.Rejection] {
    sessions.flatMap { session in
      findings(in: session.tls.chain, isLast: false).map {
        Validation.Rejection(
          $0.reason, expected: $0.expected,
          found: "\($0.found), at \(Excerpt(session.url.string, limit: 200))")
      }
    }
  }

  private func findings(in chain: [CertificateFacts], isLast: Bool = true) -> [Validation.Rejection] {
    let ownRequirements = isLast ? ownRequirements : ownRequirements.filter { !$0.isAboutNames }
    guard isLast || margin != nil || !ownRequirements.isEmpty else { return [] }
    guard let own = chain.first else {
      let expected = margin?.words(for: nil) ?? ownRequirements.first?.expected ?? "a certificate"
      return [Validation.Rejection(.noCertificate, expected: expected, found: "none to look at")]
    }
    let expiry = margin.flatMap { margin in self.expiry(of: chain, own, margin) }
    return (expiry.map { [$0] } ?? []) + ownRequirements.compactMap { $0.rejection(of: own) }
  }

  private func expiry(
    of chain: [CertificateFacts], _ own: CertificateFacts, _ margin: ExpiryMargin
  ) -> Validation.Rejection? {
    guard let first = chain.min(by: { $0.notAfter < $1.notAfter }) else { return nil }
    let now = now()
    // RFC 5280 §4.1.2.5: a certificate is valid up to and including its notAfter.
    guard first.notAfter < now.addingTimeInterval(margin.seconds(for: own)) else { return nil }
    let verb = first.notAfter < now ? "expired" : "expires"
    let found = "\(Excerpt(first.subject)), which \(verb) on \(first.notAfter.inUTC)"
    return Validation.Rejection(.certificateExpiresSoon, expected: margin.words(for: own), found: found)
  }
}

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

extension CertificateValidator.KeyBits: DeclaredOptions {
  /// The valid minimums for RSA, up to the maximum key size that OpenSSL verifies.
  private static let ofRSA = ValueSchema.integer(in: 1...16384)

  /// A number, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(), short: .value(ofRSA, of: { $0.rsa }, make: { (number: Int) in Self(number) }),
    [
      OptionField("rsa", \.rsa, ofRSA, summary: "the minimum for RSA"),
      OptionField(
        "ec", \.ec, .integer(in: 1...640), summary: "the minimum for elliptic curves, such as 256 for P-256"),
    ])
}

extension CertificateValidator.Options: DeclaredOptions {
  private static let name = ValueSchema.text(
    canBeEmpty: false, canBeNumber: false, canBeBoolean: false, examples: ["shop.example", "*.shop.example"])

  private static let margin = ValueSchema.text(
    pattern: #"^[0-9]+(\.[0-9]+)? *(ms|s|m|h|d|%)$"#, canBeNumber: false, canBeBoolean: false,
    examples: ["14d", "33%"])

  /// A remaining validity, or a mapping; only the latter is encoded.
  public static let declaration = OptionsDeclaration(
    Self(), short: .value(margin, of: { _ in nil }, make: { (time: String) in Self(expiresAfter: time) }),
    [
      OptionField(
        "expiresAfter", \.expiresAfter, margin,
        summary:
          "how much longer each certificate must be valid: a duration such as 14d, or a share of the lifetime of the "
          + "server's certificate such as 33%"),
      OptionField(
        "names", \.names.oneOrMore, .oneOrMore(of: name),
        summary: "names and addresses that the server's certificate must be for; its wildcards count"),
      OptionField(
        "issuer", \.issuer, summary: "a text in the organization or common name of the issuer, in any case"),
      OptionField(
        "keyBits", \.keyBits,
        summary:
          "the minimum size of its key in bits: a number for RSA, with 256 for elliptic curves, or both as a mapping"
      ),
      OptionField(
        "signature", \.signature.oneOrMore,
        .oneOrMore(of: .text(examples: ["sha256", "sha256WithRSAEncryption"])),
        summary: "the weakest hash function of its signature, such as sha256, or names of algorithms"),
    ])
}

extension CertificateValidator {
  /// Each requirement, and all of them.
  public static var examples: [ValidatorExample<Options>] {
    let good = ProbeResponse.example(certifiedUntil: .distantFuture)
    return [
      ValidatorExample(
        Options(expiresAfter: "14d"), accepts: good, rejects: .example(certifiedUntil: .distantPast)),
      ValidatorExample(
        Options(names: ["www.example.com", "192.0.2.1"]), accepts: good,
        rejects: .example(certifiedUntil: .distantFuture) { $0.alternativeNames = ["*.example.com"] }),
      ValidatorExample(
        Options(issuer: "example, inc"), accepts: good,
        rejects: .example(certifiedUntil: .distantFuture) { $0.issuerNames = ["Other"] }),
      ValidatorExample(
        Options(keyBits: KeyBits(rsa: 2048, ec: 256)), accepts: good,
        rejects: .example(certifiedUntil: .distantFuture) { $0.keyBits = 1024 }),
      ValidatorExample(
        Options(signature: ["sha384", "ecdsa-with-SHA256"]),
        accepts: .example(certifiedUntil: .distantFuture) { $0.signatureAlgorithm = "ecdsa-with-SHA256" },
        rejects: good),
      ValidatorExample(
        Options(
          expiresAfter: "14d", names: ["example.com"], issuer: "Example CA", keyBits: KeyBits(rsa: 2048),
          signature: ["sha256"]), accepts: good,
        rejects: .example(certifiedUntil: .distantFuture) { $0.signatureHash = "sha1" }),
    ]
  }
}

extension ProbeResponse {
  fileprivate static func example(
    certifiedUntil end: Date, _ change: (inout CertificateFacts) -> Void = { _ in }
  ) -> ProbeResponse {
    var certificate = CertificateFacts(
      subject: "CN=example.com", issuer: #"CN=Example CA,O=Example\, Inc."#,
      alternativeNames: ["example.com", "*.example.com", "192.0.2.1"], serialNumber: "01",
      notBefore: .distantPast, notAfter: end, fingerprint: "00")
    certificate.issuerNames = ["Example, Inc.", "Example CA"]
    (certificate.keyAlgorithm, certificate.keyBits) = ("rsa", 2048)
    (certificate.signatureAlgorithm, certificate.signatureHash) = ("sha256WithRSAEncryption", "sha256")
    change(&certificate)
    var response = example()
    response.tls = TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", chain: [certificate])
    return response
  }
}
