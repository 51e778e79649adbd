/// The kinds of exchanges that a pipeline allows.
public struct ProbePolicy: Hashable, Sendable {
  /// Whether unencrypted exchanges are refused.
  public var httpsOnly: Bool

  /// Encrypted exchanges only, the default: an unencrypted URL is refused, and so is a redirect to one.
  public static let httpsOnly = ProbePolicy(httpsOnly: true)
  /// Unencrypted exchanges are allowed.
  public static let plaintextAllowed = ProbePolicy(httpsOnly: false)

  /// Creates a policy.
  public init(httpsOnly: Bool) {
    self.httpsOnly = httpsOnly
  }

  /// Whether exchanges of a scheme with this encryption are allowed.
  package func allows(_ encryption: Encryption) -> Bool {
    !httpsOnly || encryption != .plaintext
  }
}
