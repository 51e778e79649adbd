import ProbeServer
import ProbeCore
import ProbeBase
import ProbeTLS
import SourceDocuments
import TestClients
import TestRequirements
import TestSupport
import Testing

@testable import BlackboxExporter

/// Web configuration files, and services that have one.
@Suite(.patience(minutes: 1)) struct WebConfigurationFileTests {
  private static let authority = Result { try CertificateAuthority() }
  /// The hash of `secret`.
  private static let hash = "$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"

  /// A folder with a certificate, its key, and a file that names both.
  private static func folder(_ file: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(["ca.pem": authority.get().pem])
    try write(try identity(), to: folder)
    try folder.write("web.yml", file ?? tls)
    return folder
  }

  private static func identity() throws -> Identity {
    try authority.get().issue(LeafOptions(hosts: ["localhost", "127.0.0.1"]))
  }

  private static func write(_ identity: Identity, to folder: TemporaryFolder) throws {
    try folder.write("server.key", identity.privateKeyPEM())
    try folder.write("server.crt", identity.chainPEM())
  }

  private static let tls = """
    tls_server_config:
      cert_file: server.crt
      key_file: server.key

    """

  private static func read(_ folder: TemporaryFolder) -> (WebConfigurationFile?, [SourceFinding]) {
    WebConfigurationFile.read(path: folder.path(of: "web.yml"))
  }

  /// Findings as lines: severity, location, message and remedy.
  private static func lines(_ findings: [SourceFinding]) -> [String] {
    findings.map { finding in
      let location = finding.location.map { "\($0.line):\($0.column): " } ?? ""
      return "\(finding.severity.rawValue) \(location)\(finding.message): \(finding.remedy ?? "-")"
    }
  }

  @Test(arguments: [
    "", "\n", "basic_auth_users: {}\n", "rate_limit: {interval: 0, burst: 0}\n",
    "http_server_config: {http2: false, headers: {X-Frame-Options: deny, X-Content-Type-Options: nosniff}}\n",
  ])
  func aFileWithoutTLSIsValid(_ text: String) throws {
    let (file, findings) = Self.read(try Self.folder(text))
    #expect(file?.current.tls == nil && findings.isEmpty)
    #expect(file != nil)
  }

  @Test func everyUpstreamKeyIsRead() throws {
    let folder = try Self.folder(
      """
      tls_server_config:
        cert_file: server.crt
        key_file: server.key
        client_auth_type: RequireAndVerifyClientCert
        client_ca_file: ca.pem
        client_allowed_sans: [prometheus.example, 192.0.2.7]
        min_version: TLS12
        max_version: TLS13
        cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256]
        prefer_server_cipher_suites: false
        curve_preferences: [X25519, CurveP256, CurveP384, CurveP521]
      http_server_config:
        http2: false
        headers:
          Content-Security-Policy: default-src 'self'
          X-Frame-Options: deny
          X-Content-Type-Options: nosniff
          X-XSS-Protection: 1; mode=block
          Strict-Transport-Security: ""
      basic_auth_users: { ann: \(Self.hash), bob: \(Self.hash) }
      rate_limit: { interval: 1s, burst: 20 }

      """)
    let (file, findings) = Self.read(folder)
    #expect(Self.lines(findings) == [])
    let configuration = try #require(file?.current)
    #expect(configuration.tls != nil)
    #expect(configuration.users.keys.sorted() == ["ann", "bob"])
    #expect(
      configuration.fields == [
        "Content-Security-Policy: default-src 'self'", "X-XSS-Protection: 1; mode=block",
        "X-Frame-Options: deny",
      ])
    #expect(configuration.rateLimit == RateLimit(interval: .seconds(1), burst: 20))
    #expect(configuration.files == ["server.crt", "server.key", "ca.pem"].map { folder.path(of: $0) })
  }

  @Test func everyErrorIsReportedAtItsLocation() throws {
    let folder = try Self.folder(
      """
      tls_server_config:
        cert_file: missing.crt
        key_file: server.key
        client_auth_type: Maybe
        min_version: TLS13
        max_version: TLS12
        cipher_suites: [TLS_NOT_REAL]
        curve_preferences: [P256]
        color: red
      http_server_config:
        headers: { X-Frame-Options: allow, X-Own: a, X-XSS-Protection: "a\\nb" }
      basic_auth_users:
        ann: secret
      rate_limit: { interval: soon, burst: -1 }
      """)
    let (file, findings) = Self.read(folder)
    #expect(file == nil)
    let path = folder.path(of: "missing.crt")
    #expect(
      Self.lines(findings) == [
        "error 2:14: \(path): cannot be read: No such file or directory: "
          + "a relative path starts in the folder of this file",
        "error 4:21: client_auth_type cannot be \"Maybe\": use NoClientCert, RequestClientCert, "
          + "RequireAnyClientCert, VerifyClientCertIfGiven or RequireAndVerifyClientCert",
        "error 6:16: max_version is lower than min_version: change one of them; min_version is TLS12 by default",
        "error 7:19: \"TLS_NOT_REAL\" is no cipher suite that OpenSSL has: "
          + "use a name such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "error 8:23: \"P256\" is not a known curve: use CurveP256, CurveP384, CurveP521 or X25519",
        "error 9:3: \"tls_server_config\" has an unknown key \"color\": use cert, cert_file, key, key_file, "
          + "client_auth_type, client_ca, client_ca_file, client_allowed_sans, min_version, max_version, "
          + "cipher_suites, curve_preferences or prefer_server_cipher_suites",
        "error 11:31: X-Frame-Options cannot be \"allow\": use deny or sameorigin",
        "error 11:38: headers has an unknown key \"X-Own\": use Content-Security-Policy, "
          + "Strict-Transport-Security, X-XSS-Protection, X-Frame-Options or X-Content-Type-Options",
        "error 11:66: a header field cannot have a control character or a line end: remove it",
        "error 13:3: the password of this user is not a bcrypt hash: make one with htpasswd -nB",
        "error 14:25: \"soon\" is not a time: write it as 5s, 800ms or 1m",
        "error 14:38: burst cannot be \"-1\": use one from 0 to 1000000000",
      ])
    // The password of a user is not shown.
    #expect(findings.first { $0.location?.line == 13 }?.caretLines?.contains("secret") == false)
  }

  @Test(arguments: [
    ("http_server_config: {http2: true}\n", "1:22: http2 has no effect: the server speaks HTTP/1.1"),
    ("rate_limit: {interval: 1s}\n", "1:13: without a burst the limit refuses every request"),
    (
      "basic_auth_users: {ann: \(hash.replacing("$04$", with: "$15$"))}\n",
      "1:20: the cost 15 of the password's hash makes a check take seconds"
    ),
    (
      tls + "  client_auth_type: RequireAndVerifyClientCert\n",
      "4:21: without a client_ca_file, certificates of every public authority are accepted"
    ),
    (
      tls + "  client_allowed_sans: [a]\n",
      "4:24: client_allowed_sans does not keep out clients without a certificate"
    ),
    (tls + "  min_version: TLS10\n", "4:16: TLS before 1.2 is not secure (RFC 8996)"),
  ])
  func suspiciousSettingsAreWarnings(_ text: String, _ expected: String) throws {
    let (file, findings) = Self.read(try Self.folder(text))
    #expect(file != nil)
    #expect(findings.map(\.severity) == [.warning])
    #expect(Self.lines(findings).first?.hasPrefix("warning \(expected): ") == true)
  }

  @Test(arguments: [
    ("cert_file: server.crt", "1:1: tls_server_config has no key_file"),
    ("key_file: server.key", "1:1: tls_server_config has no cert_file"),
    ("client_auth_type: RequireAnyClientCert", "1:1: tls_server_config has no cert_file"),
    ("cert_file: ''\n  key_file: server.key", "1:1: tls_server_config has no cert_file"),
    ("cert_file: server.crt\n  key_file: ca.pem", "3:13: "),
    (
      "cert_file: server.crt\n  key_file: server.key\n  client_ca_file: ca.pem",
      "4:19: client_ca_file has no effect"
    ),
    ("cert_file: server.crt\n  cert: x\n  key_file: server.key", "2:14: cert and cert_file are both given"),
  ])
  func incompleteCertificateSettingsAreErrors(_ text: String, _ expected: String) throws {
    let (file, findings) = Self.read(try Self.folder("tls_server_config:\n  \(text)\n"))
    #expect(file == nil)
    // The location of a mapping is that of its first key.
    let expectedLine = expected.replacing("1:1:", with: "2:3:")
    #expect(Self.lines(findings).first?.hasPrefix("error \(expectedLine)") == true, "\(Self.lines(findings))")
  }

  @Test func anInlineKeyIsNotShown() throws {
    let (own, other) = (try Self.identity(), try Self.identity())
    func quoted(_ text: String) -> String { "\"\(text.replacing("\n", with: "\\n"))\"" }
    let good =
      "tls_server_config: {cert: \(try quoted(own.chainPEM())), key: \(try quoted(own.privateKeyPEM()))}\n"
    #expect(Self.read(try Self.folder(good)).0?.current.tls != nil)
    let key = try other.privateKeyPEM()
    let bad = "tls_server_config:\n  cert: \(try quoted(own.chainPEM()))\n  key: \(quoted(key))\n"
    let (file, findings) = Self.read(try Self.folder(bad))
    #expect(file == nil && findings.count == 1)
    #expect(findings.first?.message == "the key is not that of the certificate")
    #expect(findings.first?.caretLines?.contains("PRIVATE KEY") == false)
  }

  @Test func anUnreadableFileIsAnError() throws {
    let (file, findings) = WebConfigurationFile.read(path: "/nowhere/web.yml")
    #expect(file == nil)
    #expect(Self.lines(findings) == ["error cannot be read: No such file or directory: -"])
  }
}

