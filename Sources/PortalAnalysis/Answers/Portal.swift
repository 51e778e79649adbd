public import ProbeCore

/// A captive portal as far as an answer gives it away: where to log in, and what it says of itself.
public struct Portal: Hashable, Sendable {
  /// The page to open for logging in; its scheme is http or https, and it has no credentials.
  public var loginURL: ProbeURL
  /// Where the address was found.
  public var source: LoginURLSource
  /// What the portal says in WISPr, or nil when it does not speak it.
  public var wispr: WISPrMessage?

  /// A portal.
  public init(loginURL: ProbeURL, source: LoginURLSource, wispr: WISPrMessage? = nil) {
    self.loginURL = loginURL
    self.source = source
    self.wispr = wispr
  }
}
