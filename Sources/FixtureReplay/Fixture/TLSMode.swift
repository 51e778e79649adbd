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

extension TLSMode {
  /// The exact bytes that answer a ClientHello, or nil for a mode that answers with none, or with a handshake.
  public var helloAnswer: [UInt8]? {
    switch self {
    case .alertHandshakeFailure: Self.fatalAlert(40)
    case .alertProtocolVersion: Self.fatalAlert(70)
    case .alertInternalError: Self.fatalAlert(80)
    case .alertUnrecognizedName: Self.fatalAlert(112)
    case .plainHTTP: Self.plainAnswer
    default: nil
    }
  }

  /// A record of TLS 1.2's with one alert (RFC 8446 §6): level fatal, and its number.
  private static func fatalAlert(_ number: UInt8) -> [UInt8] {
    [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, number]
  }

  /// What a portal says that takes whatever comes to port 443 for HTTP.
  private static let plainAnswer = Array(
    "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8
  )
}
