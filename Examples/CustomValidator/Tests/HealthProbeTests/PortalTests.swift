import Foundation
import ProbeKit
import ProbeReplay
import Testing

@testable import HealthProbe

/// The example's validator behind captive portals, replayed: none of their pages passes for a health document.
///
/// `verify` runs the pipeline, and throws when it finds another verdict or login URL than the fixture expects.
@Suite struct PortalTests {
  private static let examples = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
  private let health = Pipeline("health") {
    ProbeSet("shop", "http://shop.example/health", "http://pay.example/health")
      .validate(HealthValidator(options: .init()))
  }
  .policy(.plaintextAllowed)

  private func network(_ folder: String) throws -> ReplayedNetwork {
    try ReplayedNetwork(Self.examples.appending(path: folder).standardizedFileURL.path, with: .bundled)
  }

  private func portal(_ name: String) throws -> ReplayedNetwork { try network("../fixtures/portals/\(name)") }

  @Test func coovaChilli() async throws { try await portal("coova-chilli").verify(health) }

  @Test func mikroTik() async throws { try await portal("mikrotik").verify(health) }

  @Test func aWISPrMessage() async throws { try await portal("wispr").verify(health) }

  @Test func theShopItself() async throws {
    var plugins = try PluginRegistry.bundled
    try plugins.register(HealthValidator.self)
    let plan = try ProbePlan(file: Self.examples.path + "/CustomValidator/health.yaml", with: plugins)
    #expect(try await network("CustomValidator/world").run(plan).verdict == .online)
  }
}
