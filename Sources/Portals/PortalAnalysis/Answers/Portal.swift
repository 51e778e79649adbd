public import ProbeCore

/// A captive portal as identified from a response: its login URL, and what it states about itself.
public struct Portal: Hashable, Sendable {
  /// The login URL; its scheme is http or https, and it has no credentials.
  public var loginURL: ProbeURL
  /// Where the URL was found.
  public var source: LoginURLSource
  /// The portal's WISPr message, or nil if there is none.
  public var wispr: WISPrMessage?
  /// The kind of its response, such as ``ResponseKind/login`` or ``ResponseKind/voucher``.
  public var kind: ResponseKind
  /// How often such a finding was right on recorded responses, 0 to 1.
  ///
  /// It is nil if a standard decides: status 511, RFC 8908, WISPr.
  ///
  /// docs/verdicts.md compares what was reported with what was right, cross-validated by vendors.
  public var confidence: Double?
  /// All URLs of the response that may be the login URL, the best first, up to a limit.
  public var candidates: [LoginURLCandidate]

  /// Creates a portal.
  public init(
    loginURL: ProbeURL, source: LoginURLSource, wispr: WISPrMessage? = nil, kind: ResponseKind = .login,
    confidence: Double? = nil, candidates: [LoginURLCandidate] = []
  ) {
    self.loginURL = loginURL
    self.source = source
    self.wispr = wispr
    self.kind = kind
    self.confidence = confidence
    self.candidates = candidates
  }
}
