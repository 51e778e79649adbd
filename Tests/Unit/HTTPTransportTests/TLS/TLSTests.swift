import LoopbackServer
import ProbeTLS
import ProbeCore
import Testing

/// Certificates and handshakes, good and bad.
@Suite(.eachClient) struct TLSTests {
  @Test(arguments: [("TLSv1.3", TLSVersion.v1_3), ("TLSv1.2", .v1_2)])
  func theSessionOfATrustedServerIsDescribed(_ name: String, _ version: TLSVersion) async throws {
    let context = try Identities.shared.context(.init(hosts: ["localhost"]), versions: version...version)
    let server = try LoopbackServer.http(tls: context) { _ in .response(body: "ok") }
    let response = try await transport.probe(try request(server.secureURL) { $0.trustTestAuthority() })
    #expect(response.status == 200)
    let tls = try #require(response.tls)
    #expect(tls.version == name)
    #expect(tls.cipher?.isEmpty == false)
    let leaf = try #require(tls.chain.first)
    #expect(leaf.alternativeNames == ["localhost"])
    #expect(leaf.issuer.contains("ProbeKit Test Authority"))
    #expect(tls.earliestExpiry == leaf.notAfter)
    #expect(response.timings.tls.map { $0 > .zero } == true)
    #expect(server.serverNames == ["localhost"])
  }

  @Test func connectToKeepsServerNameAndCertificate() async throws {
    let context = try Identities.shared.context(.init(hosts: ["login.example.com"]))
    let server = try LoopbackServer.http(tls: context) { _ in .response(body: "ok") }
    let probe = try request("https://login.example.com/") {
      $0.trustTestAuthority()
      $0.connectTo = [ConnectTo(host: nil, port: 443, targetHost: "127.0.0.1", targetPort: server.port)]
    }
    #expect(try await transport.probe(probe).status == 200)
    #expect(server.serverNames == ["login.example.com"])
  }

  /// A certificate that must be rejected, and the reason.
  struct BadCertificate: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var reason: ReasonCode
    var chain = 1
    var trusted = true
    var leaf: @Sendable (inout LeafOptions) -> Void = { _ in }

