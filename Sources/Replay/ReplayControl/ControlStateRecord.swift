import FixtureReplay
import ProbeCore

/// The state of a fixture in JSON; the names are part of the format.
///
/// A limit that the state does not have is omitted, and so are the clients of a fixture with one state for all.
struct ControlStateRecord: Encodable {
  private enum Key: CodingKey { case fixture, state, secondsRemaining, bytesRemaining, clients }

  /// A client that the fixture knows.
  private struct Client: Encodable {
    private enum Key: CodingKey { case client, state, secondsRemaining, bytesRemaining }

    let session: FixtureStates.Session

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(session.client, forKey: .client)
      try container.encode(session.state, forKey: .state)
      try container.encodeIfPresent(session.remainingTime?.inSeconds, forKey: .secondsRemaining)
      try container.encodeIfPresent(session.remainingBytes, forKey: .bytesRemaining)
    }
  }

  private let fixture: String
  /// The state of all clients, or that of new ones.
  private let state: String?
  private let sessions: [FixtureStates.Session]?

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - fixture: The fixture's name.
  ///   - state: The state of all clients, or that of new ones.
  ///   - states: The sessions, or nil for a fixture without states.
  init(fixture: String, state: String?, of states: FixtureStates?) {
    self.fixture = fixture
    self.state = state
    sessions = states?.sessions
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let all = sessions?.first { $0.client == nil }
    try container.encode(fixture, forKey: .fixture)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(all?.remainingTime?.inSeconds, forKey: .secondsRemaining)
    try container.encodeIfPresent(all?.remainingBytes, forKey: .bytesRemaining)
    if let sessions, all == nil { try container.encode(sessions.map(Client.init), forKey: .clients) }
  }
}
