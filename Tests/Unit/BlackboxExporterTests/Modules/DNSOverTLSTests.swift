import ByteStreams
import LoopbackDNS
import LoopbackServer
import ProbeCore
import ProbeTLS
import TestSupport
import Testing

@testable import BlackboxExporter

/// DNS modules with `dns_over_tls`.
@Suite struct DNSOverTLSTests {
  /// A server whose response is an address, over TLS with a certificate for `localhost`.
  private static func server(tls: ServerContext? = nil) throws -> LoopbackServer {
    try LoopbackServer(tls: try tls ?? TestAuthority.server()) { connection in
      let question = DNSQuestion(Array(try Self.read(connection).dropFirst(2)))
      let bytes = question.map { DNSMessage(to: $0).with(.address([192, 0, 2, 1])).bytes } ?? []
      try connection.send([UInt8(bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes)
      // The client closes.
      _ = try? connection.read()
    }
  }

  /// A message with the two bytes of its length.
  private static func read(_ connection: LoopbackConnection) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < 2 || bytes.count < 2 + Int(bytes[0]) << 8 + Int(bytes[1]) {
      bytes += try connection.read()
    }
    return bytes
  }

  private func probe(
    _ target: String, _ adjust: (inout DNSModule) throws -> Void = { _ in }
  ) async throws -> ProbeReport {
    var module = DNSModule()
    (module.name, module.type, module.query.usesTCP, module.usesTLS) = ("name.example", "A", true, true)
    module.addresses = .ipv4
    module.tls.authorities = try TestAuthority.pem
    try adjust(&module)
    return try await ExporterProber.forTests.probe(
      target, with: ExporterModule(name: "dns", prober: "dns", probe: .dns(module)), timeout: plenty)
  }

  @Test(arguments: [("localhost", nil), ("127.0.0.1", "localhost")] as [(String, String?)])
  func aQueryIsSentInsideTLS(_ host: String, _ serverName: String?) async throws {
    let server = try Self.server()
    let report = try await probe("\(host):\(server.port)") { $0.tls.serverName = serverName }
    #expect(report.succeeded, "\(report.story)")
    #expect(server.serverNames == ["localhost"])
    #expect(report.samples["probe_dns_answer_rrs"] == 1)
    let phases = report.samples.all.filter { $0.name == "probe_dns_duration_seconds" }
    #expect(phases.contains { $0.labels["phase"] == "connect" && $0.value > 0 }, "\(report.metrics)")
    #expect(phases.contains { $0.labels["phase"] == "request" && $0.value > 0 }, "\(report.metrics)")
  }

  /// A host and a server name that the certificate does not match, and the reason for the failure.
  @Test(
    arguments: [
      ("127.0.0.1", nil, ReasonCode.certificateWrongHost),
      ("localhost", "other.example", .certificateWrongHost),
    ] as [(String, String?, ReasonCode)])
  func aWrongCertificateIsRejected(_ host: String, _ serverName: String?, _ reason: ReasonCode) async throws {
    let server = try Self.server()
    let report = try await probe("\(host):\(server.port)") { $0.tls.serverName = serverName }
    #expect(report.failure?.reason == reason, "\(report.story)")
    #expect(report.samples["probe_dns_query_succeeded"] == 0)
  }

  @Test func aSelfSignedCertificateIsRejectedOrObserved() async throws {
    let server = try Self.server(tls: try TestAuthority.server { $0.signer = .itself })
    let refused = try await probe("localhost:\(server.port)")
    #expect(refused.failure?.reason == .certificateSelfSigned, "\(refused.story)")
    let observed = try await probe("localhost:\(server.port)") { $0.tls.checks.observesCertificates = true }
    #expect(observed.succeeded, "\(observed.story)")
  }

  @Test func aServerWithoutTLSIsAFailure() async throws {
    let server = try LoopbackServer { try $0.send("not TLS\n") }
    let report = try await probe("localhost:\(server.port)")
    #expect(report.failure?.reason == .notTLS, "\(report.story)")
  }

  @Test(arguments: [
    (true, "dns://a.example", 853), (true, "dns://a.example:99", 99), (false, "dns://a.example", 53),
  ])
  func theDefaultPortIsThatOfTheProtocol(_ usesTLS: Bool, _ target: String, _ port: UInt16) throws {
    var module = DNSModule()
    (module.name, module.query.usesTCP, module.usesTLS) = ("name.example", true, usesTLS)
    let request = try ExporterProber.request(
      module, to: IPAddress(v4: 0xC000_0201), of: try ProbeURL(target), within: plenty)
    #expect(request.url.port == port)
    #expect(request.url.host == (usesTLS ? "a.example" : "192.0.2.1"))
    #expect(request.hostToConnectTo == "192.0.2.1")
  }
}
