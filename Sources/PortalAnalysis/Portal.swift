public import ProbeCore

/// A captive portal as far as an answer gives it away: where to log in.
public struct Portal: Hashable, Sendable {
  /// The page to open for logging in; its scheme is http or https.
  public var loginURL: ProbeURL
  /// Where the address was found.
  public var source: LoginURLSource

  /// A portal.
  public init(loginURL: ProbeURL, source: LoginURLSource) {
    self.loginURL = loginURL
    self.source = source
  }
}
