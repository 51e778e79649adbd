import FixtureReplay
import ProbeTLS
import ProbeCore
import TestClients
import TestSupport
import Testing
import ProbeSystem

/// Ports that are assigned to one destination each.
@Suite struct AssignedPortTests {
  private static func greeting(_ host: String) -> ReplayRoute {
    ReplayRoute(
      host, when: RouteCondition(listener: .tcp, host: host), response: .send(Array("\(host)\n".utf8)))
  }

  private static let world = [
    Fixture(
      name: "world", routes: [greeting("mail.example"), greeting("news.example"), greeting("*")],
      tls: ["192.0.2.1": .expired, "*": .valid])
  ]

  private static func greeting(_ server: ReplayServer, _ host: String, _ port: UInt16) throws -> String {
    try RawClient(port: server.assignPort(for: .tcp, host: host, port: port)).receivePart().text
  }

  @Test func anAssignedPortIdentifiesTheIntendedServer() async throws {
    let (texts, entries) = try await serving(Self.world) { server in
      let texts = try [
        Self.greeting(server, "news.example", 119), Self.greeting(server, "Mail.Example", 25),
        Self.greeting(server, "other.example", 25), server.client(.tcp).receivePart().text,
      ]
      return (texts, server.journal.entries)
    }
    // The destination of a client on the shared port is unknown: the first route matches.
    #expect(texts == ["news.example\n", "mail.example\n", "*\n", "mail.example\n"])
    #expect(
      entries.map { $0.destination.map { "\($0.host):\($0.port)" } } == [
        "news.example:119", "mail.example:25", "other.example:25", nil,
      ])
  }

  @Test func aDestinationHasOneAssignedPort() async throws {
    let ports = try await serving(Self.world) { server in
      try [
        server.assignPort(for: .tcp, host: "a.example", port: 25),
        server.assignPort(for: .tcp, host: "A.example", port: 25),
        server.assignPort(for: .tcp, host: "a.example", port: 26),
        server.assignPort(for: .https, host: "a.example", port: 25),
        server.port(of: .tcp),
      ]
    }
    #expect(ports[0] == ports[1])
    #expect(Set(ports).count == 4)
  }

  @Test func theAddressReplacesTheMissingTLSName() async throws {
    let seen = try await serving(Self.world) { server in
      try ["192.0.2.1", "192.0.2.2"].map { host in
        let client = try SecureClient(
          port: server.assignPort(for: .https, host: host, port: 443), trust: TestAuthority.trust,
          options: .init(host: host))
        try? client.handshake()
        return client.tls.observer.verification
      }
    }
    #expect(seen.map { $0?.problem } == [.expired, nil])
    #expect(seen.map { $0?.session.chain.first?.alternativeNames.first } == ["192.0.2.1", "192.0.2.2"])
  }

  @Test func aClosedListenerAssignsNoPorts() async throws {
    let world = [Fixture(name: "shut", listeners: [.tcp: .refused], routes: [])]
    let isRefused = try await serving(world) { server in
      let port = try server.assignPort(for: .tcp, host: "a.example", port: 25)
      return port == server.port(of: .tcp) && RawClient.refuses(port: port)
    }
    #expect(isRefused)
  }

  @Test func aStoppedServerHasNoPortsAndAssignsNone() async throws {
    let server = try ReplayServer(Self.world)
    let assigned = try server.assignPort(for: .tcp, host: "a.example", port: 25)
    let open = try server.client()
    server.stop()
    server.stop()
    #expect(open.receive().ending != .silence)
    for listener in ReplayListener.allCases { #expect(RawClient.refuses(port: server.port(of: listener))) }
    #expect(RawClient.refuses(port: assigned))
    let error = #expect(throws: ReplayError.self) {
      try server.assignPort(for: .tcp, host: "b.example", port: 25)
    }
    #expect(error?.code == .stopped)
  }

  /// A connection may be established just when the server stops; otherwise it would never be closed.
  @Test func connectionsDuringAStopAreClosed() async throws {
    for _ in 0..<100 {
      let server = try ReplayServer(Self.world)
      let endings = try await onAThread {
        var clients: [RawClient] = []
        var stopping: WorkerThread?
        for count in 0..<40 {
          if count == 5 { stopping = try WorkerThread(named: "test-stop") { server.stop() } }
          guard let client = try? server.client() else { break }
          clients.append(client)
        }
        stopping?.join()
        // The system drops a connection that is established while its port is closed, and resets it at the
        // next packet.
        return clients.map { client in
          try? client.send("x")
          return client.receive().ending
        }
      }
      #expect(endings.count >= 5)
      #expect(!endings.contains(.silence))
    }
  }
}