/// Services that have a file.
extension WebConfigurationFileTests {
  private static func service(_ file: WebConfigurationFile) throws -> (HTTPService, String) {
    var options = HTTPServiceOptions()
    file.apply(to: &options)
    let address = SocketAddress(IPAddress(v4: 0x7F00_0001), port: 0)
    let service = try HTTPService(on: .tcp(address), options: options) { _ throws(HTTPServiceFailure) in
      HTTPServiceResponse(contentType: "text/plain", body: Array("hello".utf8))
    }
    return (service, "\(service.address)")
  }

  /// The output of curl: the head and the body.
  private static func curl(_ folder: TemporaryFolder, _ arguments: String) async throws -> String {
    let out = folder.path(of: "out")
    let script = "cd \(folder.path); exec >\(out) 2>&1; curl -sS -D- --cacert ca.pem \(arguments)"
    guard try await onAThread({ try runProgram("sh", ["-c", "command -v curl >/dev/null"]) }) == 0 else {
      try skipTest("curl is not installed")
    }
    _ = try await onAThread { try runProgram("sh", ["-c", script]) }
    return readText(out)
  }

  private static func status(_ text: String) -> String { String(text.dropFirst(9).prefix(3)) }

  @Test func theFileConfiguresAService() async throws {
    let folder = try Self.folder(
      Self.tls + """
        basic_auth_users: { ann: \(Self.hash) }
        http_server_config: { headers: { X-Frame-Options: deny } }
        rate_limit: { interval: 1h, burst: 4 }

        """)
    let (service, address) = try Self.service(try #require(Self.read(folder).0))
    defer { service.stop() }
    let accepted = try await Self.curl(folder, "-u ann:secret https://\(address)/")
    #expect(accepted.hasPrefix("HTTP/1.1 200") && accepted.hasSuffix("\r\n\r\nhello"))
    #expect(accepted.contains("\r\nX-Frame-Options: deny\r\n"))
    let refused = try await Self.curl(folder, "-u ann:other https://\(address)/")
    #expect(refused.hasPrefix("HTTP/1.1 401") && refused.hasSuffix("\r\n\r\nUnauthorized\n"))
    #expect(
      refused.contains("\r\nWWW-Authenticate: Basic\r\n") && refused.contains("\r\nX-Frame-Options: deny\r\n")
    )
    #expect(try await Self.curl(folder, "https://\(address)/").hasPrefix("HTTP/1.1 401"))
    #expect(try await Self.curl(folder, "-u ann:secret https://\(address)/").hasPrefix("HTTP/1.1 200"))
    let tooMany = try await Self.curl(folder, "-u ann:secret https://\(address)/")
    #expect(tooMany.hasPrefix("HTTP/1.1 429") && tooMany.hasSuffix("\r\n\r\nToo Many Requests\n"))
  }

