/// The owner of a fixture's state, and the limits that end a state.
public struct SessionRules: Hashable, Sendable {
  /// The owner of a state.
  public enum Owner: Hashable, Sendable {
    /// The server: one state for all clients.
    case server
    /// Each client address.
    case address
    /// Each value of the cookie with this name; the server sets it if a client has none (RFC 6265).
    case cookie(String)
  }

  /// The owner of each state.
  public var owner: Owner
  /// The limits that end a state, by the name of the state.
  public var limits: [String: StateLimit]

  /// Creates rules.
  public init(by owner: Owner = .server, limits: [String: StateLimit] = [:]) {
    self.owner = owner
    self.limits = limits
  }
}

/// A limit that ends a state: a time, a number of bytes, or whichever is reached first.
public struct StateLimit: Hashable, Sendable {
  /// The time since the state was entered, or nil for no limit.
  public var after: Duration?
  /// The bytes of requests and responses since the state was entered, or nil for no limit.
  public var bytes: Int?
  /// The state that follows.
  public var next: String

  /// Creates a limit.
  public init(after: Duration? = nil, bytes: Int? = nil, goto next: String) {
    self.after = after
    self.bytes = bytes
    self.next = next
  }
}
