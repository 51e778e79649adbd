internal import ProbeCore

/// Access to the states from outside.
extension ReplayWorld {
  /// The states of each fixture that has any.
  var states: [FixtureStates] {
    fixtures.indices.compactMap { index in
      let sessions = sessions[index]
      guard !sessions.names.isEmpty else { return nil }
      let all = sessions.all(at: clock.now).compactMap { client, session in
        session.state.map { state in
          let limit = sessions.rules.limits[state]
          return FixtureStates.Session(
            client: client, state: state, remainingTime: session.remainingTime(limit, at: clock.now),
            remainingBytes: session.remainingBytes(limit))
        }
      }
      return FixtureStates(fixture: fixtures[index].name, names: sessions.names, sessions: all)
    }
  }

  /// The current state of a fixture.
  ///
  /// - Parameters:
  ///   - name: The fixture's name.
  ///   - client: The client, or nil for a new one.
  /// - Returns: The state, or nil if the fixture has no states.
  /// - Throws: ``ReplayError`` if there is no such fixture or client.
  func state(ofFixture name: String, client: String? = nil) throws(ReplayError) -> String? {
    try sessions[try fixture(named: name)].state(client: client, at: clock.now)
  }

  /// Sets the state of a fixture.
  ///
  /// - Parameters:
  ///   - state: The new state; its limits start again.
  ///   - name: The fixture's name.
  ///   - client: The client's address or the value of its cookie, whichever identifies clients in the
  ///     fixture; nil for all clients, including future ones.
  /// - Throws: ``ReplayError`` if there is no such fixture, state or client; then nothing changes.
  mutating func set(state: String, ofFixture name: String, client: String? = nil) throws(ReplayError) {
    let index = try fixture(named: name)
    guard fixtures[index].initialState != nil else {
      throw ReplayError(.unknownState, "the fixture \(Excerpt(name)) has no states")
    }
    try sessions[index].set(state, client: client, at: clock.now)
  }

  /// Resets fixtures to their initial states and, without a client, the hit counts that faults depend on.
  ///
  /// - Parameters:
  ///   - name: The fixture's name, or nil for all fixtures.
  ///   - client: The client whose state alone is reset, or nil for all clients.
  /// - Throws: ``ReplayError`` if there is no such fixture or client; then nothing changes.
  mutating func reset(fixture name: String? = nil, client: String? = nil) throws(ReplayError) {
    let named = try name.map { name throws(ReplayError) in [try fixture(named: name)] }
    let chosen = named ?? fixtures.indices.filter { client == nil || sessions[$0].rules.owner != .server }
    guard !chosen.isEmpty else {
      throw ReplayError(.unknownClient, "no fixture has a state for each client", remedy: "name no client")
    }
    // Checked on a copy, so that an error leaves everything as it was.
    var changed = sessions
    for index in chosen { try changed[index].reset(client: client, at: clock.now) }
    sessions = changed
    if client == nil { forgetHits(of: Set(chosen)) }
  }

  private func fixture(named name: String) throws(ReplayError) -> Int {
    if let index = fixtures.firstIndex(where: { $0.name == name }) { return index }
    let names = fixtures.map(\.name)
    let nearest = nearestName(to: name, among: names).map { "did you mean \($0.escapedForDisplay)?" }
    let known = names.map(\.escapedForDisplay).joined(separator: ", ")
    throw ReplayError(
      .notFound, "there is no fixture \(Excerpt(name))", remedy: nearest ?? "the server replays \(known)")
  }
}

/// The states of a fixture, and the one that each client is in.
package struct FixtureStates: Hashable, Sendable {
  /// The state of one client, or of all of them.
  package struct Session: Hashable, Sendable {
    /// The client's address or the value of its cookie; nil if all clients have the same state.
    package var client: String?
    package var state: String
    /// The rest of the state's time, or nil if it has no time limit.
    package var remainingTime: Duration?
    /// The rest of the state's bytes, or nil if they are not limited.
    package var remainingBytes: Int?
  }

  /// The fixture's name.
  package var fixture: String
  /// The names of its states, the initial one first.
  package var names: [String]
  package var sessions: [Session]
}
