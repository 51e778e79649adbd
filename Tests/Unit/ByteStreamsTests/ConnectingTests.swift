import ByteStreams
import LoopbackServer
import ProbeTLS
import ProbeCore
import TestSupport
import Testing

/// How connections are established, and why they fail.
@Suite struct ConnectingTests {
  /// The failure of connecting, or nil if the connection was established.
  private func failure(
    _ request: ProbeRequest, encryption: Encryption = .plaintext
  ) async -> ProbeFailure? {
    do throws(ProbeFailure) {
      _ = try await TestStreams.connector.connect(for: request, encryption: encryption)
      return nil
    } catch {
      return error
    }
  }

  private func request(_ url: String) throws -> ProbeRequest {
    var request = ProbeRequest(try ProbeURL(url))
    request.timeout = .seconds(600)
    return request
  }

  @Test func aClosedPortIsReportedAsRefused() async throws {
    let port = try LoopbackServer.refusedPort()
    let failure = await failure(try request("tcp://127.0.0.1:\(port)"))
    #expect(failure?.reason == .connectRefused)
    #expect(failure?.partial?.remoteAddress?.description == "127.0.0.1:\(port)")
    #expect(failure?.partial?.connection?.attempts.map(\.ending) == [.failed(.connectRefused)])
  }

  @Test func aBlackHoleIsATimeout() async throws {
    let blackhole = try BlackholePort()
    var request = try request("tcp://127.0.0.1:\(blackhole.port)")
    request.connectTimeout = .milliseconds(200)
    let failure = await failure(request)
    #expect(failure?.reason == .connectTimeout)
    #expect(failure?.partial?.connection?.attempts.map(\.ending) == [.abandoned])
  }

  @Test func theDefaultPortIsUsedForAURLWithoutAPort() async throws {
    let server = try LoopbackServer.holding()
    var request = try request("finger://127.0.0.1/")
    request.connectTo = [ConnectTo(host: nil, port: nil, targetHost: nil, targetPort: server.port)]
    let without = await failure(request)
    #expect(without?.reason == .invalidRequest)
    let stream = try await TestStreams.connector.connect(for: request, defaultPort: 79)
    #expect(stream.response.remoteAddress?.port == server.port)
    // A rule for that port applies to this URL, and one for another port does not.
    request.connectTo = try ["127.0.0.1:80::1", "127.0.0.1:79::\(server.port)"].map { try ConnectTo($0) }
    let mapped = try await TestStreams.connector.connect(for: request, defaultPort: 79)
    #expect(mapped.response.remoteAddress?.port == server.port)
    #expect(mapped.response.url == request.url)
  }

  @Test func anInvalidRequestIsRefused() async throws {
    var request = try request("tcp://127.0.0.1:1")
    request.connectTimeout = .zero
    let failure = await failure(request)
    #expect(failure?.reason == .invalidRequest)
    #expect(failure?.detail.contains("the connect timeout is not positive") == true)
  }

  @Test func addressesOfThisMachineAreNotConnectedTo() async throws {
    let server = try LoopbackServer.holding()
    for host in ["127.0.0.1", "localhost"] {
      var request = try request("tcp://\(host):\(server.port)")
      request.staysOffThisMachine = true
      let failure = await failure(request)
      #expect(failure?.reason == .addressRefused)
      #expect(failure?.partial?.connection?.attempts.allSatisfy { $0.ending == .refused } == true)
    }
    #expect(server.connectionCount == 0)
  }

  @Test func aMissingSourceIsReported() async throws {
    let server = try LoopbackServer.holding()
    for source in ["192.0.2.77", "nosuch0"] {
      var request = try request("tcp://127.0.0.1:\(server.port)")
      request.source = try ProbeSource(source)
      #expect(await failure(request)?.reason == .noSource)
    }
    for source in ["127.0.0.1", "lo"] {
      var request = try request("tcp://127.0.0.1:\(server.port)")
      request.source = try ProbeSource(source)
      #expect(await failure(request) == nil)
    }
  }

  @Test func theOtherFamilyOfANameIsTried() async throws {
    let server = try LoopbackServer.holding(on: .v4)
    let stream = try await TestStreams.connector.connect(for: try request("tcp://localhost:\(server.port)"))
    #expect(stream.response.remoteAddress?.address.family == .v4)
    #expect(stream.response.timings.resolve != nil)
    #expect(stream.response.connection?.addresses.contains { $0.address.isLoopback } == true)
  }

