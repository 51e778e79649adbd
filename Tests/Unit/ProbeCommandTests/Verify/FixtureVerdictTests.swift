import BundledPlugins
import EngineProfiles
import FixtureReplay
import Foundation
import ProbeCore
import ProbePipeline
import TestRequirements
import TestSupport
import Testing

@testable import ProbeCommand

/// The verdicts of `probekit check` on every network in `fixtures` with an expectation.
@Suite struct FixtureVerdictTests {
  private static let folder = projectFile("fixtures").path

  /// Only the paths and the findings: fixtures that live as long as the process look like leaks, because their enums
  /// hide pointers.
  private static let all = FixtureLoader().load([folder]).map {
    (
      path: String($0.path.dropFirst(folder.count + 1)), hasExpectation: $0.fixture?.expectation != nil,
      findings: $0.findings.map { "\($0)" }
    )
  }

  @Test(arguments: all.filter(\.hasExpectation).map(\.path))
  func theFixtureMeetsItsExpectation(_ path: String) async throws {
    let loaded = FixtureLoader().load(fixture: "\(Self.folder)/\(path)")
    let fixture = try #require(loaded.fixture)
    // A busy machine may need more time for networks that do respond.
    let run = try await withGrowingLimit(
      from: Self.isSilent(fixture) ? .milliseconds(400) : .seconds(60),
      while: { (run: VerifiedRun) in run.mismatches.contains { $0.subject == .verdict } }
    ) { limit in try await Self.check(loaded, timeout: limit) }
    #expect(run.mismatches == [])
  }

  @Test(.heavy) func noFixtureHasFindings() {
    #expect(Self.all.count(where: \.hasExpectation) >= 259)
    #expect(Self.all.count >= 326)
    for finding in Self.all.flatMap(\.findings) { Issue.record("\(finding)") }
  }

  /// Whether probes of the network must wait until they time out.
  private static func isSilent(_ fixture: Fixture) -> Bool {
    fixture.listeners.values.contains { [.blackhole, .hold].contains($0) }
      || fixture.dns.rules.contains { $0.value == .timeout }
  }

  private static let own = Result { EngineProfile.own.loaded(with: try .bundled) }

  private static func check(_ fixture: LoadedFixture, timeout: Duration) async throws -> VerifiedRun {
    var loaded = try own.get()
    loaded.change { $0.overrides = [RequestSetting { request, _ in request.timeout = timeout }] }
    let verifier = try FixtureVerifier(
      [try loaded.plan()], over: try PluginRegistry.bundled.transports)
    return try #require(await verifier.verify([fixture]).first?.runs.first)
  }
}
