import BlackboxExporter
import SourceDocuments

/// Reads a text as blackbox.yml; each file that it names exists, except those in `/missing`.
func readConfiguration(_ text: String) -> (ExporterConfiguration?, [SourceFinding]) {
  ExporterConfiguration.read(Array(text.utf8), path: "blackbox.yml") { !$0.hasPrefix("/missing/") }
}

/// The module `m` of a configuration that has these lines below the name of the module.
func readModule(_ lines: String) -> (ExporterModule?, [SourceFinding]) {
  let indented = lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
  let (configuration, findings) = readConfiguration("modules:\n  m:\n" + indented.joined(separator: "\n"))
  return (configuration?.modules["m"], findings)
}

extension SourceFinding {
  /// The line and the column, the message, and the remedy in brackets.
  var brief: String {
    let start = location.map { "\($0.line):\($0.column) " } ?? ""
    return start + (severity == .warning ? "warning: " : "") + message + (remedy.map { " (\($0))" } ?? "")
  }
}

/// A configuration with every kind of module, and most of their keys.
let longConfiguration = """
  modules:
    plain:
      prober: http
    web:
      prober: http
      timeout: 1m30s
      http:
        valid_status_codes: [200, 301]
        valid_http_versions: ["HTTP/1.1","HTTP/2.0"]
        method: POST
        headers:
          Host: vhost.example
          Cookie: session=hunter2
          Accept-Encoding: br, gzip;q=0.5
        http_headers:
          X-One: { values: [a, b] }
          X-Api-Key: { secrets: [hunter2], files: [/keys/one] }
        body: "{}"
        compression: gzip
        body_size_limit: 1MB
        fail_if_ssl: no
        fail_if_not_ssl: yes
        fail_if_body_matches_regexp: ['(?i)error$']
        fail_if_body_not_matches_regexp:
          - ready
          - "a\\\\sb"
        fail_if_header_matches: [{ header: Set-Cookie, regexp: '.*', allow_missing: true }]
        fail_if_header_not_matches:
          - header: Content-Type
            regexp: ^text/
        basic_auth: { username: prober, password: hunter2 }
        proxy_url: http://user:hunter2@[2001:db8::1]
        no_proxy: "10.0.0.0/8, .example"
        proxy_connect_header: { Proxy-Authorization: [Basic cHJvYmVyOmh1bnRlcjI=] }
        skip_resolve_phase_with_proxy: true
        tls_config:
          ca_file: /certs/ca.pem
          cert_file: /certs/client.pem
          key_file: /certs/client.key
          server_name: other.example
          insecure_skip_verify: true
          min_version: TLS10
          max_version: TLS13
        follow_redirects: false
        enable_http2: false
        preferred_ip_protocol: ip4
        ip_protocol_fallback: false
    dialog:
      prober: tcp
      tcp:
        source_ip_address: 192.0.2.1
        tls: false
        tls_config: { ca: "-----BEGIN CERTIFICATE-----" }
        query_response:
          - expect: "^220 ([^ ]+)"
            labels: [{ name: host, value: "${1}" }]
            send: "EHLO ${1}\\r"
          - { starttls: true }
          - send: !!binary AAAACATSFi8=
          - expect_bytes: S
    ping:
      prober: icmp
      timeout: 500ms
      icmp: { payload_size: 56, dont_fragment: true, ttl: 3, preferred_ip_protocol: ip4 }
    name:
      prober: dns
      dns:
        query_name: example.com
        query_type: MX
        query_class: CH
        transport_protocol: tcp
        dns_over_tls: true
        recursion_desired: false
        valid_rcodes: [NOERROR,NXDOMAIN]
        validate_answer_rrs:
          fail_if_matches_regexp: [a]
          fail_if_all_match_regexp: [b]
          fail_if_not_matches_regexp: [c]
          fail_if_none_matches_regexp: [d]
        validate_additional_rrs: { fail_if_matches_regexp: [e] }

  """
