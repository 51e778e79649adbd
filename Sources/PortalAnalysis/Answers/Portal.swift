public import ProbeCore

/// A captive portal as identified from a response: its login URL, and what it states about itself.
public struct Portal: Hashable, Sendable {
  /// The login URL; its scheme is http or https, and it has no credentials.
  public var loginURL: ProbeURL
  /// Where the URL was found.
  public var source: LoginURLSource
  /// The portal's WISPr message, or nil if there is none.
  public var wispr: WISPrMessage?
  /// The kind of its response, such as ``AnswerKind/login`` or ``AnswerKind/voucher``.
  public var kind: AnswerKind
  /// All URLs of the response that may be the login URL, the best first, up to a limit.
  public var candidates: [LoginURLCandidate]

  /// Creates a portal.
  public init(
    loginURL: ProbeURL, source: LoginURLSource, wispr: WISPrMessage? = nil, kind: AnswerKind = .login,
    candidates: [LoginURLCandidate] = []
  ) {
    self.loginURL = loginURL
    self.source = source
    self.wispr = wispr
    self.kind = kind
    self.candidates = candidates
  }
}
