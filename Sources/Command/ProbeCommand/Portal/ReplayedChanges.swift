import FixtureReplay
import ProbeBase

/// Whether a replayed network can still change while nothing but a watch sends requests to it.
///
/// Nobody logs in to a replayed network. It changes by the limits of its states, by requests of the watch itself that
/// change its state, and by faults of a certain request.
final class ReplayedChanges: Sendable {
  private let network: ReplayedNetwork
  private let lastStates: Guarded<[String]>

  /// Begins before the first check.
  init(in network: ReplayedNetwork) {
    self.network = network
    lastStates = Guarded(Self.sessions(of: network).map(\.state))
  }

  /// Whether a check after these checks may find something else than they did.
  ///
  /// - Parameter checks: The number of checks, each of which sends the same requests.
  /// - Returns: Whether it may.
  func areLeft(afterChecks checks: Int) -> Bool {
    let sessions = Self.sessions(of: network)
    let states = sessions.map(\.state)
    let before = lastStates.withLock { last in
      defer { last = states }
      return last
    }
    if states != before { return true }
    if sessions.contains(where: { $0.remainingTime != nil || $0.remainingBytes != nil }) { return true }
    return network.fixture.routes.contains { ($0.fault?.requests?.max() ?? 0) > checks }
  }

  /// The states of the clients; none if the network knows clients by a cookie, because a watch sends no cookies and is
  /// a new client in each request.
  private static func sessions(of network: ReplayedNetwork) -> [FixtureStates.Session] {
    if case .cookie = network.fixture.session?.owner { return [] }
    return ((try? network.server.states()) ?? []).flatMap(\.sessions)
  }
}
