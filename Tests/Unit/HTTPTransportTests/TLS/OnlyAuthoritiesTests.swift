import LoopbackServer
import ProbeTLS
import ProbeCore
import Testing

@testable import ByteStreams

/// Requests that trust certain authorities and no others.
@Suite(.eachClient) struct OnlyAuthoritiesTests {
  private func server(hosts: [String] = ["localhost"]) throws -> LoopbackServer {
    try LoopbackServer.http(tls: Identities.shared.context(.init(hosts: hosts))) { _ in .response(body: "ok")
    }
  }

  private func strangersPEM() throws -> [UInt8] {
    Array(try CertificateAuthority(name: "Stranger").pem.utf8)
  }

  @Test func theGivenAuthoritiesAreTrusted() async throws {
    let server = try server()
    let both = try Identities.shared.pem + strangersPEM()
    for pem in [Identities.shared.pem, both] {
      let probe = try request(server.secureURL) { $0.tls.onlyAuthorities = pem }
      #expect(try await transport.probe(probe).status == 200)
    }
  }

  @Test func otherAuthoritiesAreNotTrusted() async throws {
    let server = try server()
    let failure = try await failure(
      of: try request(server.secureURL) {
        $0.trustTestAuthority()
        $0.tls.onlyAuthorities = try strangersPEM()
      })
    #expect(failure?.reason == .certificateUntrusted)
    #expect(server.requests.isEmpty)
    // The authorities of one request do not affect another.
    let trusting = try request(server.secureURL) { $0.tls.onlyAuthorities = Identities.shared.pem }
    #expect(try await transport.probe(trusting).status == 200)
    #expect(
      try await HTTPTransportTests.failure(of: request(server.secureURL))?.reason == .certificateUntrusted)
  }

  @Test func otherAuthoritiesAreNotEvenRead() async throws {
    let server = try server()
    let probe = try request(server.secureURL) {
      $0.tls.additionalAuthorities = "/nonexistent/ca.pem"
      $0.tls.onlyAuthorities = Identities.shared.pem
    }
    #expect(try await transport.probe(probe).status == 200)
  }

  @Test func theyApplyToAnEncryptedProxyToo() async throws {
    let origin = try Identities.shared.context(.init(hosts: ["server.invalid"]))
    let proxy = try ScriptedProxy.tunnel(
      origin: origin, tls: try Identities.shared.context(.init(hosts: ["localhost"])))
    let right = try request("https://server.invalid/") {
      $0.tls.onlyAuthorities = Identities.shared.pem
      try $0.use(proxy, as: "https")
    }
    #expect(try await transport.probe(right).status == 200)
    for url in ["https://server.invalid/", "http://server.invalid/"] {
      let failure = try await failure(
        of: try request(url) {
          $0.trustTestAuthority()
          $0.tls.onlyAuthorities = try strangersPEM()
          try $0.use(proxy, as: "https")
        })
      #expect(failure?.reason == .proxyFailed)
      #expect(failure?.detail.contains("certificate of the proxy") == true, "\(failure?.detail ?? "")")
    }
  }

  @Test func theyApplyAfterARedirectToo() async throws {
    let target = try server()
    let location = target.secureURL
    let context = try Identities.shared.context(.init(hosts: ["localhost"]))
    let server = try LoopbackServer.http(tls: context) { _ in
      .response(302, headers: [(name: "Location", value: location)])
    }
    var registry = TransportRegistry()
    try registry.register(transport)
    let response = try await Prober(registry).probe(
      try request(server.secureURL) {
        $0.redirects = 1
        $0.tls.onlyAuthorities = Identities.shared.pem
      })
    #expect(response.status == 200)
    #expect(response.url.string == location)
  }

  @Test(arguments: [
    ("", "the text holds no certificate in PEM form"),
    ("garbage\0\u{1}", "the text holds no certificate in PEM form"),
    ("/etc/ssl/certs/ca-certificates.crt", "the text holds no certificate in PEM form"),
    (
      "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n",
      "certificate 1 of the text is broken: bad base64 decode"
    ),
  ])
  func invalidCertificatesAreReportedBeforeAnythingIsSent(text: String, reason: String) async throws {
    let server = try server()
    let failure = try await failure(
      of: try request(server.secureURL) { $0.tls.onlyAuthorities = Array(text.utf8) })
    #expect(failure?.reason == .invalidRequest)
    #expect(failure?.detail == "the only authorities to trust: \(reason)")
    #expect(server.connectionCount == 0)
  }

  @Test func aPlaintextRequestIgnoresThem() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "ok") }
    let probe = try request(server.url()) { $0.tls.onlyAuthorities = [] }
    #expect(try await transport.probe(probe).status == 200)
  }

  @Test func storesAreCachedUpToACapacity() throws {
    let authorities = Authorities()
    var options = TLSRequestOptions()
    options.onlyAuthorities = Identities.shared.pem
    let first = try authorities.store(for: options, isInUse: true)
    #expect(try authorities.store(for: options, isInUse: true) === first)
    #expect(authorities.textCount == 1)
    let pem = Identities.shared.pem
    for number in 0..<(3 * Authorities.capacity) {
      options.onlyAuthorities = Array("server \(number)\n".utf8) + pem
      #expect(try authorities.store(for: options, isInUse: true).count == 1)
      #expect(authorities.textCount <= Authorities.capacity)
    }
  }
}
