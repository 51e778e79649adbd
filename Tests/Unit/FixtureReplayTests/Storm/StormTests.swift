import FixtureReplay
import Foundation
import LoopbackServer
import ProbeTLS
import TestClients
import TestSupport
import Testing

/// All fixtures at once with clients of random behavior; each test in a separate process.
@Suite struct StormTests {
  private static let folder = projectFile("fixtures").path

  private static var fixtures: [Fixture] { FixtureLoader().load([folder]).compactMap(\.fixture) }

  @Test func everyFixtureAtOnce() async {
    await #expect(processExitsWith: .success) {
      let fixtures = StormTests.fixtures
      try #require(fixtures.count > 80)
      // Creates everything that exists once per process.
      try await StormTests.storm(Array(fixtures.prefix(3)), rounds: 3, seed: 0)
      let before = ProcessUse.now
      let mishaps = try await StormTests.storm(fixtures, rounds: 60, seed: 1)
      try #require(mishaps == [], "\(mishaps)")
      let isClean = await ProcessUse.settles { now in
        now.addsNothing(to: before) && now.threads(named: "probekit-replay") == 0
          && now.threads(named: "test") == 0
      }
      try #require(isClean, "\(before) \(ProcessUse.now)")
    }
  }

  @Test func startAndStop() async {
    await #expect(processExitsWith: .success) {
      let world = [Fixture(name: "wire", routes: [ReplayRoute("page", response: Page.response)])]
      func cycle() async throws -> Bool {
        try await serving(world) { server in
          let secure = try server.secureClient()
          try secure.send(plainRequest)
          let plain = try server.client()
          try plain.send(plainRequest)
          return secure.receive(upTo: Page.count).text == Page.text
            && plain.receive(upTo: Page.count).text == Page.text
        }
      }
      let isServed = try await cycle()
      try #require(isServed)
      let before = ProcessUse.now
      for _ in 0..<50 {
        let isServed = try await cycle()
        try #require(isServed)
      }
      let isClean = await ProcessUse.settles { now in
        now.addsNothing(to: before) && now.threads(named: "probekit-replay") == 0
          && now.threads(named: "test") == 0
      }
      try #require(isClean, "\(before) \(ProcessUse.now)")
    }
  }
}

extension StormTests {
  /// Serves each fixture on its own server, with eight threads of clients.
  ///
  /// - Returns: The problems.
  @discardableResult
  private static func storm(_ fixtures: [Fixture], rounds: Int, seed: UInt64) async throws -> [String] {
    let trust = try TestAuthority.trust
    var options = ReplayOptions()
    options.authority = try TestAuthority.shared
    let servers = try fixtures.map { try ReplayServer([$0], options: options) }
    var mishaps = try await withThrowingTaskGroup(of: [String].self) { group in
      for worker in 0..<8 {
        group.addTask {
          try await onAThread {
            var client = StormClient(seed: seed * 100 + UInt64(worker), trust: trust)
            return (0..<rounds).compactMap { _ in client.visit(servers, fixtures) }
          }
        }
      }
      // Some servers end in the middle of it.
      for server in servers.prefix(servers.count / 4) { server.stop() }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let responses = servers.reduce(0) { $0 + $1.journal.count }
    if responses < rounds { mishaps.append("only \(responses) requests were answered") }
    for server in servers { server.stop() }
    return mishaps
  }
}
