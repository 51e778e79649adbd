public import ProbeCore

/// What the API of a captive portal says of this client (RFC 8908 §5).
public struct CapportDocument: Hashable, Sendable {
  /// Whether this client has to log in.
  public var captive: Bool
  /// The page to open for logging in.
  public var userPortalURL: ProbeURL?
  /// A page on the place one is at.
  public var venueInfoURL: ProbeURL?
  /// Whether the portal's page can prolong the session.
  public var canExtendSession: Bool?
  /// How long the client is let through still, or nil when there is no end or none is told.
  public var timeRemaining: Duration?
  /// How many bytes the client may still move, or nil when there is no limit or none is told.
  public var bytesRemaining: Int?

  /// What an API says.
  public init(
    captive: Bool, userPortalURL: ProbeURL? = nil, venueInfoURL: ProbeURL? = nil,
    canExtendSession: Bool? = nil, timeRemaining: Duration? = nil, bytesRemaining: Int? = nil
  ) {
    self.captive = captive
    self.userPortalURL = userPortalURL
    self.venueInfoURL = venueInfoURL
    self.canExtendSession = canExtendSession
    self.timeRemaining = timeRemaining
    self.bytesRemaining = bytesRemaining
  }
}
