/// How a server speaks TLS, or fails to.
public enum TLSMode: String, Hashable, Sendable, CaseIterable {
  /// TLS 1.2 or 1.3 with a certificate that is right.
  case valid
  /// The certificate has expired.
  case expired
  /// The certificate is not valid yet.
  case notYetValid = "not-yet-valid"
  /// The certificate is signed by its own key.
  case selfSigned = "self-signed"
  /// The certificate is signed by an authority that nobody trusts.
  case untrusted
  /// The certificate is for another host.
  case wrongHost = "wrong-host"
  /// The certificate is signed by an intermediate authority whose certificate the server does not send.
  case incompleteChain = "incomplete-chain"
  /// A certificate of the client is demanded.
  case clientCertificate = "client-cert"
  /// The ClientHello is answered in plain HTTP.
  case plainHTTP = "plain-http"
  /// The ClientHello is answered with the end of the connection.
  case fin
  /// The ClientHello is answered with a reset.
  case rst
  /// The ClientHello is not answered.
  case stall
  /// The ClientHello is answered with the alert 40 (RFC 8446 §6.2).
  case alertHandshakeFailure = "alert-handshake-failure"
  /// The ClientHello is answered with the alert 70.
  case alertProtocolVersion = "alert-protocol-version"
  /// The ClientHello is answered with the alert 80.
  case alertInternalError = "alert-internal-error"
  /// The ClientHello is answered with the alert 112.
  case alertUnrecognizedName = "alert-unrecognized-name"
  /// TLS 1.0 alone, which RFC 8996 forbids.
  case tls1_0 = "tls1.0"
  /// As valid, but a connection ends without a close notification.
  case noCloseNotify = "no-close-notify"
}
