import ProbeCore
import Testing

/// A fixture of `fixtures/faults`, and the expected result of a probe.
struct FaultRow: Sendable, CustomTestStringConvertible {
  /// How a probe ends.
  struct Ending: Sendable, Equatable {
    /// The reason why it was not accepted, or nil if it was.
    var reason: ReasonCode?
    /// The received status, or nil if there was none.
    var status: Int?
    /// Whether the body was cut at the limit.
    var isCut = false
  }

  var name: String
  var http: Ending?
  var https: Ending?
  /// The result with libcurl, if it rejects what browsers accept, or reports another reason.
  var byCurl: Ending?
  /// Changes the requests.
  var change: @Sendable (inout ProbeRequest) -> Void = { _ in }
  var policy = ProbePolicy.plaintextAllowed

  var testDescription: String { name }

  /// A fault with the same result over http and https.
  static func both(_ name: String, _ reason: ReasonCode?, _ status: Int? = nil) -> FaultRow {
    FaultRow(
      name: name, http: Ending(reason: reason, status: status), https: Ending(reason: reason, status: status))
  }

  /// The same row with another reason for libcurl.
  func byCurl(_ reason: ReasonCode?, _ status: Int? = nil) -> FaultRow {
    var row = self
    row.byCurl = Ending(reason: reason, status: status)
    return row
  }

  /// A fault of TLS itself.
  static func tls(_ name: String, _ reason: ReasonCode?, _ status: Int? = nil) -> FaultRow {
    FaultRow(name: "tls-\(name)", https: Ending(reason: reason, status: status))
  }

  /// A response that never ends, and is cut at the limit.
  static func cut(_ name: String) -> FaultRow {
    let ending = Ending(reason: nil, status: 200, isCut: true)
    return FaultRow(name: name, http: ending, https: ending)
  }

  /// A chain of redirects that is followed for a while.
  static func redirecting(_ name: String, _ reason: ReasonCode?, _ status: Int, following count: Int)
    -> FaultRow
  {
    var row = both(name, reason, status)
    row.change = { $0.redirects = count }
    return row
  }
}

extension FaultRow {
  static let all: [FaultRow] = connections + responses + oddities + redirects + handshakes

  /// Faults before the response.
  private static let connections: [FaultRow] = [
    .both("dns-nxdomain", .noSuchHost),
    .both("dns-servfail", .dnsFailure),
    .both("dns-timeout", .resolveTimeout),
    .both("listener-refused", .connectRefused),
    .both("listener-blackhole", .connectTimeout),
    .both("listener-rst", .connectReset),
    FaultRow(
      name: "listener-hold", http: Ending(reason: .responseTimeout), https: Ending(reason: .tlsTimeout)),
  ]

  /// Faults in the response.
  private static let responses: [FaultRow] = [
    .both("delay", .responseTimeout),
    .both("rst-early", .connectReset),
    .both("rst-after", .connectReset, 200),
    .both("empty-fin", .httpNoResponse),
    .both("half-close", .bodyShort, 200),
    .both("short-body", .bodyShort, 200),
    .both("chunk-cut", .bodyShort, 200),
    .both("chunk-bad", .httpProtocol, 200),
    .both("header-cut", .httpHeadCut, 302),
    .both("garbage", .httpProtocol),
    .both("slow-headers", .responseTimeout),
    .both("slow-body", .bodyTimeout, 200),
    .both("stall-headers", .responseTimeout, 200),
    .both("stall-body", .bodyTimeout, 200),
    // Only an interim status is received.
    .both("continue-forever", .responseTimeout, 100),
    .both("endless-headers", .httpHeadTooLarge, 200),
    .cut("endless-body"),
    .both("bad-gzip", .bodyEncoding, 200),
    .cut("gzip-bomb"),
  ]

  /// Unusual responses.
  private static let oddities: [FaultRow] = [
    // libcurl uses the larger of two lengths.
    .both("content-length-conflict", .httpProtocol, 200).byCurl(.bodyShort, 200),
    .both("content-length-garbage", nil, 200).byCurl(.httpProtocol, 200),
    .both("no-content-with-body", nil, 204),
    .both("lf-only", nil, 200),
    .both("no-status-line", .httpProtocol),
    .both("status-999", .httpStatus, 999),
    .both("status-99", .httpStatus, 99).byCurl(.httpProtocol),
    .both("status-line-cut", .httpNoResponse),
    .both("many-headers", .httpHeadTooLarge, 200),
    .both("unknown-coding", nil, 200).byCurl(.bodyEncoding, 200),
    .both("isp-injection", .httpStatus, 302),
    .both("empty-page", nil, 200),
  ]

  /// Redirects, about which the policy for them decides.
  private static let redirects: [FaultRow] = [
    .redirecting("redirect-loop", .tooManyRedirects, 302, following: 5),
    .redirecting("redirect-chain", .tooManyRedirects, 302, following: 5),
    .redirecting("redirect-chain", nil, 200, following: 50),
    .redirecting("redirect-file", .httpStatus, 302, following: 5),
    .redirecting("redirect-gopher", .httpStatus, 302, following: 5),
    .redirecting("redirect-invalid", .httpStatus, 302, following: 5),
    FaultRow(
      name: "redirect-downgrade", https: Ending(reason: .downgrade, status: 302), policy: .httpsOnly),
    FaultRow(
      name: "redirect-downgrade", http: Ending(reason: nil, status: 200),
      https: Ending(reason: .httpStatus, status: 302)),
  ]

  /// Faults in TLS.
  private static let handshakes: [FaultRow] = [
    .tls("expired", .certificateExpired),
    .tls("not-yet-valid", .certificateNotYetValid),
    .tls("self-signed", .certificateSelfSigned),
    .tls("untrusted", .certificateUntrusted),
    .tls("wrong-host", .certificateWrongHost),
    .tls("incomplete-chain", .certificateUntrusted),
    .tls("client-cert", .tlsHandshake),
    .tls("plain-http", .notTLS),
    .tls("fin", .tlsHandshake),
    .tls("rst", .connectReset),
    .tls("stall", .tlsTimeout),
    .tls("alert-handshake-failure", .tlsHandshake),
    .tls("alert-protocol-version", .tlsHandshake),
    .tls("alert-internal-error", .tlsHandshake),
    .tls("alert-unrecognized-name", .tlsHandshake),
    .tls("1.0", .tlsHandshake),
    .tls("no-close-notify", .bodyShort, 200),
    .tls("rst-after", .connectReset),
  ]
}