  /// The fingerprint of the certificate that a service sends.
  private static func fingerprint(_ service: HTTPService, trust: TrustStore) async throws -> String? {
    try await onAThread { () throws -> String? in
      guard case .tcp(let address) = service.address else { return nil }
      let client = try SecureClient(port: address.port, trust: trust, options: .init(host: "localhost"))
      try client.handshake()
      return client.tls.observer.verification?.session.chain.first?.fingerprint
    }
  }

  @Test func validChangesApplyToNewConnections() async throws {
    let folder = try Self.folder(Self.tls + "basic_auth_users: { ann: \(Self.hash) }\n")
    let file = try #require(Self.read(folder).0)
    let reports = Guarded<[[String]]>([])
    file.onFindings { findings in reports.withLock { $0.append(Self.lines(findings)) } }
    let (service, address) = try Self.service(file)
    defer { service.stop() }
    let trust = try TrustStore(authorities: [Self.authority.get()])
    let first = try await Self.fingerprint(service, trust: trust)
    #expect(first != nil)
    // A new certificate with the previous key is not used, and the error is reported once.
    let new = try Self.identity()
    try folder.write("server.crt", new.chainPEM())
    for _ in 0..<3 { #expect(try await Self.fingerprint(service, trust: trust) == first) }
    #expect(
      reports.withLock { $0 } == [
        [
          "error 3:13: \(folder.path(of: "server.key")): the key is not that of the certificate: "
            + "give the key that the certificate was made for"
        ]
      ])
    try folder.write("server.key", new.privateKeyPEM())
    #expect(try await Self.fingerprint(service, trust: trust) == new.chain[0].fingerprint)
    // Another user, and then a file that is first invalid, then missing, then without TLS, then without users.
    try folder.write("web.yml", Self.tls + "basic_auth_users: { bob: \(Self.hash) }\n")
    #expect(Self.status(try await Self.curl(folder, "-u ann:secret https://\(address)/")) == "401")
    #expect(Self.status(try await Self.curl(folder, "-u bob:secret https://\(address)/")) == "200")
    try folder.write("web.yml", "basic_auth_users: {")
    #expect(Self.status(try await Self.curl(folder, "https://\(address)/")) == "401")
    _ = try await onAThread { try runProgram("rm", [folder.path(of: "web.yml")]) }
    #expect(Self.status(try await Self.curl(folder, "https://\(address)/")) == "401")
    try folder.write("web.yml", "basic_auth_users: {}\n")
    #expect(Self.status(try await Self.curl(folder, "https://\(address)/")) == "401")
    #expect(reports.withLock { $0.count } == 4)
    #expect(
      reports.withLock { $0 }.last == [
        "error basic_auth_users and tls_server_config cannot be removed while the server runs: "
          + "restore them, or restart the server"
      ])
    try folder.write("web.yml", Self.tls)
    #expect(Self.status(try await Self.curl(folder, "https://\(address)/")) == "401")
    #expect(reports.withLock { $0.count } == 5)
    #expect(Self.status(try await Self.curl(folder, "-u bob:secret https://\(address)/")) == "200")
  }

  /// What a file can look like while it is being replaced, or by mistake.
  static let broken: [(name: String, change: @Sendable (TemporaryFolder) throws -> Void)] = [
    ("empty", { try $0.write("web.yml", "") }), ("white space", { try $0.write("web.yml", " \n\t\r\n") }),
    ("comments", { try $0.write("web.yml", "# basic_auth_users:\n  # ann: x\n") }),
    ("an empty mapping", { try $0.write("web.yml", "{}\n") }),
    ("null", { try $0.write("web.yml", "null\n") }),
    ("no users", { try $0.write("web.yml", tls + clients + "basic_auth_users: {}\n") }),
    ("users cut off", { try $0.write("web.yml", tls + clients + "basic_auth_users:\n") }),
    (
      "a hash cut off",
      { try $0.write("web.yml", tls + clients + "basic_auth_users: { ann: \(hash.dropLast(9)) }\n") }
    ),
    ("no TLS", { try $0.write("web.yml", "basic_auth_users: { ann: \(hash) }\n") }),
    ("no client certificates", { try $0.write("web.yml", tls + "basic_auth_users: { ann: \(hash) }\n") }),
    (
      "client certificates that are not verified",
      {
        try $0.write(
          "web.yml", tls + "  client_auth_type: RequireAnyClientCert\nbasic_auth_users: { ann: \(hash) }\n")
      }
    ),
    (
      "certificates of any authority",
      {
        let verified = "  client_auth_type: RequireAndVerifyClientCert\n"
        try $0.write("web.yml", tls + verified + "basic_auth_users: { ann: \(hash) }\n")
      }
    ),
    ("half of it", { try $0.write("web.yml", String((tls + clients).dropLast(20))) }),
    ("not YAML", { try $0.write("web.yml", "basic_auth_users: {") }),
    ("an empty certificate", { try $0.write("server.crt", "") }),
    ("an empty key", { try $0.write("server.key", "") }),
    ("an empty authority", { try $0.write("ca.pem", "") }),
    ("missing", { _ = try runProgram("rm", [$0.path(of: "web.yml")]) }),
    (
      "a folder",
      { folder in
        _ = try runProgram("rm", [folder.path(of: "web.yml")])
        _ = try runProgram("mkdir", [folder.path(of: "web.yml")])
      }
    ),
    ("no limit", { try $0.write("web.yml", whole.replacing("  burst: 20\n", with: "")) }),
    ("no field", { try $0.write("web.yml", whole.replacing("    X-Frame-Options: deny\n", with: "")) }),
    ("no lowest version", { try $0.write("web.yml", whole.replacing("  min_version: TLS13\n", with: "")) }),
    ("an empty lowest version", { try $0.write("web.yml", whole.replacing("TLS13", with: "''")) }),
    ("no line end", { try $0.write("web.yml", String(whole.replacing("20", with: "2").dropLast())) }),
    ("too long", { try $0.write("web.yml", tls + String(repeating: "# long\n", count: 1 << 20)) }),
  ]

  private static let clients = """
      client_auth_type: RequireAndVerifyClientCert
      client_ca_file: ca.pem
      client_allowed_sans: [client.example]

    """

  /// A file with every setting that protects the server.
  private static let whole =
    tls + clients + """
        min_version: TLS13
      basic_auth_users: { ann: \(hash) }
      http_server_config:
        headers:
          Strict-Transport-Security: max-age=31536000; includeSubDomains
          X-Frame-Options: deny
      rate_limit:
        interval: 90s
        burst: 20

      """

  /// Whatever a reload finds, it removes no protection, and reports the reason once.
  @Test(.heavy, arguments: broken.indices)
  func aReloadRemovesNoProtection(_ index: Int) async throws {
    let (name, change) = Self.broken[index]
    let folder = try Self.folder(Self.whole)
    let file = try #require(Self.read(folder).0)
    let former = file.current
    #expect(
      former.tls != nil && former.users.count == 1 && former.fields.count == 2 && former.rateLimit != nil)
    let reports = Guarded<[[String]]>([])
    file.onFindings { findings in reports.withLock { $0.append(Self.lines(findings)) } }
    try await onAThread { try change(folder) }
    for _ in 0..<3 {
      let current = file.refreshed()
      #expect(current.users.keys.sorted() == ["ann"] && current.tls === former.tls, "\(name)")
      #expect(current.fields == former.fields && current.rateLimit == former.rateLimit, "\(name)")
    }
    #expect(reports.withLock { $0.count } == 1, "\(name)")
    #expect(reports.withLock { $0 }.first?.contains { $0.hasPrefix("error ") } == true, "\(name)")
    #expect(!file.isUsable, "\(name)")
    // The complete file takes effect at once.
    _ = try await onAThread { try runProgram("rm", ["-rf", folder.path(of: "web.yml")]) }
    try Self.write(try Self.identity(), to: folder)
    try folder.write("ca.pem", Self.authority.get().pem)
    try folder.write("web.yml", Self.whole.replacing("ann:", with: "bob:"))
    #expect(file.refreshed().users.keys.sorted() == ["bob"], "\(name)")
    #expect(file.isUsable)
  }

  /// The sections of ``whole`` with a value of several lines, each with the values of a later version.
  private static let sections: [[(former: String, later: String)]] = [
    [
      (
        tls + clients + "  min_version: TLS13\n",
        tls + clients + "  min_version: TLS13\n  max_version: TLS13\n"
      ),
      (
        "http_server_config:\n  headers:\n    Strict-Transport-Security: max-age=31536000; includeSubDomains\n",
        "http_server_config:\n  headers:\n    Strict-Transport-Security: max-age=63072000; includeSubDomains; preload\n"
      ),
      ("rate_limit:\n  burst: 20\n  interval: 90s\n", "rate_limit:\n  burst: 30\n  interval: 45s\n"),
      ("basic_auth_users:\n  ann: \(hash)\n", "basic_auth_users:\n  ann: \(hash)\n  bob: \(hash)\n"),
    ],
    [
      (
        "http_server_config:\n  headers:\n    Content-Security-Policy: >-\n      default-src 'self';\n      script-src 'none'\n",
        "http_server_config:\n  headers:\n    Content-Security-Policy: >-\n      default-src 'none';\n      img-src 'self'\n"
      ),
      ("rate_limit: { burst: 20, interval: 10s }\n", "rate_limit: { burst: 2, interval: 10s }\n"),
    ],
  ]

  /// Wherever a file is cut while it is written, each of its settings is that of the former or of the complete file.
  @Test(.heavy) func aCutFileRemovesNoProtection() throws {
    for sections in Self.sections {
      for last in sections.indices {
        let order = sections.indices.filter { $0 != last } + [last]
        let former = order.map { sections[$0].former }.joined()
        for later in [former, order.map { sections[$0].later }.joined()] {
          try Self.expectNoCutWeakens(former, becoming: later)
        }
      }
    }
  }

  private static func expectNoCutWeakens(_ former: String, becoming later: String) throws {
    let folder = try folder(former)
    let complete = try folder.write("complete.yml", later)
    let before = try #require(read(folder).0).current
    let after = try #require(WebConfigurationFile.read(path: complete).0).current
    let file = try #require(read(folder).0)
    let isWithTLS = before.tls != nil
    for end in later.utf8.indices {
      let cut = String(decoding: Array(later.utf8[..<end]), as: UTF8.self)
      try folder.write("web.yml", cut)
      let current = file.refreshed()
      #expect((current.tls != nil) == isWithTLS, "\(cut)")
      #expect([before.rateLimit, after.rateLimit].contains(current.rateLimit), "\(cut)")
      #expect(current.fields == before.fields || current.fields == after.fields, "\(cut)")
      #expect(before.users.isEmpty || current.users["ann"] != nil, "\(cut)")
      #expect(before.settings.keys.allSatisfy { current.settings[$0] != nil }, "\(cut)")
    }
    try folder.write("web.yml", later)
    let current = file.refreshed()
    #expect(current.fields == after.fields && current.rateLimit == after.rateLimit && file.isUsable)
    #expect(current.users.keys.sorted() == after.users.keys.sorted())
  }

  /// Users can be removed but the last one, values can be changed, and what was removed is gone after a restart.
  @Test func editsTakeEffect() throws {
    let folder = try Self.folder(
      "basic_auth_users:\n  ann: \(Self.hash)\n  bob: \(Self.hash)\nrate_limit: { interval: 1s, burst: 20 }\n"
    )
    let file = try #require(Self.read(folder).0)
    let users = "basic_auth_users:\n  ann: \(Self.hash)\n"
    try folder.write("web.yml", users + "rate_limit: { interval: 1s, burst: 30 }\n")
    #expect(file.refreshed().users.keys.sorted() == ["ann"] && file.current.rateLimit?.burst == 30)
    try folder.write(
      "web.yml", "{ rate_limit: { interval: 1s, burst: 40 }, basic_auth_users: { ann: \(Self.hash) } }")
    #expect(file.refreshed().rateLimit?.burst == 40 && file.isUsable)
    let reports = Guarded<[[String]]>([])
    file.onFindings { findings in reports.withLock { $0.append(Self.lines(findings)) } }
    try folder.write("web.yml", users)
    #expect(file.refreshed().rateLimit?.burst == 40 && !file.isUsable)
    #expect(
      reports.withLock { $0 } == [
        ["error rate_limit cannot be removed while the server runs: restore it, or restart the server"]
      ])
    let restarted = try #require(Self.read(folder).0)
    #expect(restarted.current.rateLimit == nil && restarted.current.users.keys.sorted() == ["ann"])
  }

  /// A server that was started with an empty file is protected once the file is complete.
  @Test func aReloadAddsProtection() async throws {
    let folder = try Self.folder("")
    let file = try #require(Self.read(folder).0)
    #expect(file.current.isEmpty)
    let (service, address) = try Self.service(file)
    defer { service.stop() }
    #expect(Self.status(try await Self.curl(folder, "http://\(address)/")) == "200")
    try folder.write("web.yml", "rate_limit: { interval: 1ms, burst: 1000 }\n")
    #expect(Self.status(try await Self.curl(folder, "http://\(address)/")) == "200")
    for text in ["", "{}\n"] {
      try folder.write("web.yml", text)
      #expect(file.refreshed().rateLimit != nil)
    }
    let limit = "rate_limit: { interval: 1ms, burst: 1000 }\n"
    try folder.write("web.yml", Self.tls + "basic_auth_users: { ann: \(Self.hash) }\n" + limit)
    #expect(Self.status(try await Self.curl(folder, "https://\(address)/")) == "401")
    #expect(Self.status(try await Self.curl(folder, "-u ann:secret https://\(address)/")) == "200")
    #expect(Self.status(try await Self.curl(folder, "http://\(address)/")) == "400")
  }
}
