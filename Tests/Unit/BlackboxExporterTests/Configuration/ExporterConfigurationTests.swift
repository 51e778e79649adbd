import ProbeCore
@testable import BlackboxExporter
import SourceDocuments
import Testing
import ProbePatterns

@Suite struct ExporterConfigurationTests {
  @Test func aLongFileIsReadWithoutErrors() throws {
    let (configuration, findings) = readConfiguration(longConfiguration)
    #expect(findings.filter { $0.severity == .error }.map(\.brief) == [])
    #expect(try #require(configuration).modules.count == 5)
  }

  @Test func aModuleWithoutSettingsHasTheDefaults() throws {
    let module = try #require(readModule("prober: http\nhttp:").0)
    #expect(module.timeout == nil)
    let http = try module.http
    #expect(http == HTTPModule())
    #expect(http.addresses == AddressChoice())
    #expect(http.addresses.preferred == .v6 && http.addresses.fallsBack)
  }

  @Test func httpSettingsAreRead() throws {
    let module = try #require(readConfiguration(longConfiguration).0?.modules["web"])
    #expect(module.timeout == .seconds(90))
    let http = try module.http
    #expect(http.statusCodes == [200, 301])
    #expect(http.versions == ["HTTP/1.1", "HTTP/2.0"])
    #expect(http.method == "POST")
    #expect(http.headers["Host"] == "vhost.example")
    #expect(http.headers.filter { $0.name == "X-One" }.map(\.value) == ["a", "b"])
    #expect(
      http.secretHeaders == [
        .init(name: "X-Api-Key", value: .text(Secret("hunter2"))),
        .init(name: "X-Api-Key", value: .file("/keys/one")),
      ])
    #expect(http.body == .text(Secret("{}")))
    #expect(http.compression == "gzip")
    #expect(http.bodySizeLimit == 1_048_576)
    #expect(!http.failsIfSSL && http.failsIfNotSSL)
    #expect(http.failsIfBodyMatches.map(\.text) == ["(?i)error$"])
    #expect(http.failsIfBodyDoesNotMatch.map(\.text) == ["ready", "a\\sb"])
    #expect(http.failsIfHeaderMatches.map(\.header) == ["Set-Cookie"])
    #expect(http.failsIfHeaderMatches.map(\.allowsMissing) == [true])
    #expect(http.failsIfHeaderDoesNotMatch.map(\.pattern.text) == ["^text/"])
    #expect(http.credentials == .basic(user: .text(Secret("prober")), password: .text(Secret("hunter2"))))
    #expect(http.proxy?.description == "http://[2001:db8::1]:80")
    #expect(http.proxy?.user == "prober")
    #expect(http.proxy?.password == Secret("hunter2"))
    #expect(http.noProxy == ["10.0.0.0/8", ".example"])
    #expect(http.leavesLookupToProxy)
    #expect(!http.followsRedirects && !http.allowsHTTP2)
    #expect(http.addresses.preferred == .v4 && !http.addresses.fallsBack)
    var tls = ModuleTLS()
    tls.authorities = .file("/certs/ca.pem")
    tls.clientCertificate = ClientCertificate(
      certificateFile: "/certs/client.pem", keyFile: "/certs/client.key")
    (tls.serverName, tls.checks.observesCertificates) = ("other.example", true)
    (tls.checks.minimumVersion, tls.checks.maximumVersion) = (.v1_0, .v1_3)
    #expect(http.tls == tls)
  }

  @Test func settingsOfOtherProbersAreRead() throws {
    let modules = try #require(readConfiguration(longConfiguration).0).modules
    guard case .tcp(let tcp) = modules["dialog"]?.probe, case .icmp(let icmp) = modules["ping"]?.probe,
      case .dns(let dns) = modules["name"]?.probe
    else {
      Issue.record("a module is missing")
      return
    }
    #expect(tcp.source == IPAddress("192.0.2.1") && !tcp.usesTLS)
    if case .tcp(let inTLS)? = readModule("prober: tcp\ntcp: { tls: on }").0?.probe {
      #expect(inTLS.usesTLS)
    } else {
      Issue.record("a module with TLS is missing")
    }
    #expect(tcp.tls.authorities == .text(Secret("-----BEGIN CERTIFICATE-----")))
    #expect(tcp.steps.map(\.send) == [Array("EHLO ${1}\r".utf8), [], [0, 0, 0, 8, 4, 0xD2, 0x16, 0x2F], []])
    #expect(tcp.steps.map(\.startsTLS) == [false, true, false, false])
    #expect(tcp.steps.map(\.expect?.text) == ["^220 ([^ ]+)", nil, nil, nil])
    #expect(tcp.steps.map(\.expectBytes) == [nil, nil, nil, [0x53]])
    #expect(tcp.steps[0].labels == [TCPModule.Step.Label(name: "host", value: "${1}")])
    #expect(modules["ping"]?.timeout == .milliseconds(500))
    #expect(icmp.ping.size == 56 && icmp.ping.forbidsFragments && icmp.ping.hopLimit == 3)
    #expect(icmp.addresses.preferred == .v4)
    #expect([dns.name, dns.type, dns.recordClass] == ["example.com", "MX", "CH"])
    #expect(dns.query.usesTCP && dns.usesTLS && !dns.query.recursion)
    #expect(dns.responseCodes == ["NOERROR", "NXDOMAIN"])
    #expect(dns.answer.failsIfMatches.map(\.text) == ["a"])
    #expect(dns.answer.failsIfAllMatch.map(\.text) == ["b"])
    #expect(dns.answer.failsIfNotMatches.map(\.text) == ["c"])
    #expect(dns.answer.failsIfNoneMatches.map(\.text) == ["d"])
    #expect(dns.authority == DNSModule.RecordRules())
    #expect(dns.additional.failsIfMatches.map(\.text) == ["e"])
  }

  @Test func anchorsAndMergeKeysWork() throws {
    let (configuration, findings) = readConfiguration(
      """
      modules:
        one: &one
          prober: http
          timeout: 5s
          http: &settings
            method: HEAD
            fail_if_ssl: true
        two:
          <<: *one
          timeout: 2s
        three:
          prober: http
          http:
            fail_if_ssl: false
            <<: [*settings, { method: GET, fail_if_not_ssl: true }]
      """)
    #expect(findings.map(\.brief) == [])
    let modules = try #require(configuration).modules
    #expect(modules["two"]?.timeout == .seconds(2))
    #expect(try modules["two"]?.http.method == "HEAD")
    let three = try #require(try modules["three"]?.http)
    #expect(three.method == "HEAD" && !three.failsIfSSL && three.failsIfNotSSL)
  }

  @Test(arguments: [
    (
      "bearer_token: hunter2",
      ModuleCredentials.authorization(scheme: "Bearer", credentials: .text(Secret("hunter2")))
    ),
    ("bearer_token_file: /token", .authorization(scheme: "Bearer", credentials: .file("/token"))),
    (
      "authorization: { credentials: hunter2 }",
      .authorization(scheme: "Bearer", credentials: .text(Secret("hunter2")))
    ),
    (
      "authorization: { type: ' ApiKey ', credentials_file: /key }",
      .authorization(scheme: "ApiKey", credentials: .file("/key"))
    ),
    ("basic_auth: { username_file: /user }", .basic(user: .file("/user"), password: nil)),
    ("basic_auth: {}", .basic(user: .text(Secret("")), password: nil)),
  ])
  func credentials(_ line: String, _ expected: ModuleCredentials) throws {
    let (module, findings) = readModule("prober: http\nhttp:\n  \(line)")
    #expect(try module?.http.credentials == expected)
    #expect(findings.map(\.message) == ["these credentials are sent to any target that a request names"])
  }

  @Test(arguments: [
    ("http://proxy.example:3128", "http://proxy.example:3128"),
    ("http://proxy.example", "http://proxy.example:80"),
    ("https://proxy.example", "https://proxy.example:443"),
    ("socks5://proxy.example", "socks5h://proxy.example:1080"),
    ("HTTP://a%40b:p%3Aq@proxy.example/path?x", "http://proxy.example:80"),
  ])
  func proxiesAreRead(_ url: String, _ expected: String) throws {
    let http = try #require(readModule("prober: http\nhttp: { proxy_url: '\(url)' }").0).http
    #expect(http.proxy?.description == expected)
    if url.contains("@") {
      #expect(http.proxy?.user == "a@b")
      #expect(http.proxy?.password == Secret("p:q"))
    }
  }

  @Test(arguments: [
    ("true", true), ("False", false), ("TRUE", true), ("yes", true), ("no", false), ("on", true),
    ("off", false),
    ("y", true), ("N", false), ("Yes", true), ("OFF", false), ("'yes'", true), ("\"off\"", false),
  ])
  func booleansAreRead(_ text: String, _ expected: Bool) throws {
    #expect(try readModule("prober: http\nhttp: { fail_if_ssl: \(text) }").0?.http.failsIfSSL == expected)
  }

  @Test(arguments: ["tRUE", "yEs", "'true'", "1", "ja", "[]"])
  func invalidBooleansAreErrors(_ text: String) {
    let (module, findings) = readModule("prober: http\nhttp: { fail_if_ssl: \(text) }")
    #expect(module == nil)
    #expect(findings.first?.message.contains("must be true or false") == true)
  }

  @Test(arguments: [
    ("5s", Duration.seconds(5)), ("1m30s", .seconds(90)), ("1h", .seconds(3600)),
    ("500ms", .milliseconds(500)),
    ("1.5s", .milliseconds(1500)), (".5s", .milliseconds(500)), ("10us", .microseconds(10)),
    ("10µs", .microseconds(10)), ("7ns", .nanoseconds(7)), ("+2s", .seconds(2)),
    ("1h2m3s4ms", .milliseconds(3_723_004)),
    ("1s1s", .seconds(2)),
  ])
  func timeoutsAreRead(_ text: String, _ expected: Duration) {
    #expect(readModule("prober: http\ntimeout: \(text)").0?.timeout == expected)
  }

  @Test(arguments: ["5", "5d", "s", "1.2.3s", "1 s", "5S", ".s", "", "9e9s", "3000000h"])
  func invalidTimeoutsAreErrors(_ text: String) {
    let (module, findings) = readModule("prober: http\ntimeout: \"\(text)\"")
    #expect(module == nil)
    #expect(findings.first?.brief.hasSuffix("is not a time (write it as 5s, 500ms or 1m30s)") == true)
  }

  @Test(arguments: ["0", "0s", "'0'"])
  func aZeroTimeoutMeansNoTimeout(_ text: String) {
    let (module, findings) = readModule("prober: http\ntimeout: \(text)")
    #expect(module != nil && module?.timeout == nil && findings.isEmpty)
  }

  @Test(arguments: [
    ("1MB", 1 << 20), ("1MiB", 1 << 20), ("10KB", 10 << 10), ("500B", 500), ("1.5KiB", 1536),
    ("1GB512MB", 1536 << 20),
    ("8EiB", 1 << 53 - 1), ("15EB", 1 << 53 - 1),
  ])
  func sizesAreRead(_ text: String, _ expected: Int) throws {
    #expect(
      try readModule("prober: http\nhttp: { body_size_limit: \(text) }").0?.http.bodySizeLimit == expected)
  }

  @Test(arguments: ["10", "16EiB", "10kB", "10K", "1KiB1KB", "MB", "1mb"])
  func invalidSizesAreReported(_ text: String) {
    let findings = readModule("prober: http\nhttp: { body_size_limit: \(text) }").1
    #expect(findings.map(\.remedy) == ["write it as 10MB, 64KiB or 500B"])
  }

  @Test(arguments: ["0", "-1MB", "-8EB", "-9EB", "-15EiB"])
  func aZeroOrNegativeSizeMeansNoLimit(_ text: String) throws {
    let module = readModule("prober: http\nhttp: { body_size_limit: \(text) }").0
    #expect(module != nil)
    #expect(try module?.http.bodySizeLimit == nil)
  }

  @Test func theOldNameOfFollowRedirectsTakesPrecedence() throws {
    let (module, findings) = readModule(
      "prober: http\nhttp: { no_follow_redirects: true, follow_redirects: true }")
    #expect(try module?.http.followsRedirects == false)
    #expect(
      findings.map(\.brief) == [
        "4:34 warning: no_follow_redirects is an old name (write follow_redirects: false)"
      ])
  }

  @Test func aFileWithoutModulesIsAWarning() {
    let (configuration, findings) = readConfiguration("modules:\n")
    #expect(configuration?.modules.isEmpty == true)
    #expect(findings.map(\.brief) == ["1:1 warning: the file has no modules (add them below modules:)"])
  }
}

extension ExporterModule {
  /// The settings of a module with the prober `http`.
  var http: HTTPModule {
    get throws {
      guard case .http(let module) = probe else { throw InvalidInput("\(name) is no module for HTTP") }
      return module
    }
  }
}
