public import ProbeCore

/// What the verification of a server's certificate chain found, and the session it took place in.
public struct Verification: Hashable, Sendable {
  /// OpenSSL's code: 0 when all is well, or one of `X509_V_ERR_…`.
  public var code: Int
  /// The place of the certificate the code is about: 0 is the server's own.
  public var depth: Int
  /// The code in OpenSSL's words, such as `certificate has expired`.
  public var text: String
  /// The session; a certificate of its chain that cannot be read is left out.
  public var session: TLSFacts
  /// The protocol inside TLS that was agreed on by ALPN (RFC 7301), such as `h2`, or nil for none.
  public var applicationProtocol: String?

  /// What is wrong, or nil when all is well.
  ///
  /// Whether the certificate is for the right host is looked at last, by a ``TLSSession`` alone; for a client
  /// behind a ``HandshakeObserver`` that is its own affair.
  public var problem: VerifyProblem? { VerifyProblem(code: code) }
}
