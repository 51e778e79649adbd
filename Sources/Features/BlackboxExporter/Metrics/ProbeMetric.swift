import ProbeReporting

/// A metric of a probe; dashboards and alerts rely on the names and help texts of blackbox_exporter.
///
/// There is one object for each metric, so that comparisons are cheap.
final class ProbeMetric: Sendable {
  let name: String
  /// The lines before its samples in the text format.
  let head: [UInt8]

  private init(_ name: String, _ help: String) {
    (self.name, head) = (name, MetricFamily.head(name, help))
  }
}

/// The metrics of every probe.
extension ProbeMetric {
  static let success = ProbeMetric("probe_success", "Displays whether or not the probe was a success")
  static let duration = ProbeMetric(
    "probe_duration_seconds", "Returns how long the probe took to complete in seconds")
  static let timeout = ProbeMetric(
    "probe_timeout_seconds", "Returns how long the probe timeout is in seconds")
  /// Does not exist in blackbox_exporter.
  static let failure = ProbeMetric(
    "probe_failure_info", "The reason code of a probe that failed; always 1, and absent after a success")
  static let lookupTime = ProbeMetric(
    "probe_dns_lookup_time_seconds", "Returns the time taken for probe dns lookup in seconds")
  static let protocolVersion = ProbeMetric(
    "probe_ip_protocol", "Specifies whether probe ip protocol is IP4 or IP6")
  static let addressHash = ProbeMetric(
    "probe_ip_addr_hash",
    "Specifies the hash of IP address. It's useful to detect if the IP address changes.")
  static let failedDueToRegex = ProbeMetric(
    "probe_failed_due_to_regex", "Indicates if probe failed due to regex")
}

/// The metrics of HTTP.
extension ProbeMetric {
  static let httpPhases = ProbeMetric(
    "probe_http_duration_seconds", "Duration of http request by phase, summed over all redirects")
  static let contentLength = ProbeMetric("probe_http_content_length", "Length of http content response")
  static let bodyLength = ProbeMetric(
    "probe_http_uncompressed_body_length", "Length of uncompressed response body")
  static let redirects = ProbeMetric("probe_http_redirects", "The number of redirects")
  static let usesTLS = ProbeMetric("probe_http_ssl", "Indicates if SSL was used for the final redirect")
  static let statusCode = ProbeMetric("probe_http_status_code", "Response HTTP status code")
  static let httpVersion = ProbeMetric(
    "probe_http_version", "Returns the version of HTTP of the probe response")
  static let lastModified = ProbeMetric(
    "probe_http_last_modified_timestamp_seconds",
    "Returns the Last-Modified HTTP response header in unixtime")
}

/// The metrics of TLS.
extension ProbeMetric {
  static let earliestExpiry = ProbeMetric(
    "probe_ssl_earliest_cert_expiry", "Returns last SSL chain expiry in unixtime")
  static let chainExpiry = ProbeMetric(
    "probe_ssl_last_chain_expiry_timestamp_seconds", "Returns last SSL chain expiry in timestamp")
  static let chainInfo = ProbeMetric(
    "probe_ssl_last_chain_info", "Contains SSL leaf certificate information")
  static let tlsVersion = ProbeMetric(
    "probe_tls_version_info", "Returns the TLS version used or NaN when unknown")
  static let tlsCipher = ProbeMetric(
    "probe_tls_cipher_info", "Returns the TLS cipher negotiated during handshake")
  /// Does not exist in blackbox_exporter.
  static let observedProblem = ProbeMetric(
    "probe_ssl_observed_problem_info",
    "Why the certificate could not be verified, if the module has insecure_skip_verify; always 1")
}

/// The metrics of TCP.
extension ProbeMetric {
  static let failedDueToBytes = ProbeMetric(
    "probe_failed_due_to_bytes", "Indicates if probe failed due to bytes")
  static let expectInfo = ProbeMetric("probe_expect_info", "Explicit content matched")
}

/// The metrics of ICMP and DNS.
extension ProbeMetric {
  static let icmpPhases = ProbeMetric(
    "probe_icmp_duration_seconds", "Duration of icmp request by phase")
  static let replyHopLimit = ProbeMetric(
    "probe_icmp_reply_hop_limit", "Replied packet hop limit (TTL for ipv4)")
  static let dnsPhases = ProbeMetric("probe_dns_duration_seconds", "Duration of DNS request by phase")
  static let answerRecords = ProbeMetric(
    "probe_dns_answer_rrs", "Returns number of entries in the answer resource record list")
  static let authorityRecords = ProbeMetric(
    "probe_dns_authority_rrs", "Returns number of entries in the authority resource record list")
  static let additionalRecords = ProbeMetric(
    "probe_dns_additional_rrs", "Returns number of entries in the additional resource record list")
  static let querySucceeded = ProbeMetric(
    "probe_dns_query_succeeded", "Displays whether or not the query was executed successfully")
  static let serial = ProbeMetric("probe_dns_serial", "Returns the serial number of the zone")
}