  @Test func certificatesAreVerified() async throws {
    var (elsewhere, expired, early, alone, incomplete) = (
      LeafOptions(hosts: ["elsewhere.example"]), LeafOptions(hosts: ["localhost"]),
      LeafOptions(hosts: ["localhost"]), LeafOptions(hosts: ["localhost"]), LeafOptions(hosts: ["localhost"])
    )
    expired.validity = .expired
    early.validity = .notYetValid
    alone.signer = .itself
    incomplete.signer = .missingIntermediate
    let rows: [(LeafOptions, ReasonCode)] = [
      (elsewhere, .certificateWrongHost), (expired, .certificateExpired), (early, .certificateNotYetValid),
      (alone, .certificateSelfSigned), (incomplete, .certificateUntrusted),
    ]
    elsewhere.validity = .expired
    for (leaf, reason) in rows + [(elsewhere, .certificateExpired)] {
      let server = try LoopbackServer(tls: TestStreams.shared.context(leaf)) { $0.hold() }
      let refused = await failure(
        try TestStreams.shared.request(server, isEncrypted: true), encryption: .encrypted)
      #expect(refused?.reason == reason, "\(refused as Any)")
      #expect(refused?.partial?.tls?.chain.first?.alternativeNames == leaf.hosts)
      #expect(refused?.partial?.tls?.version != nil)
    }

    let good = try LoopbackServer(tls: TestStreams.shared.context()) { $0.hold() }
    var stranger = try TestStreams.shared.request(good, isEncrypted: true)
    stranger.tls.onlyAuthorities = Array(try CertificateAuthority(name: "Stranger").pem.utf8)
    let untrusted = await failure(stranger, encryption: .encrypted)
    #expect(untrusted?.reason == .certificateUntrusted)
    #expect(untrusted?.partial?.tls?.chain.isEmpty == false)
  }

  @Test func failedHandshakesAreReported() async throws {
    let plain = try LoopbackServer { connection in
      _ = try connection.read()
      try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    let notTLS = await failure(
      try TestStreams.shared.request(plain, isEncrypted: true), encryption: .encrypted)
    #expect(notTLS?.reason == .notTLS)
    let alerting = try LoopbackServer.tlsAlert(40)
    let alert = await failure(
      try TestStreams.shared.request(alerting, isEncrypted: true), encryption: .encrypted)
    #expect(alert?.reason == .tlsHandshake)
    #expect(alert?.detail.contains("handshake failure") == true)
    let resetting = try LoopbackServer { connection in
      _ = try connection.read()
      connection.reset()
    }
    let reset = await failure(
      try TestStreams.shared.request(resetting, isEncrypted: true), encryption: .encrypted)
    #expect(reset?.reason == .connectReset)
    let silent = try LoopbackServer.holding()
    let waiting = try await withGrowingLimit(
      from: .milliseconds(200), while: { (failure: ProbeFailure?) in failure?.reason == .connectTimeout }
    ) { limit in
      var request = try TestStreams.shared.request(silent, isEncrypted: true)
      request.connectTimeout = limit
      return await failure(request, encryption: .encrypted)
    }
    #expect(waiting?.reason == .tlsTimeout)
    let ending = try LoopbackServer { _ = try $0.read() }
    let ended = await failure(
      try TestStreams.shared.request(ending, isEncrypted: true), encryption: .encrypted)
    #expect(ended?.reason == .tlsHandshake)
  }

  @Test func cancellingEndsConnecting() async throws {
    let blackhole = try BlackholePort()
    let request = try request("tcp://127.0.0.1:\(blackhole.port)")
    let connecting = Task { await failure(request) }
    try await Task.sleep(for: .milliseconds(20))
    connecting.cancel()
    #expect(await connecting.value?.reason == .cancelled)
  }

  @Test func connectionsLeaveNoDescriptorsOpen() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer.holding()
      var request = ProbeRequest(try ProbeURL("tcp://127.0.0.1:\(server.port)"))
      request.timeout = .seconds(600)
      let connector = StreamConnector()
      _ = try await connector.connect(for: request)
      let before = ProcessUse.now
      for _ in 0..<500 { _ = try await connector.connect(for: request) }
      let isBack = await ProcessUse.settles { $0.descriptors <= before.descriptors + 20 }
      try #require(isBack)
    }
  }
}
