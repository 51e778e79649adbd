import BundledPlugins
import FixtureReplay
import ProbeBase
import ProbeCore
import TestClients
import TestSupport

/// A server whose fixture is rewritten repeatedly during requests: each response must be of a single version.
struct ReloadScenario: Scene {
  let scenario: Scenario
  var numbers: SeededNumbers

  mutating func play() async throws {
    let folder = try TemporaryFolder()
    let versions = Guarded(VersionsInUse())
    try VersionedPage(number: 0, &numbers).write(into: folder)
    var options = ReplayOptions()
    options.authority = scenario.authority
    let server = try ReplayServer(FixtureLoader().load([folder.path]).compactMap(\.fixture), options: options)
    defer { server.stop() }
    let tally = scenario.tally
    let count = numbers.size(5...60)
    let transports = scenario.shared.routed(to: server)
    let (writing, asking) = (numbers.branch(), (0..<6).map { _ in numbers.branch() })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { versions.withLock { $0.isOver = true } }
        try await Self.rewrite(folder, server, versions, count: count, writing, tally)
      }
      for (index, numbers) in asking.enumerated() {
        group.addTask {
          // Some clients use a new connection for each request, others a single one.
          if index < 4 {
            try await PageReader(versions, tally).ask(transports, index % 2 == 0 ? "http" : "https", numbers)
          } else {
            let port = server.port(of: .http)
            try await onAThread { try PageReader(versions, tally).ask(port: port) }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func rewrite(
    _ folder: TemporaryFolder, _ server: ReplayServer, _ versions: Guarded<VersionsInUse>, count: Int,
    _ numbers: SeededNumbers, _ tally: Tally
  ) async throws {
    var numbers = numbers
    for number in 1...count {
      try VersionedPage(number: number, &numbers).write(into: folder)
      let loaded = FixtureLoader().load([folder.path])
      if let finding = loaded.flatMap(\.findings).first { tally.problem("a fixture is wrong: \(finding)") }
      versions.withLock { $0.newest = number }
      try server.replace(with: loaded.compactMap(\.fixture))
      versions.withLock { $0.oldest = number }
      tally.add(1, .reloads)
      try? await Task.sleep(for: numbers.time(upTo: .milliseconds(40)))
    }
  }
}

/// The versions that a response may have.
struct VersionsInUse: Sendable {
  /// The version that has certainly been loaded.
  var oldest = 0
  /// The version that may have been loaded.
  var newest = 0
  /// Whether there are no more versions.
  var isOver = false
}
