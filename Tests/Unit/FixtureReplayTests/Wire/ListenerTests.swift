import BundledPlugins
import FixtureReplay
import Foundation
import ProbeCore
import TestClients
import TestRequirements
import Testing

/// How connections are accepted, before anything is sent on them.
@Suite struct ListenerTests {
  private static func world(_ mode: ListenerMode) -> [Fixture] {
    let all = Dictionary(uniqueKeysWithValues: ReplayListener.allCases.map { ($0, mode) })
    return [Fixture(name: "wire", listeners: all, routes: [ReplayRoute("page", response: Page.response)])]
  }

  @Test(arguments: ReplayListener.allCases)
  func aRefusedConnectionIsRefusedUntilTheEnd(_ listener: ReplayListener) async throws {
    let isRefused = try await serving(Self.world(.refused)) { server in
      RawClient.refuses(port: server.port(of: listener))
    }
    #expect(isRefused)
  }

  @Test(arguments: ReplayListener.allCases)
  func aBlackHoleSwallowsEveryAttempt(_ listener: ReplayListener) async throws {
    let attempts = try await serving(Self.world(.blackhole)) { server in
      (0..<3).map { _ in
        RawClient.isStillConnecting(port: server.port(of: listener), after: .milliseconds(50))
      }
    }
    #expect(attempts == [true, true, true])
  }

  @Test(arguments: ReplayListener.allCases)
  func aConnectionIsResetAtOnce(_ listener: ReplayListener) async throws {
    let endings = try await serving(Self.world(.rst)) { server in
      (0..<3).map { _ in
        // The reset may arrive before the connection is reported as established.
        do throws(RawClient.Failure) {
          return try RawClient(port: server.port(of: listener)).receive().ending
        } catch {
          return error == .connectionReset ? .reset : .silence
        }
      }
    }
    #expect(endings == [.reset, .reset, .reset])
  }

  @Test(arguments: ReplayListener.allCases)
  func aHeldConnectionIsReadWithoutAResponse(_ listener: ReplayListener) async throws {
    let (silence, end, entries) = try await serving(Self.world(.hold)) { server in
      let client = try server.client(listener)
      // More than the buffers can contain, so that the server must read it.
      for _ in 0..<800 { try client.send([UInt8](repeating: 0x0A, count: 64 << 10)) }
      let silence = client.receive(within: .milliseconds(40))
      client.shutdownWrite()
      return (silence, client.receive(), server.journal.entries)
    }
    #expect(silence == .init([], .silence))
    #expect(end == .init([], .fin))
    #expect(entries.isEmpty)
  }

  @Test func theListenerModeCanChange() async throws {
    let endings = try await serving(Self.world(.open)) { server in
      var endings: [RawClient.Ending] = []
      for mode in [ListenerMode.hold, .rst, .open] {
        try server.replace(with: Self.world(mode))
        let client = try server.client()
        try? client.send(plainRequest)
        endings.append(
          client.receive(
            upTo: Page.count, within: mode == .hold ? .milliseconds(60) : RawClient.patience
          ).ending)
      }
      return endings
    }
    #expect(endings == [.silence, .reset, .enough])
  }

  @Test func conflictingFixturesAreNotServed() throws {
    let error = #expect(throws: ReplayError.self) {
      try ReplayServer(Self.world(.hold) + Self.world(.rst))
    }
    #expect(error?.code == .conflict)
  }

  @Test func aPortInUseIsAnError() throws {
    let first = try ReplayServer(Self.world(.open))
    defer { first.stop() }
    var options = ReplayOptions()
    options.ports = [.tcp: first.port(of: .tcp)]
    let error = #expect(throws: ReplayError.self) { try ReplayServer(Self.world(.open), options: options) }
    #expect(error?.code == .cannotBind)
    #expect(
      error?.message
        == "cannot listen on 127.0.0.1:\(first.port(of: .tcp)): Address already in use: choose another port, or none for a free one"
    )
  }

  /// The whole way by IPv6: the listener, the port of one destination, and the listeners that receive nothing.
  @Test(.enabled(if: hasIPv6, "this machine has no IPv6 on loopback"))
  func aServerListensOnIPv6() async throws {
    var options = ReplayOptions()
    options.address = IPAddress(v6: 1)
    options.authority = try TestAuthority.shared
    let greeting = ReplayRoute(
      "greeting", when: RouteCondition(listener: .tcp), response: .send(Array("hi\n".utf8)))
    let fixture = Fixture(
      name: "wire", listeners: [.https: .blackhole],
      routes: [greeting, ReplayRoute("page", response: Page.response)])
    let server = try ReplayServer([fixture], options: options)
    defer { server.stop() }
    #expect(server.address(of: .http).description == "[::1]:\(server.port(of: .http))")
    let prober = Prober(try PluginRegistry.bundled.transports.routed(to: server), policy: .plaintextAllowed)
    var asking = ProbeRequest(try ProbeURL("http://wire.example/"))
    asking.timeout = .seconds(600)
    let page = try await prober.probe(asking)
    #expect(page.status == 302 && page.body == Array(Page.body.utf8))
    var hearing = ProbeRequest(try ProbeURL("tcp://wire.example:25"))
    hearing.timeout = .seconds(600)
    hearing.expectation = ClosureValidator { response in
      response.body.isEmpty ? .rejected(.bodyMismatch, expected: "some text", found: "none") : .accepted
    }
    #expect(try await prober.probe(hearing).body == Array("hi\n".utf8))
    var swallowed = ProbeRequest(try ProbeURL("https://wire.example/"))
    swallowed.timeout = .milliseconds(50)
    let failure = await #expect(throws: ProbeFailure.self) { try await prober.probe(swallowed) }
    #expect(failure?.reason == .connectTimeout)
  }
}
