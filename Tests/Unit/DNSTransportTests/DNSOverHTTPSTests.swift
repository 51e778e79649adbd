import BundledPlugins
import Validators
import LoopbackDNS
import LoopbackServer
import ProbeCore
import ProbeBase
import TestSupport
import Testing

@testable import Transports

private let one: [UInt8] = [192, 0, 2, 1]
private let line = Array("a.example.\t60\tIN\tA\t192.0.2.1\n".utf8)

private func failure(_ request: ProbeRequest) async throws -> ProbeFailure {
  try #require(await #expect(throws: ProbeFailure.self) { try await probe(request) })
}

/// Queries over HTTPS (RFC 8484), under the default policy.
@Suite struct DNSOverHTTPSTests {
  @Test func anAnswerIsReceived() async throws {
    let target = Guarded("")
    let server = try SecureDNS.overHTTPS { question, request in
      target.withLock { $0 = request.target }
      return http(DNSMessage(to: question).with(.address(one)).bytes)
    }
    let response = try await probe(try server.request("dns+https"))
    #expect(response.body == line && response.dns?.name == "a.example.")
    // The facts are those of the connection, and nothing is left of HTTP.
    #expect(response.tls?.chain.isEmpty == false && response.timings.firstByte != nil)
    #expect(response.head == nil && response.url.scheme == .dnsHTTPS)
    #expect(response.remoteAddress?.port == server.server.port)
    #expect(target.withLock { $0 } == "/dns-query")
    #expect(SuccessfulStatus().validate(response).isAccepted)
  }

  @Test(arguments: [
    ("a.example?type=A;path=/abc/x%20y?z=1", "/dns", "/abc/x%20y?z=1"), ("a.example?type=A", "/dns", "/dns"),
  ])
  func theURLOrAKeyNamesThePath(_ rest: String, _ key: String, _ expected: String) async throws {
    let target = Guarded("")
    let server = try SecureDNS.overHTTPS { question, request in
      target.withLock { $0 = request.target }
      return http(DNSMessage(to: question).bytes)
    }
    _ = try await probe(
      try server.request("dns+https", rest) { request in
        var options = DNSQueryOptions()
        options.path = key
        request[DNSQueryOptions.self] = options
      })
    #expect(target.withLock { $0 } == expected)
  }

  /// Some servers speak nothing else.
  @Test func aServerOfHTTP2Responds() async throws {
    let question = try #require(self.question())
    let message = DNSMessage(to: question).with(.address(one)).bytes
    let server = try SecureDNS(supportsHTTP2: true) { connection in
      var received: [UInt8] = []
      // A stream must not be answered before it is opened, so wait for the content of the request.
      while received.firstRange(of: question.bytes) == nil {
        let bytes = try connection.read()
        if bytes.isEmpty { return }
        received += bytes
      }
      guard received.starts(with: Array("PRI * HTTP/2.0".utf8)) else {
        return connection.reset()
      }
      let type = Array("application/dns-message".utf8)
      // `:status: 200`, and content-type, of the table of HPACK (RFC 7541 appendix A).
      let head: [UInt8] = [0x88, 0x0F, 0x10, UInt8(type.count)] + type
      try connection.send(
        Self.frame(4) + Self.frame(1, 4, stream: 1, head) + Self.frame(0, 1, stream: 1, message))
      while try !connection.read().isEmpty {}
    }
    let response = try await probe(try server.request("dns+https"))
    #expect(response.body == line && response.tls != nil)
  }

  private func question() -> DNSQuestion? {
    let header: [UInt8] = [0, 0, 1, 0x20, 0, 1, 0, 0, 0, 0, 0, 0]
    return DNSQuestion(header + DNSMessage.encoded("a.example") + [0, 1, 0, 1])
  }

