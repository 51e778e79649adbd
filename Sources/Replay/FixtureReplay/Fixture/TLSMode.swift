/// How a server handles TLS connections.
public enum TLSMode: String, Hashable, Sendable, CaseIterable {
  /// TLS 1.2 or 1.3 with a valid certificate.
  case valid
  /// The certificate has expired.
  case expired
  /// The certificate is not yet valid.
  case notYetValid = "not-yet-valid"
  /// The certificate is self-signed.
  case selfSigned = "self-signed"
  /// The certificate is signed by an authority that no client trusts.
  case untrusted
  /// The certificate is for a different host.
  case wrongHost = "wrong-host"
  /// The certificate is signed by an intermediate authority whose certificate the server does not send.
  case incompleteChain = "incomplete-chain"
  /// The server requires a client certificate.
  case clientCertificate = "client-cert"
  /// The response to the ClientHello is plain HTTP.
  case plainHTTP = "plain-http"
  /// The response to the ClientHello is a FIN.
  case fin
  /// The response to the ClientHello is an RST.
  case rst
  /// There is no response to the ClientHello.
  case stall
  /// The response to the ClientHello is alert 40 (RFC 8446 §6.2).
  case alertHandshakeFailure = "alert-handshake-failure"
  /// The response to the ClientHello is alert 70.
  case alertProtocolVersion = "alert-protocol-version"
  /// The response to the ClientHello is alert 80.
  case alertInternalError = "alert-internal-error"
  /// The response to the ClientHello is alert 112.
  case alertUnrecognizedName = "alert-unrecognized-name"
  /// Only TLS 1.0, which RFC 8996 forbids.
  case tls1_0 = "tls1.0"
  /// Like ``valid``, but the connection ends without a close_notify alert.
  case noCloseNotify = "no-close-notify"
}

extension TLSMode {
  /// The bytes of the response to a ClientHello, or nil for a mode that sends none or performs a handshake.
  package var helloResponse: [UInt8]? {
    switch self {
    case .alertHandshakeFailure: Self.fatalAlert(40)
    case .alertProtocolVersion: Self.fatalAlert(70)
    case .alertInternalError: Self.fatalAlert(80)
    case .alertUnrecognizedName: Self.fatalAlert(112)
    case .plainHTTP: Self.plainResponse
    default: nil
    }
  }

  /// A TLS 1.2 record with one fatal alert (RFC 8446 §6).
  private static func fatalAlert(_ number: UInt8) -> [UInt8] {
    [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, number]
  }

  /// The response of a portal that treats everything on port 443 as HTTP.
  private static let plainResponse = Array(
    "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8
  )
}
