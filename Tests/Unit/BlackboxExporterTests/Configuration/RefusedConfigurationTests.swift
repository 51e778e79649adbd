import ProbeCore
import BlackboxExporter
import SourceDocuments
import Testing

@Suite struct RefusedConfigurationTests {
  /// The assertions of upstream's 23 invalid files, and more.
  ///
  /// The lines are below `modules: m:`, so that the first is line 3.
  @Test(arguments: [
    // An unknown key.
    (
      "prober: dns\ndns: { query_name: a.example, invalid_extra: 1 }",
      "4:35 dns has an unknown key \"invalid_extra\" (use preferred_ip_protocol, ip_protocol_fallback,"
        + " source_ip_address, dns_over_tls, tls_config, transport_protocol, query_name, query_type, query_class,"
        + " recursion_desired, valid_rcodes, validate_answer_rrs, validate_authority_rrs or validate_additional_rrs)"
    ),
    ("prober: http\nhttp: { methd: GET }", "4:13 http has an unknown key \"methd\" (did you mean method?)"),
    // Credentials.
    (
      "prober: http\nhttp:\n  bearer_token: a\n  bearer_token_file: b\n  basic_auth: { username: c, password: d }",
      "6:26 basic_auth, bearer_token and bearer_token_file cannot be combined (keep one of them)"
    ),
    (
      "prober: http\nhttp:\n  authorization: { type: Basic, credentials: a }",
      "5:30 the type of authorization cannot be basic (use basic_auth)"
    ),
    (
      "prober: http\nhttp:\n  basic_auth: { username: a, password: b, password_file: c }",
      "5:62 password and password_file cannot be combined (keep one of them)"
    ),
    // The prober.
    (
      "prober: invalid",
      "3:13 prober cannot be \"invalid\" (use http, tcp, icmp, dns, grpc, unix or websocket)"
    ),
    ("timeout: 5s", "3:5 the module \"m\" has no prober (add a line such as prober: http)"),
    // DNS.
    (
      "prober: dns\ndns: { preferred_ip_protocol: ip6 }",
      "4:10 dns has no query_name (add a line such as query_name: example.com)"
    ),
    (
      "prober: dns\ndns: { query_name: a, query_class: X, query_type: A }",
      "4:40 \"X\" is not a DNS record class (use IN, CS, CH, HS, NONE or ANY)"
    ),
    (
      "prober: dns\ndns: { query_name: a, query_class: CH, query_type: X }",
      "4:56 \"X\" is not a DNS record type (use one such as A or MX)"
    ),
    (
      "prober: dns\ndns: { query_name: a, query_type: mx }",
      "4:39 \"mx\" is not a DNS record type (use one such as A or MX)"
    ),
    (
      "prober: dns\ndns: { query_name: a, dns_over_tls: true }",
      "4:41 DNS over TLS needs TCP (add transport_protocol: tcp)"
    ),
    (
      "prober: dns\ndns: { query_name: a, transport_protocol: sctp }",
      "4:47 \"sctp\" is not a DNS transport (use udp or tcp)"
    ),
    // Rules about headers and bodies.
    (
      "prober: http\nhttp:\n  fail_if_header_not_matches:\n    - header: X-A\n      allow_missing: false",
      "6:11 a rule about a header has no regexp (add a line such as regexp: '^text/')"
    ),
    (
      "prober: http\nhttp:\n  fail_if_header_matches:\n    - { header: X-A, regexp: '' }",
      "6:34 regexp is empty (write .* for any value)"
    ),
    (
      "prober: http\nhttp:\n  fail_if_header_matches:\n    - regexp: a",
      "6:11 a rule about a header has no header (add a line such as header: Content-Type)"
    ),
    (
      "prober: http\nhttp:\n  fail_if_body_matches_regexp: [ok, ':[']",
      "5:43 the brackets are not closed (add ], or write \\[ for a bracket)"
    ),
    (
      "prober: http\nhttp:\n  fail_if_body_not_matches_regexp: ['a(?=b)']",
      "5:43 Go's regular expressions have no lookahead (?="
    ),
    (
      "prober: http\nhttp:\n  fail_if_header_not_matches: [{ header: A, regexp: ':[' }]",
      "5:59 the brackets are not closed (add ], or write \\[ for a bracket)"
    ),
    // Compression.
    (
      "prober: http\nhttp:\n  compression: gzip\n  headers: { Accept-Encoding: deflate }",
      "6:35 Accept-Encoding does not accept the coding \"gzip\" of compression (add it, or remove the header)"
    ),
    (
      "prober: http\nhttp:\n  compression: gzip\n  headers: { accEpt-enCoding: deflate }",
      "6:35 accEpt-enCoding does not accept the coding \"gzip\" of compression (add it, or remove the header)"
    ),
    (
      "prober: http\nhttp:\n  compression: gzip\n  headers: { Accept-Encoding: '*;q=0.0' }",
      "6:35 Accept-Encoding does not accept the coding \"gzip\" of compression (add it, or remove the header)"
    ),
    (
      "prober: http\nhttp: { compression: gzp }",
      "4:26 \"gzp\" is no coding that can be decoded (did you mean gzip?)"
    ),
    // HTTP/3.
    (
      "prober: http\nhttp: { enable_http3: true, enable_http2: false, valid_http_versions: [HTTP/2.0, HTTP/3.0] }",
      "4:75 enable_http3 allows only HTTP/3.0 (remove the other versions, or enable_http3)"
    ),
    (
      "prober: http\nhttp: { enable_http3: true }",
      "4:27 enable_http3 cannot be combined with HTTP/2 (add enable_http2: false, or remove it)"
    ),
    (
      "prober: http\nhttp: { valid_http_versions: [HTTP/3.0] }",
      "4:34 HTTP/3.0 needs enable_http3 (remove HTTP/3.0)"
    ),
    // ICMP.
    ("prober: icmp\nicmp: { ttl: -1 }", "4:18 ttl cannot be \"-1\" (use one from 0 to 255)"),
    ("prober: icmp\nicmp: { ttl: 256 }", "4:18 ttl cannot be \"256\" (use one from 0 to 255)"),
    // Dialogs of all probers.
    (
      "prober: tcp\ntcp:\n  query_response:\n    - expect: ':['",
      "6:21 the brackets are not closed (add ], or write \\[ for a bracket)"
    ),
    (
      "prober: unix\nunix:\n  query_response: [{ send: PING, expect: ':[' }]",
      "5:48 the brackets are not closed (add ], or write \\[ for a bracket)"
    ),
    (
      "prober: websocket\nwebsocket:\n  query_response: [{ expect: ':[' }]",
      "5:36 the brackets are not closed (add ], or write \\[ for a bracket)"
    ),
    (
      "prober: tcp\ntcp:\n  query_response: [{ expect: a, expect_bytes: b }]",
      "5:51 expect and expect_bytes cannot be combined (use two steps)"
    ),
    (
      "prober: tcp\ntcp:\n  query_response: [{ labels: [{ name: 1a }] }]",
      "5:43 \"1a\" cannot be the name of a label (use letters, digits and _)"
    ),
    (
      "prober: tcp\ntcp: { query_response: [{ send: !!binary '*' }] }",
      "4:37 send is not base64 (remove !!binary, if it is a text)"
    ),
    (
      "prober: tcp\ntcp: { source_ip_address: localhost }",
      "4:31 \"localhost\" is not an IP address (write it as 192.0.2.1 or 2001:db8::1)"
    ),
    (
      "prober: tcp\ntcp: { tls: true, query_response: [{ send: a }, { starttls: true }] }",
      "4:65 starttls: the connection is inside TLS already (remove it, or tls: true)"
    ),
    (
      "prober: tcp\ntcp: { query_response: [{ starttls: true }, { starttls: no }, { starttls: on }] }",
      "4:79 starttls: the connection is inside TLS already (remove all but the first)"
    ),
    // Bodies, headers and methods.
    (
      "prober: http\nhttp: { body: a, body_file: b }",
      "4:33 body and body_file cannot be combined (keep one of them)"
    ),
    (
      "prober: http\nhttp: { method: 'GE T' }",
      "4:21 \"GE T\" is not a request method (use one such as GET or HEAD)"
    ),
    (
      "prober: http\nhttp: { headers: { 'X Y': a } }",
      "4:24 \"X Y\" is not a header field name (write it as in Accept)"
    ),
    (
      "prober: http\nhttp: { http_headers: { 'X Y': { files: [/etc/hostname] } } }",
      "4:29 \"X Y\" is not a header field name (write it as in Accept)"
    ),
    (
      "prober: http\nhttp: { valid_status_codes: [2000] }",
      "4:34 \"valid_status_codes\" cannot be \"2000\" (use one from 0 to 999)"
    ),
    (
      "prober: http\nhttp:\n  http_headers: { host: { values: [a] } }",
      "5:23 http_headers cannot set host (use headers, or the setting for it)"
    ),
    // Proxies.
    (
      "prober: http\nhttp: { no_proxy: a }", "4:23 no_proxy needs a proxy (add proxy_url, or remove no_proxy)"
    ),
    (
      "prober: http\nhttp: { proxy_url: 'http://a:1', proxy_from_environment: true }",
      "4:62 proxy_from_environment and proxy_url cannot be combined (keep one of them)"
    ),
    (
      "prober: http\nhttp: { proxy_connect_header: { X-A: [b] } }",
      "4:35 proxy_connect_header needs a proxy (add proxy_url, or remove proxy_connect_header)"
    ),
    (
      "prober: http\nhttp: { proxy_url: proxy }",
      "4:24 proxy_url has no scheme (write it as http://host:port, https://host:port or socks5://host:port)"
    ),
    // TLS.
    ("prober: tcp\ntcp: { tls_config: { cert_file: a } }", "4:37 cert_file needs a key (add key_file)"),
    (
      "prober: tcp\ntcp: { tls_config: { key_file: a } }", "4:36 key_file needs a certificate (add cert_file)"
    ),
    (
      "prober: tcp\ntcp: { tls_config: { ca: a, ca_file: b } }",
      "4:42 ca and ca_file cannot be combined (keep one of them)"
    ),
    (
      "prober: tcp\ntcp: { tls_config: { min_version: TLS1 } }",
      "4:39 \"TLS1\" is not a TLS version (use TLS10, TLS11, TLS12 or TLS13)"
    ),
    (
      "prober: tcp\ntcp: { tls_config: { min_version: TLS13, max_version: TLS12 } }",
      "4:59 max_version is lower than min_version (swap them)"
    ),
    // OAuth is not supported, but its settings are checked.
    (
      "prober: http\nhttp: { oauth2: { client_id: a } }",
      "4:21 oauth2 has no token_url (add a line such as token_url: https://login.example.com/token)"
    ),
  ])
  func invalidSettingsAreRefused(_ lines: String, _ expected: String) {
    let (module, findings) = readModule(lines)
    #expect(module == nil)
    #expect(findings.filter { $0.severity == .error }.map(\.brief) == [expected])
  }