    static let all: [BadCertificate] = [
      BadCertificate(testDescription: "expired", reason: .certificateExpired) { $0.validity = .expired },
      BadCertificate(testDescription: "not yet valid", reason: .certificateNotYetValid) {
        $0.validity = .notYetValid
      },
      BadCertificate(testDescription: "self-signed", reason: .certificateSelfSigned) { $0.signer = .itself },
      BadCertificate(testDescription: "unknown root", reason: .certificateUntrusted, trusted: false),
      BadCertificate(
        testDescription: "unknown root, full chain", reason: .certificateUntrusted, chain: 2, trusted: false
      ) {
        $0.signer = .intermediate
      },
      BadCertificate(testDescription: "incomplete chain", reason: .certificateUntrusted) {
        $0.signer = .missingIntermediate
      },
      BadCertificate(testDescription: "wrong host", reason: .certificateWrongHost) {
        $0.hosts = ["other.example"]
      },
      // RFC 9525 §2: the common name does not count.
      BadCertificate(testDescription: "common name only", reason: .certificateWrongHost) {
        $0.hasAlternativeNames = false
      },
      BadCertificate(testDescription: "wrong purpose", reason: .certificateInvalid) { $0.purposes = .client },
    ]
  }

  @Test(arguments: BadCertificate.all)
  func aBadCertificateIsRefusedAndReported(_ bad: BadCertificate) async throws {
    var leaf = LeafOptions(hosts: ["localhost"])
    bad.leaf(&leaf)
    let server = try LoopbackServer.http(tls: try Identities.shared.context(leaf)) { _ in
      .response(body: "secret")
    }
    let failure = try await failure(
      of: try request(server.secureURL) { if bad.trusted { $0.trustTestAuthority() } })
    #expect(failure?.reason == bad.reason, "\(failure as Any)")
    let tls = try #require(failure?.partial?.tls)
    #expect(tls.chain.count == bad.chain)
    #expect(tls.earliestExpiry != nil)
    #expect(tls.version != nil)
    // No request was sent to a server with the wrong identity.
    #expect(server.requests.isEmpty)
  }

  @Test func theFullChainIsTrusted() async throws {
    var leaf = LeafOptions(hosts: ["localhost"])
    leaf.signer = .intermediate
    let server = try LoopbackServer.http(tls: try Identities.shared.context(leaf)) { _ in
      .response(body: "ok")
    }
    let response = try await transport.probe(try request(server.secureURL) { $0.trustTestAuthority() })
    #expect(response.tls?.chain.count == 2)
  }

  @Test func probesDoNotShareAdditionalAuthorities() async throws {
    let context = try Identities.shared.context(.init(hosts: ["localhost"]))
    let server = try LoopbackServer.http(tls: context) { _ in .response(body: "ok") }
    for _ in 0..<3 {
      let trusting = try request(server.secureURL) { $0.trustTestAuthority() }
      #expect(try await transport.probe(trusting).status == 200)
      #expect(try await failure(of: try request(server.secureURL))?.reason == .certificateUntrusted)
    }
  }

  @Test(arguments: [
    (UInt8(40), "handshake failure"), (70, "protocol version"), (80, "internal error"),
    (112, "unrecognized name"),
  ])
  func anAlertIsNamed(_ alert: UInt8, _ name: String) async throws {
    let server = try LoopbackServer.tlsAlert(alert)
    let failure = try await failure(of: try request(server.secureURL))
    #expect(failure?.reason == .tlsHandshake)
    #expect(failure?.detail.contains(name) == true, "\(failure as Any)")
  }

  @Test func plainHTTPOnATLSPortIsReported() async throws {
    let server = try LoopbackServer.respondingToHandshake(
      with: Array("HTTP/1.1 302 Found\r\nLocation: http://portal.example/\r\n\r\n".utf8))
    #expect(try await failure(of: try request(server.secureURL))?.reason == .notTLS)
  }

  @Test func aServerThatClosesDuringTheHandshakeIsReported() async throws {
    let closing = try LoopbackServer { _ = try $0.read() }
    let closed = try await failure(of: try request(closing.secureURL))
    #expect(closed?.reason == .tlsHandshake, "\(closed as Any)")
    let resetting = try LoopbackServer { connection in
      _ = try connection.read()
      connection.reset()
    }
    #expect(try await failure(of: try request(resetting.secureURL))?.reason == .connectReset)
  }

  @Test func anOldVersionIsRefused() async throws {
    let context = try Identities.shared.context(.init(hosts: ["localhost"]), versions: .v1_0 ... .v1_0)
    let server = try LoopbackServer.http(tls: context) { _ in .response(body: "ok") }
    let failure = try await failure(of: try request(server.secureURL) { $0.trustTestAuthority() })
    #expect(failure?.reason == .tlsHandshake, "\(failure as Any)")
  }

  @Test func aDelimitedResponseWithoutCloseNotifyIsAccepted() async throws {
    let context = try Identities.shared.context(.init(hosts: ["localhost"]))
    let server = try LoopbackServer(tls: context) { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      connection.shutdownWrite(notify: false)
    }
    let response = try await transport.probe(try request(server.secureURL) { $0.trustTestAuthority() })
    #expect(response.body == Array("ok".utf8))
  }

  @Test func anUnusableAuthorityFileIsReportedWithItsPath() async throws {
    let failure = try await failure(
      of: try request("https://localhost:1/") { $0.tls.additionalAuthorities = "/nonexistent/ca.pem" })
    #expect(failure?.reason == .invalidRequest)
    #expect(failure?.detail.contains("/nonexistent/ca.pem") == true)
  }
}
