/// How much of a certificate is kept; the rest is cut off, texts with an ellipsis.
public enum CertificateLimits {
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