  @Test func allErrorsAreReportedWithLineAndCaret() {
    let (configuration, findings) = readConfiguration(
      """
      modules:
        one:
          prober: htp
          timeout: 5
        two:
          prober: http
          http:
            fail_if_body_matches_regexp:
              - 'fine'
              - 'a(?<=b)'
      extra: 1
      """)
    #expect(configuration == nil)
    #expect(
      findings.map(\.description).joined(separator: "\n") == """
        blackbox.yml:3:13: prober cannot be "htp": did you mean http?
              prober: htp
                      ^
        blackbox.yml:4:14: "5" is not a time: write it as 5s, 500ms or 1m30s
              timeout: 5
                       ^
        blackbox.yml:10:13: Go's regular expressions have no lookbehind (?<=
                  - 'a(?<=b)'
                      ^
        blackbox.yml:11:1: the file has an unknown key "extra": use modules
          extra: 1
          ^
        """)
  }

  @Test(arguments: ["", "- a", "modules: [a]", "modules: { a: 1 }", "modules:\n\t- a: [", "a: b: c"])
  func malformedFilesAreErrors(_ text: String) {
    let (configuration, findings) = readConfiguration(text)
    #expect(configuration == nil)
    #expect(findings.contains { $0.severity == .error })
  }

  @Test(arguments: [
    ("prober: grpc\ngrpc: { tls: true }", "ProbeKit has no prober grpc"),
    ("prober: unix", "ProbeKit has no prober unix"),
    ("prober: websocket\nwebsocket: { headers: { a: b } }", "ProbeKit has no prober websocket"),
    ("prober: http\nhttp: { enable_http3: on, enable_http2: off }", "ProbeKit has no HTTP/3"),
    ("prober: http\nhttp: { oauth2: { client_id: a, token_url: b } }", "ProbeKit has no OAuth 2"),
    (
      "prober: http\nhttp: { fail_if_body_json_matches_cel: body.a }",
      "ProbeKit has no expressions in CEL, such as fail_if_body_json_matches_cel"
    ),
    (
      "prober: http\nhttp: { basic_auth: { username: a, password_ref: b } }",
      "there is no secret manager for password_ref"
    ),
    (
      "prober: http\nhttp: { proxy_url: 'http://a', proxy_connect_header: { X-A: [b] } }",
      "of proxy_connect_header, ProbeKit sends only Proxy-Authorization with Basic"
    ),
    ("prober: dns\ndns: { query_name: a, query_type: AXFR }", "ProbeKit has no queries of the type AXFR"),
    ("prober: dns\ndns: { query_name: a, query_type: UINFO }", "ProbeKit has no queries of the type UINFO"),
    (
      "prober: tcp\ntcp: { tls_config: { cert: a, key_file: b } }",
      "ProbeKit reads the client's certificate and its key from files only, not from cert"
    ),
  ])
  func unsupportedSettingsAreWarnings(_ lines: String, _ reason: String) {
    let (module, findings) = readModule(lines)
    #expect(module?.probe == .unsupported(reason))
    let refused = findings.filter { $0.message == reason }
    #expect(refused.map(\.remedy) == ["requests for this module get status 400"])
    #expect(findings.allSatisfy { $0.severity == .warning })
  }

  @Test(arguments: [
    ("prober: http\ntimeout: -5s", "4:14 warning: a negative timeout counts as none (remove it)"),
    (
      "prober: http\nhttp: { preferred_ip_protocol: ipv4 }",
      "4:36 warning: \"ipv4\" counts as ip4 (use ip4 or ip6)"
    ),
    (
      "prober: http\nhttp: { valid_http_versions: [HTTP/2] }",
      "4:35 warning: no response has the version \"HTTP/2\" (use HTTP/1.0, HTTP/1.1 or HTTP/2.0)"
    ),
    (
      "prober: http\nhttp: { proxy_from_environment: true }",
      "4:37 warning: ProbeKit does not read proxies from the environment, and probes without one"
        + " (write it as proxy_url)"
    ),
    (
      "prober: http\nhttp: { tls_config: { insecure_skip_verify: true } }",
      "4:49 warning: certificates are still checked: a server that fails gets no credentials, and a metric reports the error"
    ),
    (
      "prober: http\nhttp: { tls_config: { ca_file: /missing/ca.pem } }",
      "4:36 warning: the file \"/missing/ca.pem\" does not exist (probes fail until it does)"
    ),
    (
      "prober: http\ntcp: { tls: true }",
      "4:10 warning: tcp has no effect in a module with the prober http (remove it)"
    ),
    (
      "prober: http\nhttp: { fail_if_body_matches_regexp: ['(a*)*'] }",
      "4:43 warning: a repetition of a group that can match nothing may end elsewhere than in Go"
        + " (write it in a simpler way)"
    ),
    (
      "prober: dns\ndns: { query_name: a, valid_rcodes: [NXDOMAN] }",
      "4:42 warning: \"NXDOMAN\" is no response code, and no probe of this module succeeds (did you mean NXDOMAIN?)"
    ),
    (
      "prober: http\nhttp: { headers: { Authorization: a } }",
      "4:24 warning: these credentials are sent to any target that a request names"
        + " (restrict the targets with --allow-target, or use a pipeline with targets:)"
    ),
  ])
  func questionableSettingsAreWarnings(_ lines: String, _ expected: String) {
    let (module, findings) = readModule(lines)
    #expect(module != nil)
    #expect(findings.map(\.brief) == [expected])
  }
}
