internal import CProbeOpenSSL
package import ProbeBase

/// The result of verifying a server's certificate chain, and the TLS session.
package struct Verification: Hashable, Sendable {
  /// OpenSSL's code: 0 on success, or one of `X509_V_ERR_…`.
  package var code: Int
  /// The index of the certificate that the code is about: 0 is the server's own.
  package var depth: Int
  /// OpenSSL's text for the code, such as `certificate has expired`.
  package var text: String
  /// The session; invalid certificates of its chain are omitted.
  package var session: TLSFacts
  /// The protocol inside TLS negotiated by ALPN (RFC 7301), such as `h2`, or nil for none.
  package var applicationProtocol: String?

  /// The problem, or nil on success; the host is checked last.
  package var problem: VerificationError? { VerificationError(code: code) }
}

/// The problem with a certificate chain.
package struct VerificationError: RawRepresentable, Hashable, Sendable {
  /// The problem as a short, bounded identifier.
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A certificate of the chain has expired.
  package static let expired = VerificationError(rawValue: "expired")
  /// A certificate of the chain is not valid yet.
  package static let notYetValid = VerificationError(rawValue: "notYetValid")
  /// The server's certificate is self-signed and not trusted.
  package static let selfSigned = VerificationError(rawValue: "selfSigned")
  /// The chain does not end at a trusted root, or is incomplete.
  package static let untrusted = VerificationError(rawValue: "untrusted")
  /// The certificate is for another name or address.
  package static let wrongHost = VerificationError(rawValue: "wrongHost")
  /// Any other problem: an unsuitable purpose, extension, signature or key.
  package static let other = VerificationError(rawValue: "other")
}

extension VerificationError {
  /// The problem of a verify error code (`X509_V_ERR_…`).
  ///
  /// - Returns: nil for the success code.
  package init?(code: Int) {
    switch Int32(clamping: code) {
    case X509_V_OK: return nil
    case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: self = .selfSigned
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
      X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_REJECTED:
      self = .untrusted
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .wrongHost
    default: self = .other
    }
  }
}

extension VerificationError: CustomStringConvertible {
  package var description: String { rawValue }
}
