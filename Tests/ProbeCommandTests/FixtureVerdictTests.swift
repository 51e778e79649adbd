import BundledPlugins
import FixtureReplay
import Foundation
import ProbeCore
import ProbePipeline
import Testing

/// What `probekit check` says of every network in `fixtures` that tells what it should say.
@Suite struct FixtureVerdictTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../fixtures").standardizedFileURL.path

  private static let fixtures = FixtureLoader().load([folder]).compactMap { loaded in
    loaded.fixture.flatMap { $0.expectation == nil ? nil : (path: loaded.path, fixture: $0) }
  }

  /// What needs a look into pages, and at all the evidence together, which the first simple rule does not take.
  private static let beyondTheRule: Set = ["meta-refresh", "wispr", "block-page-403", "https-cut"]

  @Test(arguments: fixtures.indices)
  func theVerdictIsTheExpectedOne(_ index: Int) async throws {
    let fixture = Self.fixtures[index].fixture
    let expectation = try #require(fixture.expectation)
    let expected = expectation.verdicts.map(\.rawValue)
    var timeout = Self.isSilent(fixture) ? 400 : 20_000
    var (verdict, loginURL) = try await Self.check(fixture, timeout: timeout)
    // A loaded machine may need more time for what is not silent.
    while !expected.contains(verdict), timeout < 5000 {
      timeout *= 3
      (verdict, loginURL) = try await Self.check(fixture, timeout: timeout)
    }
    try withKnownIssue {
      #expect(expected.contains(verdict), "\(Self.fixtures[index].path)")
      guard let wanted = expectation.loginURL.flatMap({ try? ProbeURL($0) }) else { return }
      let found = try ProbeURL(loginURL ?? "http://none.invalid/")
      #expect((found.scheme, found.host, found.port) == (wanted.scheme, wanted.host, wanted.port))
      #expect(found.path == wanted.path)
    } when: {
      Self.beyondTheRule.contains(fixture.name)
    }
  }

  @Test func everyFixtureIsInOrder() {
    let loaded = FixtureLoader().load([Self.folder])
    #expect(loaded.count > 80)
    for finding in loaded.flatMap(\.findings) { Issue.record("\(finding)") }
  }

  /// Whether probes of the network must wait until their time is over.
  private static func isSilent(_ fixture: Fixture) -> Bool {
    fixture.listeners.values.contains { [.blackhole, .hold].contains($0) }
      || fixture.dns.rules.contains { $0.value == .timeout }
  }

  private static func check(_ fixture: Fixture, timeout: Int) async throws -> (String, loginURL: String?) {
    let server = try ReplayServer([fixture])
    defer { server.stop() }
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.led(to: server)
    let check = try await Check(["--format=json", "--timeout=\(timeout)ms"], plugins: plugins)
    let report = try check.json()
    let portal = report["portal"] as? [String: Any]
    return (try #require(report["verdict"] as? String), portal?["loginURL"] as? String)
  }
}
