/// The states of a fixture, and the one that each client is in.
public struct FixtureStates: Hashable, Sendable {
  /// The state of one client, or of all of them.
  public struct Session: Hashable, Sendable {
    /// The client's address or the value of its cookie; nil if all clients have the same state.
    public var client: String?
    /// The current state.
    public var state: String
    /// The rest of the state's time, or nil if it has no time limit.
    public var remainingTime: Duration?
    /// The rest of the state's bytes, or nil if they are not limited.
    public var remainingBytes: Int?
  }

  /// The fixture's name.
  public var fixture: String
  /// The names of its states, the initial one first.
  public var names: [String]
  /// The known sessions.
  public var sessions: [Session]
}
