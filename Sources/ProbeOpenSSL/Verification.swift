internal import CProbeOpenSSL
package import ProbeCore

/// What the verification of a server's certificate chain found, and the session it took place in.
package struct Verification: Hashable, Sendable {
  /// OpenSSL's code: 0 when all is well, or one of `X509_V_ERR_…`.
  package var code: Int
  /// The place of the certificate the code is about: 0 is the server's own.
  package var depth: Int
  /// The code in OpenSSL's words, such as `certificate has expired`.
  package var text: String
  /// The session; a certificate of its chain that cannot be read is left out.
  package var session: TLSFacts
  /// The protocol inside TLS that was agreed on by ALPN (RFC 7301), such as `h2`, or nil for none.
  package var applicationProtocol: String?

  /// What is wrong, or nil when all is well.
  ///
  /// Whether the certificate is for the right host is looked at last, by a ``TLSSession`` alone; for a client
  /// behind a ``HandshakeObserver`` that is its own affair.
  package var problem: VerifyProblem? { VerifyProblem(code: code) }
}

/// What is wrong with a certificate chain, in the words a person needs.
package struct VerifyProblem: RawRepresentable, Hashable, Sendable {
  /// The problem as a short, bounded word.
  package let rawValue: String

  /// A problem from its word.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A certificate of the chain has expired.
  package static let expired = VerifyProblem(rawValue: "expired")
  /// A certificate of the chain is not valid yet.
  package static let notYetValid = VerifyProblem(rawValue: "notYetValid")
  /// The server's certificate is signed by itself, and not trusted.
  package static let selfSigned = VerifyProblem(rawValue: "selfSigned")
  /// The chain does not end at a trusted root, or a part of it is missing.
  package static let untrusted = VerifyProblem(rawValue: "untrusted")
  /// The certificate is for another name or address.
  package static let wrongHost = VerifyProblem(rawValue: "wrongHost")
  /// Anything else: a purpose, an extension, a signature or a key that will not do.
  package static let other = VerifyProblem(rawValue: "other")
}

extension VerifyProblem {
  /// The problem that a verify error code (`X509_V_ERR_…`) tells.
  ///
  /// - Returns: nil for the code that says that all is well.
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

extension VerifyProblem: CustomStringConvertible {
  /// The problem's word.
  package var description: String { rawValue }
}
