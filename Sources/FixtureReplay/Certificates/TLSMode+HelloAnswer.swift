extension TLSMode {
  /// The exact bytes that answer a ClientHello, or nil for a mode that answers with none, or with a handshake.
  public var helloAnswer: [UInt8]? {
    switch self {
    case .alertHandshakeFailure: Self.fatalAlert(40)
    case .alertProtocolVersion: Self.fatalAlert(70)
    case .alertInternalError: Self.fatalAlert(80)
    case .alertUnrecognizedName: Self.fatalAlert(112)
    case .plainHTTP: Self.plainAnswer
    case .valid, .expired, .notYetValid, .selfSigned, .untrusted, .wrongHost, .incompleteChain,
      .clientCertificate, .tls1_0, .noCloseNotify, .fin, .rst, .stall:
      nil
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
