import Validators
import LoopbackDNS
import LoopbackServer
import ProbeCore
import Testing

@testable import Transports

private let one: [UInt8] = [192, 0, 2, 1]

private func failure(_ request: ProbeRequest) async throws -> ProbeFailure {
  try #require(await #expect(throws: ProbeFailure.self) { try await probe(request) })
}

/// Queries over TLS (RFC 7858), under the default policy.
@Suite struct DNSOverTLSTests {
  @Test func anAnswerIsReceivedInsideTLS() async throws {
    let server = try SecureDNS.overTLS { framed(DNSMessage(to: $0).with(.address(one)).bytes) }
    let response = try await probe(try server.request("dns+tls"))
    #expect(response.body == Array("a.example.\t60\tIN\tA\t192.0.2.1\n".utf8))
    #expect(response.dns?.code == .noError && response.tls?.chain.isEmpty == false)
    #expect(response.timings.tls != nil && response.timings.firstByte != nil && response.head == nil)
    #expect(response.remoteAddress?.port == server.server.port)
    #expect(server.server.serverNames == ["localhost"])
    let validator = try CertificateValidator(options: CertificateValidator.Options(expiresAfter: "1h"))
    #expect(validator.validate(response).isAccepted)
    #expect(SuccessfulStatus().validate(response).isAccepted)
  }

  @Test func aLongAnswerIsReceivedInPieces() async throws {
    let server = try SecureDNS.overTLS { question in
      var message = DNSMessage(to: question)
      for number in 0..<300 {
        message = message.with(
          .other(type: 16, [200] + [UInt8](repeating: 0x78, count: 200)), timeToLive: UInt32(number))
      }
      return framed(message.bytes)
    }
    let response = try await probe(try server.request("dns+tls", "a.example?type=TXT") { $0.maxBody = 10 })
    #expect(response.dns?.answer.count == 300 && response.body.count == 10 && response.bodyIsCut)
  }

  @Test func theCertificateIsVerified() async throws {
    let server = try SecureDNS.overTLS(hosts: ["other.example"]) { _ in [] }
    let wrong = try await failure(try server.request("dns+tls"))
    #expect(wrong.reason == .certificateWrongHost && wrong.partial?.tls != nil)
    let untrusted = try await failure(
      try server.request("dns+tls") { $0.tls.additionalAuthorities = nil })
    #expect(untrusted.reason == .certificateUntrusted)
  }

  static let faults: [(name: String, answer: @Sendable (DNSQuestion) -> [UInt8], reason: ReasonCode)] = [
    ("another ID", { framed(DNSMessage(to: $0).with(id: $0.id &+ 1).bytes) }, .dnsFailure),
    ("no message", { _ in framed([]) }, .dnsFailure),
    ("one byte of a length", { _ in [0] }, .bodyShort),
    ("nothing", { _ in [] }, .bodyShort),
    (
      "a cut message", { Array(framed(DNSMessage(to: $0).with(.address(one)).bytes).dropLast(3)) }, .bodyShort
    ),
    ("a length of 64 KiB", { _ in [0xFF, 0xFF] + [UInt8](repeating: 0, count: 100) }, .bodyShort),
    ("garbage", { _ in framed([UInt8](repeating: 0xFF, count: 600)) }, .dnsFailure),
    ("a web page", { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nlogin".utf8) }, .bodyShort),
    ("the query", { framed($0.message) }, .dnsFailure),
  ]

  @Test(arguments: faults.indices)
  func hostileAnswersAreFailures(_ index: Int) async throws {
    let fault = Self.faults[index]
    let server = try SecureDNS.overTLS(fault.answer)
    let failure = try await failure(try server.request("dns+tls"))
    #expect(failure.reason == fault.reason, "\(fault.name): \(failure)")
    #expect(!failure.detail.contains("over TCP"), "\(fault.name): \(failure)")
    #expect(failure.partial?.tls != nil && failure.partial?.body.isEmpty == true)
  }

  @Test func aServerWithoutTLSIsAFailure() async throws {
    let plain = try LoopbackServer { try $0.send("not TLS\n") }
    let failure = try await failure(ProbeRequest(try ProbeURL("dns+tls://127.0.0.1:\(plain.port)/a.example")))
    #expect(failure.reason == .notTLS)
  }

  @Test func theKeysAreThoseOfDNSAndTLS() {
    let transport = DNSTransport()
    #expect(
      transport.requestKeys(for: .dnsTLS).map(\.name) == [
        "timeout", "maxBody", "retries", "backoff", "family", "interface", "connectTo", "resolver", "proxy",
        "ca", "clientCertificate", "recursion", "dnssec",
      ])
    #expect(Set(transport.schemes.keys) == [.dns, .dnsTLS])
    #expect(transport.schemes[.dnsTLS] == .encrypted)
  }

  @Test(arguments: [
    (
      "dns+tls://ns.example",
      "a dns+tls URL needs a name: write it as dns+tls://ns.example/example.com?type=A"
    ),
    (
      "dns+tls://ns.example/a?type=A;path=/x",
      "the query of a dns+tls URL has \"path=/x\": use type=A;class=IN"
    ),
  ])
  func mistakesAreExplained(_ url: String, _ message: String) throws {
    let request = ProbeRequest(try ProbeURL(url))
    let error = #expect(throws: InvalidInput.self) { try DNSTransport().check(request) }
    #expect(error?.description == message)
  }

  @Test(arguments: ["dns+tls", "dns+https"])
  func aServerIsRequired(_ scheme: String) {
    for url in ["\(scheme):///a.example", "\(scheme):a.example"] {
      #expect(throws: InvalidInput.self) { try ProbeURL(url) }
    }
  }
}
