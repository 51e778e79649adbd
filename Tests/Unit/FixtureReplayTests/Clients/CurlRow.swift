/// A fixture of `fixtures/faults`, and curl's exit codes for it.
struct CurlRow: Sendable {
  var name: String
  /// The exit codes over http and https; nil where the fixture is not for it.
  var http: Int32?
  var https: Int32?
  /// Further options for curl.
  var options: [String] = []

  /// Other correct codes.
  var otherwise: [Int32] = []

  private static func both(_ name: String, _ code: Int32, _ options: String...) -> CurlRow {
    CurlRow(name: name, http: code, https: code, options: options)
  }

  private static func tls(_ name: String, _ code: Int32, _ options: String...) -> CurlRow {
    CurlRow(name: "tls-\(name)", https: code, options: options)
  }

  static let all: [CurlRow] = connections + responses + oddities + redirects + handshakes

  private static let connections: [CurlRow] = [
    .both("listener-refused", 7),
    .both("listener-blackhole", 28),
    // A reset may arrive before curl has seen that the connection is established, or before curl has asked for the addresses
    // of the established connection.
    CurlRow(name: "listener-rst", http: 56, https: 35, otherwise: [7, 55]),
    .both("listener-hold", 28),
  ]

  private static let responses: [CurlRow] = [
    .both("delay", 28),
    .both("rst-early", 56),
    .both("rst-after", 56),
    .both("empty-fin", 52),
    .both("half-close", 18),
    .both("short-body", 18),
    .both("chunk-cut", 18),
    .both("chunk-bad", 56),
    // curl considers a truncated redirect complete.
    .both("header-cut", 0),
    .both("garbage", 1),
    .both("slow-headers", 28),
    .both("slow-body", 28),
    .both("stall-headers", 28),
    .both("stall-body", 28),
    .both("continue-forever", 28),
    .both("endless-headers", 56),
    .both("endless-body", 28),
    .both("bad-gzip", 61, "--compressed"),
    .both("gzip-bomb", 0),
  ]

  private static let oddities: [CurlRow] = [
    .both("content-length-conflict", 18),
    .both("content-length-garbage", 8),
    .both("no-content-with-body", 0),
    .both("lf-only", 0),
    .both("no-status-line", 1),
    .both("status-999", 0),
    .both("status-99", 1),
    .both("status-line-cut", 52),
    .both("many-headers", 0),
    .both("unknown-coding", 61, "--compressed"),
    .both("isp-injection", 0),
    .both("empty-page", 0),
  ]

  private static let redirects: [CurlRow] = [
    .both("redirect-loop", 47, "-L", "--max-redirs", "5"),
    .both("redirect-chain", 47, "-L", "--max-redirs", "49"),
    .both("redirect-chain", 0, "-L", "--max-redirs", "50"),
    .both("redirect-file", 1, "-L"),
    .both("redirect-gopher", 1, "-L"),
    .both("redirect-invalid", 3, "-L"),
    CurlRow(name: "redirect-downgrade", http: 0, https: 1, options: ["-L", "--proto-redir", "=https"]),
    .both("redirect-downgrade", 0, "-L"),
  ]

  private static let handshakes: [CurlRow] = [
    .tls("expired", 60),
    .tls("not-yet-valid", 60),
    .tls("self-signed", 60),
    .tls("untrusted", 60),
    .tls("wrong-host", 60),
    .tls("incomplete-chain", 60),
    // In TLS 1.3 a server refuses a client once the client is done.
    .tls("client-cert", 56, "--tlsv1.3"),
    .tls("client-cert", 35, "--tls-max", "1.2"),
    .tls("plain-http", 35),
    .tls("fin", 35),
    .tls("rst", 35),
    .tls("stall", 28),
    .tls("alert-handshake-failure", 35),
    .tls("alert-protocol-version", 35),
    .tls("alert-internal-error", 35),
    .tls("alert-unrecognized-name", 35),
    .tls("1.0", 35),
    .tls("no-close-notify", 0),
    .tls("rst-after", 56),
  ]
}
