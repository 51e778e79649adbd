/// What a certificate says (RFC 5280 §4.1): a value, read once and independent of OpenSSL's objects.
///
/// Certificates come from strangers: every text is bounded by ``Limits``, and bytes that would not show are written
/// as `\xNN`.
public struct Certificate: Hashable, Sendable {
  /// The subject's distinguished name on one line (RFC 2253), in UTF-8.
  public let subject: String
  /// The issuer's distinguished name on one line (RFC 2253), in UTF-8.
  public let issuer: String
  /// The DNS names and IP addresses of the subject alternative name extension, in the certificate's order.
  public let alternativeNames: [String]
  /// The serial number in lower-case hexadecimal, an even number of digits.
  public let serialNumber: String
  /// The start of the validity, in seconds since 1970.
  public let notBefore: Int64
  /// The end of the validity, in seconds since 1970.
  public let notAfter: Int64
  /// SHA-256 of the DER form in lower-case hexadecimal.
  public let fingerprint: String

  /// How much of a certificate is kept; the rest is cut off, texts with an ellipsis.
  public enum Limits {
    /// The largest DER form that is read, in bytes.
    public static let certificateBytes = 128 * 1024
    /// The length of a distinguished name in bytes.
    public static let nameBytes = 1024
    /// The number of alternative names.
    public static let alternativeNames = 256
    /// The length of an alternative name in bytes; a DNS name has at most 255.
    public static let alternativeNameBytes = 255
    /// The length of a serial number in bytes; RFC 5280 §4.1.2.2 allows 20.
    public static let serialNumberBytes = 64
    /// The number of certificates of one chain.
    public static let chainLength = 16
  }

  init(
    subject: String, issuer: String, alternativeNames: [String], serialNumber: String, notBefore: Int64,
    notAfter: Int64, fingerprint: String
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

extension Certificate {
  /// Whether subject and issuer are the same name.
  public var isSelfIssued: Bool { subject == issuer }
}
