public import FoundationEssentials

/// Facts about a TLS session.
public struct TLSFacts: Hashable, Sendable {
  /// The protocol version, such as `TLSv1.3`; nil if none was negotiated.
  public var version: String?
  /// The cipher suite, such as `TLS_AES_256_GCM_SHA384`; nil if none was negotiated.
  public var cipher: String?
  /// The certificates that the server sent, its own first.
  public var chain: [CertificateFacts]
  /// Why the chain could not be verified, if the request only observes it; nil if it was verified.
  package var problem: String?
  /// The earliest time at which a certificate of the verified chain expires, up to its trusted one; nil if it was not
  /// verified, or the transport does not report it.
  package var verifiedExpiry: Date?

  /// Creates facts of a session.
  public init(version: String? = nil, cipher: String? = nil, chain: [CertificateFacts] = []) {
    self.version = version
    self.cipher = cipher
    self.chain = chain
  }

  /// The earliest time at which a certificate of the chain expires.
  public var earliestExpiry: Date? {
    chain.map(\.notAfter).min()
  }
}

/// The contents of a certificate (RFC 5280 §4.1).
public struct CertificateFacts: Hashable, Sendable {
  /// The subject's distinguished name, on one line (RFC 2253).
  public var subject: String
  /// The issuer's distinguished name, on one line (RFC 2253).
  public var issuer: String
  /// The DNS names and IP addresses of the subject alternative name extension, in the certificate's order.
  ///
  /// A DNS name that looks like an address, which makes the certificate valid for no host (RFC 9525 §6.3), begins with
  /// `DNS:`, as in `DNS:192.0.2.7`. A report has the first names only; see ``omittedNames``.
  public var alternativeNames: [String]
  /// The number of further names that a report leaves out.
  public var omittedNames = 0
  /// The serial number in lower-case hexadecimal, an even number of digits.
  public var serialNumber: String
  /// The start of its validity.
  public var notBefore: Date
  /// The end of its validity.
  public var notAfter: Date
  /// SHA-256 of the DER form, in lower-case hexadecimal.
  public var fingerprint: String
  /// The organizations and common names of the issuer, in the certificate's order.
  public var issuerNames: [String] = []
  /// The kind of the public key, such as `rsa`, `ec` or `ed25519`; nil if it is not known.
  public var keyAlgorithm: String?
  /// The size of the public key in bits, such as 2048 for RSA or 256 for P-256; nil if it is not known.
  public var keyBits: Int?
  /// The signature's algorithm, such as `sha256WithRSAEncryption`, or its object identifier; nil if it is not
  /// known.
  public var signatureAlgorithm: String?
  /// The hash function of the signature, such as `sha256`; nil if it is not known.
  public var signatureHash: String?

  /// Creates facts of a certificate; those about its key, its signature and the issuer's names are set
  /// afterwards.
  public init(
    subject: String, issuer: String, alternativeNames: [String], serialNumber: String, notBefore: Date,
    notAfter: Date, fingerprint: String
  ) {
    self.subject = subject
    self.issuer = issuer
    self.alternativeNames = alternativeNames
    self.serialNumber = serialNumber
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.fingerprint = fingerprint
  }

  /// The mark of a DNS name that looks like an address.
  package static let dnsNamePrefix = "DNS:"

  /// The DNS names as they are in the certificate, without addresses.
  package var dnsNames: [String] {
    alternativeNames.compactMap { name in
      if IPAddress(name) != nil { return nil }
      let bare = name.utf8.starts(with: Self.dnsNamePrefix.utf8) ? name.dropFirst(4) : ""
      return IPAddress(bare) == nil ? name : String(bare)
    }
  }

  /// The first alternative names for a message, and how many there are besides; nil if there are none.
  package func shownNames(_ limit: Int) -> String? {
    guard !alternativeNames.isEmpty || omittedNames > 0 else { return nil }
    let names = alternativeNames.prefix(limit)
    let more = alternativeNames.count - names.count + omittedNames
    return names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
