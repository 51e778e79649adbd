import BundledPlugins
import ProbeCore
import ProbeStreams
import TestClients
import Testing

@testable import FixtureReplay

/// The ports of a transparent server, without redirection: connections count as made to the ports themselves.
@Suite struct TransparentServerTests {
  private static let world = [
    Fixture(
      name: "transparent", listeners: [.https: .refused],
      routes: [
        ReplayRoute(
          "page", when: RouteCondition(listener: .http, host: "a.example"),
          response: .respond(.init(body: Array("page".utf8)))),
        ReplayRoute(
          "greeting", when: RouteCondition(listener: .tcp, host: "127.0.0.1"),
          response: .send(Array("hello\n".utf8))),
      ], dns: ["shut.example": .nxdomain, "silent.example": .timeout])
  ]

  private func serving<Value: Sendable>(
    _ world: [Fixture] = world, _ body: @escaping @Sendable (ReplayServer, RedirectTargets) throws -> Value
  ) async throws -> Value {
    var options = ReplayOptions()
    options.isTransparent = true
    return try await FixtureReplayTests.serving(world, options: options) { server in
      try body(server, #require(server.redirectTargets))
    }
  }

  private func message(_ name: String, id: UInt16) throws -> [UInt8] {
    let message = try DNSQuery(name: name, type: .a).message(id: id)
    return [0, UInt8(message.count)] + message
  }

  @Test func aServerIsTransparentOnRequestOnly() throws {
    let server = try ReplayServer([Fixture(name: "usual", routes: [])])
    defer { server.stop() }
    #expect(server.redirectTargets == nil)
  }

  @Test func namesAreResolvedOverUDP() async throws {
    var options = ReplayOptions()
    options.isTransparent = true
    options.authority = try TestAuthority.shared
    let server = try ReplayServer(Self.world, options: options)
    defer { server.stop() }
    let port = try #require(server.redirectTargets).dns
    let prober = try Prober(PluginRegistry.bundled.transports, policy: .plaintextAllowed)
    func ask(_ name: String) async throws -> DNSFacts? {
      var request = ProbeRequest(try ProbeURL("dns://127.0.0.1:\(port)/\(name)?type=A"))
      request.timeout = .seconds(600)
      return try await prober.probe(request).dns
    }
    #expect(try await ask("a.example")?.answer.map(\.data) == ["28.64.0.0"])
    #expect(try await ask("shut.example")?.code == .noSuchName)
  }

  @Test func namesAreResolvedOverTCP() async throws {
    let addresses = try await serving { _, targets in
      let client = try RawClient(port: targets.dns)
      // Two queries and the start of a third, then its rest.
      // Between them are junk and a query without a response.
      let third = try self.message("c.example", id: 3)
      try client.send(
        self.message("a.example", id: 1) + [0, 3, 1, 2, 3] + self.message("silent.example", id: 9)
          + self.message("b.example", id: 2) + third.prefix(7))
      try client.send(Array(third.dropFirst(7)))
      return try [1, 2, 3].map { id in
        let length = client.receive(upTo: 2).bytes
        let bytes = client.receive(upTo: Int(length[1])).bytes
        let query = try DNSQuery(name: ["a", "b", "c"][id - 1] + ".example", type: .a)
        return try DNSResponse(bytes, to: query, id: UInt16(id)).facts.answer.map(\.data)
      }
    }
    #expect(addresses == [["28.64.0.0"], ["28.64.0.1"], ["28.64.0.2"]])
  }

  @Test func theFirstByteDecidesOnThePortForOthers() async throws {
    let receptions = try await serving { server, targets in
      let web = try RawClient(port: targets.other)
      try web.send("GET / HTTP/1.0\r\nHost: a.example\r\n\r\n")
      let page = web.receive().text
      // HTTPS is refused: a connection that starts with a handshake is reset.
      let secure = try RawClient(port: targets.other)
      try secure.send([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])
      let ending = secure.receive().ending
      let greeting = try RawClient(port: targets.tcp).receivePart().text
      return (page, ending, greeting)
    }
    #expect(receptions.0.hasSuffix("\r\n\r\npage"))
    #expect(receptions.1 == .reset)
    #expect(receptions.2 == "hello\n")
  }

  @Test func aStoppedServerClosesUnclassifiedConnections() async throws {
    var options = ReplayOptions()
    options.isTransparent = true
    options.authority = try TestAuthority.shared
    let server = try ReplayServer([Fixture(name: "silent", routes: [])], options: options)
    let targets = try #require(server.redirectTargets)
    let clients = try [RawClient(port: targets.other), RawClient(port: targets.dns)]
    // The loop's thread responds, and has accepted the others by then.
    let last = try RawClient(port: targets.dns)
    try last.send(message("a.example", id: 1))
    #expect(last.receivePart().bytes.count > 12)
    server.stop()
    for client in clients { #expect(client.receive().ending != .silence) }
    #expect(RawClient.refuses(port: targets.other) && RawClient.refuses(port: targets.dns))
  }
}
