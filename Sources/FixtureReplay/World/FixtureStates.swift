/// The states of a fixture, and the one that each client is in.
package struct FixtureStates: Hashable, Sendable {
  /// The state of one client, or of all of them.
  package struct Session: Hashable, Sendable {
    /// The client's address or the value of its cookie; nil if all clients have the same state.
    package var client: String?
    /// The current state.
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
  /// The known sessions.
  package var sessions: [Session]
}
