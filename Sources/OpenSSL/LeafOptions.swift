/// What a certificate made at start-up is to be like.
public struct LeafOptions: Hashable, Sendable {
  /// Who signs a certificate, and whether the server sends what a client needs to follow the chain.
  public struct Signer: RawRepresentable, Hashable, Sendable {
    /// The signer as a short word.
    public let rawValue: String

    /// A signer from its word.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The authority itself.
    public static let authority = Signer(rawValue: "authority")
    /// The certificate's own key; the authority has no part in it.
    public static let itself = Signer(rawValue: "itself")
    /// An intermediate authority, whose certificate the server sends.
    public static let intermediate = Signer(rawValue: "intermediate")
    /// An intermediate authority, whose certificate the server does not send.
    public static let missingIntermediate = Signer(rawValue: "missingIntermediate")
  }

  /// What a certificate may be used for (RFC 5280 §4.2.1.12).
  public struct Purposes: OptionSet, Hashable, Sendable {
    /// One bit a purpose.
    public let rawValue: Int

    /// Purposes from their bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// To tell a client who the server is.
    public static let server = Purposes(rawValue: 1)
    /// To tell a server who the client is.
    public static let client = Purposes(rawValue: 2)
  }

  /// The DNS names (`*.` in front for all names one level below) and IP addresses it is for.
  public var hosts: [String]
  /// When it is valid.
  public var validity = CertificateValidity.current
  /// Who signs it.
  public var signer = Signer.authority
  /// Whether the authority's own certificate is sent along, last; who trusts it has it already (RFC 8446 §4.4.2).
  public var sendsAuthority = false
  /// What it may be used for.
  public var purposes: Purposes = .server

  /// A valid server certificate for these hosts, unless changed.
  public init(hosts: [String]) {
    self.hosts = hosts
  }
}

/// When a certificate is valid, reckoned from the moment it is made, so that none is ever out of date by accident.
public struct CertificateValidity: Hashable, Sendable {
  /// The start, in seconds from the moment of making; negative for the past.
  public var from: Int
  /// The end, in seconds from the moment of making; negative for the past.
  public var until: Int

  /// A span in seconds from the moment of making.
  public init(from: Int, until: Int) {
    self.from = from
    self.until = until
  }

  private static let day = 86_400

  /// Valid since yesterday, so that clocks may differ, and for 397 days, the longest that browsers accept.
  public static let current = CertificateValidity(from: -day, until: 396 * day)
  /// Valid until yesterday.
  public static let expired = CertificateValidity(from: -31 * day, until: -day)
  /// Valid from tomorrow on.
  public static let notYetValid = CertificateValidity(from: day, until: 31 * day)
}