  private static func frame(
    _ kind: UInt8, _ flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []
  ) -> [UInt8] {
    [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), kind, flags, 0, 0, 0, stream] + payload
  }

  static let faults:
    [(name: String, answer: @Sendable (DNSQuestion) -> [UInt8], reason: ReasonCode, detail: String)] = [
      (
        "another ID", { http(DNSMessage(to: $0).with(id: 7).bytes) }, .dnsFailure,
        "the response is not valid: its ID is not that of the query"
      ),
      (
        "garbage", { _ in http([UInt8](repeating: 0xFF, count: 600)) }, .dnsFailure,
        "the response is not valid: "
      ),
      ("nothing", { _ in http([]) }, .dnsFailure, "the response is not valid: "),
      (
        "a portal's page", { _ in http(Array("<form>".utf8), type: "text/html; charset=utf-8") }, .dnsFailure,
        "the response is not a DNS message: it has \"text/html; charset=utf-8\", not application/dns-message"
      ),
      (
        "no media type", { http(DNSMessage(to: $0).bytes, type: nil) }, .dnsFailure,
        "the response is not a DNS message: it has no Content-Type, not application/dns-message"
      ),
      (
        "not found", { _ in http([], status: "404 Not Found") }, .httpStatus,
        "a DNS response over HTTPS has status 200, and the server sent 404 Not Found"
      ),
      (
        "a redirect", { _ in http([], status: "302 Found", "Location: https://login.example/\r\n") },
        .httpStatus,
        "a DNS response over HTTPS has status 200, and the server sent 302 Found, a redirect to \"https://login.example/\""
      ),
      (
        "a huge body", { _ in http([UInt8](repeating: 0, count: 65_536)) }, .dnsFailure,
        "the response is longer than a DNS message can be: 65535 bytes"
      ),
      (
        "a cut body", { http(DNSMessage(to: $0).bytes, length: 60_000) }, .bodyShort, ""
      ),
      ("no HTTP", { _ in Array("not HTTP\r\n".utf8) }, .httpProtocol, ""),
      ("DNS over TLS", { framed(DNSMessage(to: $0).bytes) }, .httpProtocol, ""),
    ]

  @Test(arguments: faults.indices)
  func hostileAnswersAreFailures(_ index: Int) async throws {
    let fault = Self.faults[index]
    let server = try SecureDNS.overHTTPS { question, _ in fault.answer(question) }
    let failure = try await failure(try server.request("dns+https") { $0.redirects = 5 })
    #expect(
      failure.reason == fault.reason && failure.detail.hasPrefix(fault.detail), "\(fault.name): \(failure)")
    #expect(failure.partial?.url.scheme == .dnsHTTPS && failure.partial?.dns == nil)
    #expect(server.server.connectionCount == 1)
  }

  @Test func everyCodeIsAResponse() async throws {
    let server = try SecureDNS.overHTTPS { question, _ in
      http(DNSMessage(to: question, code: 3).bytes, type: "Application/DNS-Message; a=b")
    }
    let response = try await probe(try server.request("dns+https"))
    #expect(response.dns?.code == .noSuchName)
    #expect(SuccessfulStatus().validate(response).rejection?.reason == .noSuchHost)
  }

  @Test func theCertificateIsVerified() async throws {
    let server = try SecureDNS(hosts: ["other.example"]) { _ in }
    let failure = try await failure(try server.request("dns+https"))
    #expect(failure.reason == .certificateWrongHost && failure.partial?.url.scheme == .dnsHTTPS)
  }

  @Test func silenceIsATimeout() async throws {
    let server = try SecureDNS { $0.hold() }
    let silent = try await withGrowingLimit(
      from: .milliseconds(300), while: { (failure: ProbeFailure) in failure.reason != .responseTimeout }
    ) { limit in try await failure(try server.request("dns+https") { $0.timeout = limit }) }
    #expect(silent.reason == .responseTimeout)
  }

  @Test func rulesAboutAddressesApply() async throws {
    let server = try SecureDNS.overHTTPS { question, _ in http(DNSMessage(to: question).bytes) }
    for scheme in ["dns+https", "dns+tls"] {
      let failure = try await failure(try server.request(scheme) { $0.staysOffThisMachine = true })
      #expect(failure.reason == .addressRefused, "\(scheme)")
    }
    #expect(server.server.connectionCount == 0)
  }

  @Test func theKeysAreThoseOfDNSAndTLSAndThePath() throws {
    let transport = try #require(try PluginRegistry.bundled.transports[.dnsHTTPS])
    #expect(
      transport.requestKeys(for: .dnsHTTPS).map(\.name) == [
        "timeout", "maxBody", "retries", "backoff", "family", "interface", "connectTo", "resolver", "proxy",
        "ca", "clientCertificate", "recursion", "dnssec", "path",
      ])
  }

  @Test(arguments: [
    (
      "dns-query",
      "the path \"dns-query\" is not that of a server for queries over HTTPS: write one such as /dns-query"
    ),
    (
      "/dns-query{?dns}",
      "the path \"/dns-query{?dns}\" is a template (RFC 8484 §4.1), whose variable is for GET: write it without {?dns}, as in /dns-query"
    ),
    (
      "/a#b", "the path \"/a#b\" is not that of a server for queries over HTTPS: write one such as /dns-query"
    ),
  ])
  func anUnusablePathIsExplained(_ path: String, _ message: String) throws {
    var request = ProbeRequest(try ProbeURL("dns+https://ns.example/a"))
    var options = DNSQueryOptions()
    options.path = path
    request[DNSQueryOptions.self] = options
    let transport = try #require(try PluginRegistry.bundled.transports[.dnsHTTPS])
    let error = #expect(throws: InvalidInput.self) { try transport.check(request) }
    #expect(error?.description == message)
  }

  /// As servers publish it (RFC 8484 §4.1); `?` and braces may be in the query of a URL.
  @Test func aTemplateInTheURLIsRefused() throws {
    let request = ProbeRequest(try ProbeURL("dns+https://ns.example/a?type=A;path=/dns-query{?dns}"))
    let transport = try #require(try PluginRegistry.bundled.transports[.dnsHTTPS])
    let error = #expect(throws: InvalidInput.self) { try transport.check(request) }
    #expect(error?.remedy == "write it without {?dns}, as in /dns-query")
  }

  /// The prober makes it a downgrade, unless the policy allows http.
  @Test func aRedirectToHTTPIsADowngrade() async throws {
    let server = try SecureDNS.overHTTPS { _, _ in
      http([], status: "302 Found", "Location: http://login.example/\r\n")
    }
    for (policy, reason) in [(ProbePolicy.httpsOnly, ReasonCode.downgrade), (.plaintextAllowed, .httpStatus)]
    {
      let prober = Prober(try PluginRegistry.bundled.transports, policy: policy)
      let failure = await #expect(throws: ProbeFailure.self) {
        try await prober.probe(try server.request("dns+https"))
      }
      #expect(failure?.reason == reason)
    }
  }
}
