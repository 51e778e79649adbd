import ProbeCore

/// Why a request of a HAR got no answer, from the name that the browser has for it.
struct HARFailure {
  let reason: ReasonCode
  let detail: String

  /// Why an entry has no answer; nil when that was the browser's own doing.
  init?(_ entry: HARDocument.Entry) {
    guard entry.response.status <= 0 else { return nil }
    let word = Self.notes(on: entry).compactMap { $0?.value }.first { !$0.isEmpty }
    guard let word else {
      reason = .transportFailure
      detail = "the recording does not say why"
      return
    }
    let name = word.hasPrefix("net::") ? word.dropFirst(5) : word[...]
    if Self.ownDoing.contains(where: name.hasPrefix) { return nil }
    reason = Self.reasons.first { name.hasPrefix($0.prefix) }?.reason ?? .transportFailure
    detail = "the browser says \(Excerpt(word))"
  }

  /// Whether the browser says something of a failure that is no text.
  static func hasOtherNotes(_ entry: HARDocument.Entry) -> Bool {
    notes(on: entry).contains { $0 != nil && $0?.value == nil }
  }

  private static func notes(on entry: HARDocument.Entry) -> [HARDocument.Custom<String>?] {
    [entry.response._error, entry.response._failureText, entry._error]
  }

  private static let ownDoing = ["ERR_ABORTED", "ERR_BLOCKED_BY_", "ERR_CACHE_MISS", "NS_BINDING_ABORTED"]

  /// Reasons by how the name begins; the first that fits counts (Chromium's net_error_list.h, Firefox's ErrorList.py
  /// and the errors of NSS).
  private static let reasons: [(prefix: String, reason: ReasonCode)] = [
    ("ERR_NAME_NOT_RESOLVED", .noSuchHost), ("ERR_NAME_RESOLUTION_FAILED", .dnsFailure),
    ("ERR_DNS_TIMED_OUT", .resolveTimeout), ("ERR_DNS_", .dnsFailure),
    ("ERR_ICANN_NAME_COLLISION", .dnsFailure),
    ("ERR_CONNECTION_REFUSED", .connectRefused), ("ERR_CONNECTION_RESET", .connectReset),
    ("ERR_CONNECTION_TIMED_OUT", .connectTimeout), ("ERR_CONNECTION_CLOSED", .httpNoResponse),
    ("ERR_CONNECTION_", .connectFailed), ("ERR_EMPTY_RESPONSE", .httpNoResponse),
    ("ERR_ADDRESS_", .connectUnreachable), ("ERR_INTERNET_DISCONNECTED", .connectUnreachable),
    ("ERR_NETWORK_", .connectUnreachable), ("ERR_TIMED_OUT", .totalTimeout),
    // Chromium has one name for a certificate that is no longer valid and for one that is not yet.
    ("ERR_CERT_DATE_INVALID", .certificateExpired), ("ERR_CERT_COMMON_NAME_INVALID", .certificateWrongHost),
    ("ERR_CERT_AUTHORITY_INVALID", .certificateUntrusted), ("ERR_CERT_", .certificateInvalid),
    ("ERR_SSL_", .tlsHandshake), ("ERR_BAD_SSL_CLIENT_AUTH_CERT", .tlsHandshake),
    ("ERR_PROXY_CONNECTION_FAILED", .proxyUnreachable), ("ERR_TUNNEL_CONNECTION_FAILED", .proxyRefused),
    ("ERR_PROXY_", .proxyFailed), ("ERR_TOO_MANY_REDIRECTS", .tooManyRedirects),
    ("ERR_CONTENT_DECODING_FAILED", .bodyEncoding), ("ERR_CONTENT_LENGTH_MISMATCH", .bodyShort),
    ("ERR_INCOMPLETE_CHUNKED_ENCODING", .bodyShort), ("ERR_RESPONSE_HEADERS_TOO_BIG", .httpHeadTooLarge),
    ("ERR_INVALID_", .httpProtocol), ("ERR_RESPONSE_HEADERS_", .httpProtocol), ("ERR_HTTP", .httpProtocol),
    ("ERR_QUIC_", .httpProtocol),

    ("NS_ERROR_UNKNOWN_HOST", .noSuchHost), ("NS_ERROR_CONNECTION_REFUSED", .connectRefused),
    ("NS_ERROR_NET_RESET", .connectReset), ("NS_ERROR_NET_TIMEOUT", .totalTimeout),
    ("NS_ERROR_NET_PARTIAL_TRANSFER", .bodyShort), ("NS_ERROR_NET_INTERRUPT", .bodyShort),
    ("NS_ERROR_NET_EMPTY_RESPONSE", .httpNoResponse), ("NS_ERROR_OFFLINE", .connectUnreachable),
    ("NS_ERROR_PROXY_CONNECTION_REFUSED", .proxyUnreachable),
    ("NS_ERROR_UNKNOWN_PROXY_HOST", .proxyUnreachable), ("NS_ERROR_PROXY_", .proxyRefused),
    ("NS_ERROR_REDIRECT_LOOP", .tooManyRedirects), ("NS_ERROR_INVALID_CONTENT_ENCODING", .bodyEncoding),
    ("SEC_ERROR_EXPIRED_", .certificateExpired), ("SEC_ERROR_UNKNOWN_ISSUER", .certificateUntrusted),
    ("SEC_ERROR_", .certificateInvalid), ("SSL_ERROR_BAD_CERT_DOMAIN", .certificateWrongHost),
    ("SSL_ERROR_RX_RECORD_TOO_LONG", .notTLS), ("SSL_ERROR_", .tlsHandshake),
    ("MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT", .certificateSelfSigned),
    ("MOZILLA_PKIX_ERROR_NOT_YET_VALID_CERTIFICATE", .certificateNotYetValid),
    ("MOZILLA_PKIX_ERROR_", .certificateInvalid),
  ]
}
