import FixtureReplay

/// A TLS mode, and the output of `openssl s_client` for it.
struct SessionRow: Sendable {
  var mode: TLSMode
  /// The correct exit codes.
  var codes: Set<Int32>
  /// Texts in the output.
  var texts: [String]
  /// Texts that are not in the output.
  var missing: [String] = []
  var options: [String] = []

  /// A session that is established and closed; further texts in the output.
  private static func session(
    _ mode: TLSMode, _ texts: [String], missing: [String] = [], _ options: String...
  )
    -> SessionRow
  {
    SessionRow(
      mode: mode, codes: [0, 1], texts: ["Verify return code: 0 (ok)", "up to the end"] + texts,
      missing: ["verify error"] + missing, options: options)
  }

  /// A certificate that is refused, with OpenSSL's number for it and no other.
  private static func refused(_ mode: TLSMode, _ number: Int, _ words: String) -> SessionRow {
    SessionRow(
      mode: mode, codes: [1], texts: ["verify error:num=\(number):\(words)"], missing: ["up to the end"])
  }

  /// A handshake that fails.
  private static func failed(_ mode: TLSMode, _ text: String, _ options: String...) -> SessionRow {
    SessionRow(mode: mode, codes: [1], texts: [text], missing: ["up to the end"], options: options)
  }

  static let all: [SessionRow] = [
    .session(.valid, ["New, TLSv1.3", "closed"], missing: ["unexpected eof"]),
    .session(.valid, ["New, TLSv1.2", "closed"], missing: ["unexpected eof"], "-tls1_2"),
    .session(.noCloseNotify, ["New, TLSv1.3", "unexpected eof while reading"], missing: ["closed"]),
    .refused(.expired, 10, "certificate has expired"),
    .refused(.notYetValid, 9, "certificate is not yet valid"),
    .refused(.selfSigned, 18, "self-signed certificate"),
    .refused(.untrusted, 19, "self-signed certificate in certificate chain"),
    .refused(.incompleteChain, 20, "unable to get local issuer certificate"),
    .refused(.wrongHost, 62, "hostname mismatch"),
    .failed(.clientCertificate, "alert number 40", "-tls1_2"),
    .failed(.clientCertificate, "alert number 116", "-tls1_3"),
    .failed(.plainHTTP, "wrong version number"),
    .failed(.fin, "unexpected eof while reading"),
    .failed(.rst, "errno=104"),
    SessionRow(mode: .stall, codes: [124], texts: [], missing: ["alert", "Certificate chain"]),
    .failed(.alertHandshakeFailure, "sslv3 alert handshake failure"),
    .failed(.alertProtocolVersion, "tlsv1 alert protocol version"),
    .failed(.alertInternalError, "tlsv1 alert internal error"),
    .failed(.alertUnrecognizedName, "tlsv1 unrecognized name"),
    .failed(.tls1_0, "tlsv1 alert protocol version", "-min_protocol", "TLSv1.2"),
    .session(.tls1_0, ["Protocol  : TLSv1\n"], "-tls1", "-cipher", "ALL:@SECLEVEL=0"),
  ]
}
