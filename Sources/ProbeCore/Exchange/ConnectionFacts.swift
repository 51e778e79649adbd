public import FoundationEssentials

/// How long each phase of a probe took; nil for a phase that did not take place.
///
/// The phases do not overlap. Over several exchanges (redirects) they are added up.
public struct ProbeTimings: Hashable, Sendable {
  /// Looking the name up.
  public var resolve: Duration?
  /// Establishing the connection.
  public var connect: Duration?
  /// The TLS handshake.
  public var tls: Duration?
  /// From the request to the first byte of the answer.
  public var firstByte: Duration?
  /// From start to end, all phases and the receiving of the answer included.
  public var total: Duration?

  /// Timings, none of them known unless given.
  public init(
    resolve: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil, firstByte: Duration? = nil,
    total: Duration? = nil
  ) {
    self.resolve = resolve
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.total = total
  }

  /// Adds the phases of an earlier exchange of the same probe.
  public mutating func add(_ earlier: ProbeTimings) {
    func sum(_ left: Duration?, _ right: Duration?) -> Duration? {
      guard let left else { return right }
      return right.map { left + $0 } ?? left
    }
    resolve = sum(resolve, earlier.resolve)
    connect = sum(connect, earlier.connect)
    tls = sum(tls, earlier.tls)
    firstByte = sum(firstByte, earlier.firstByte)
    total = sum(total, earlier.total)
  }
}

/// What is known of a TLS session.
public struct TLSFacts: Hashable, Sendable {
  /// The protocol version, such as `TLSv1.3`; nil when none was agreed.
  public var version: String?
  /// The cipher suite, such as `TLS_AES_256_GCM_SHA384`; nil when none was agreed.
  public var cipher: String?
  /// The certificates the server sent, its own first.
  public var chain: [CertificateFacts]

  /// Facts of a session.
  public init(version: String? = nil, cipher: String? = nil, chain: [CertificateFacts] = []) {
    self.version = version
    self.cipher = cipher
    self.chain = chain
  }

  /// The moment from which on some certificate of the chain is no longer valid.
  public var earliestExpiry: Date? {
    chain.map(\.notAfter).min()
  }
}

/// What a certificate says (RFC 5280 §4.1).
public struct CertificateFacts: Hashable, Sendable {
  /// The subject's distinguished name on one line (RFC 2253).
  public var subject: String
  /// The issuer's distinguished name on one line (RFC 2253).
  public var issuer: String
  /// The DNS names and IP addresses of the subject alternative name extension, in the certificate's order.
  public var alternativeNames: [String]
  /// The serial number in lower-case hexadecimal, an even number of digits.
  public var serialNumber: String
  /// The start of its validity.
  public var notBefore: Date
  /// The end of its validity.
  public var notAfter: Date
  /// SHA-256 of the DER form, in lower-case hexadecimal.
  public var fingerprint: String

  /// Facts of a certificate.
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
}
