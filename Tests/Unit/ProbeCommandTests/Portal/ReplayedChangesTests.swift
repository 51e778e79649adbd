import BundledPlugins
import FixtureReplay
import Glibc
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit

/// Whether a replayed network can still change, on which the end of a watch depends.
@Suite(.patience(minutes: 1)) struct ReplayedChangesTests {
  private static let head = "version: 1\nname: hotel\nsource: { kind: synthetic, reference: a test }\n"

  /// The network of a fixture.
  private static func network(_ rest: String) throws -> ReplayedNetwork {
    let folder = try TemporaryFolder(["fixture.yaml": head + rest])
    return try ReplayedNetwork(folder.path, with: .bundled)
  }

  @Test func aNetworkWithoutStatesNeverChanges() throws {
    let changes = ReplayedChanges(in: try Self.network("routes: [{ respond: { status: 204 } }]\n"))
    #expect(!changes.areLeft(afterChecks: 1))
  }

  @Test func aStateThatOnlyALoginLeavesDoesNotChange() async throws {
    let network = try Self.network(
      """
      initial: captive
      routes:
        - { when: { path: /login }, respond: { status: 204 }, goto: open }
        - { when: { state: captive }, respond: { status: 511 } }
        - { when: { state: open }, respond: { status: 204 } }
      """)
    let changes = ReplayedChanges(in: network)
    try await network.open("http://h.example/")
    #expect(!changes.areLeft(afterChecks: 1))
    // A request of the watch that changes the state is followed by another check.
    try await network.open("http://h.example/login")
    #expect(changes.areLeft(afterChecks: 2))
    try await network.open("http://h.example/")
    #expect(!changes.areLeft(afterChecks: 3))
  }

  @Test func aStateWithALimitChanges() throws {
    for limit in ["after: 1h", "bytes: 1MiB"] {
      let network = try Self.network(
        """
        initial: captive
        session: { limits: { captive: { \(limit), goto: open } } }
        routes:
          - { when: { state: captive }, respond: { status: 511 } }
          - { when: { state: open }, respond: { status: 204 } }
        """)
      let changes = ReplayedChanges(in: network)
      #expect(changes.areLeft(afterChecks: 1))
      try network.setState("open")
      #expect(changes.areLeft(afterChecks: 2))
      #expect(!changes.areLeft(afterChecks: 3))
    }
  }

  @Test func clientsWithACookieAreAlwaysNew() async throws {
    let network = try Self.network(
      """
      initial: captive
      session: { by: { cookie: guest }, limits: { captive: { after: 1h, goto: open } } }
      routes:
        - { when: { state: captive }, respond: { status: 511 } }
        - { when: { state: open }, respond: { status: 204 } }
      """)
    let changes = ReplayedChanges(in: network)
    try await network.open("http://h.example/")
    #expect(!changes.areLeft(afterChecks: 1))
  }

  @Test func faultsOfCertainRequestsAreChanges() throws {
    let changes = ReplayedChanges(
      in: try Self.network(
        "routes: [{ respond: { status: 204 }, fault: { kind: rst-early, requests: [1, 3] } }]\n"))
    #expect([1, 2, 3].map { changes.areLeft(afterChecks: $0) } == [true, true, false])
  }

  @Test func aWatchEndsWithTheLastChange() async throws {
    let run = try await FolderRun(
      "portal", ["--replay", "DIR/hotel", "--timeout", "60s", "--watch", "--format", "json"],
      in: PortalCommandTests.folder())
    #expect(run.code == .notOnline)
    #expect(run.errors.hasPrefix("before the login: "))
    #expect(run.errors.hasSuffix("\nthe replayed network does not change any more\n"), "\(run.errors)")
    #expect(run.output.contains(#""stage":"beforeLogin""#))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsAWatchWithItsReport(_ number: Int32) async throws {
    let fixture = PortalCommandTests.portal.replacing(
      "routes:\n",
      with: """
        initial: captive
        session: { limits: { captive: { after: 10h, goto: open } } }
        routes:
          - { when: { listener: http, host: never.example, state: open }, respond: { status: 204 } }

        """)
    let folder = try PortalCommandTests.folder(fixture)
    let run = try Spawned(
      "exec \"$0\" portal --replay '\(folder.path)/hotel' --timeout 600s --watch --format json")
    try await run.waits { run.errors.contains("before the login: ") }
    run.send(number)
    let end = try await run.end()
    #expect(end.signal == number)
    #expect(end.output.contains(#""stage":"beforeLogin""#))
  }
}
