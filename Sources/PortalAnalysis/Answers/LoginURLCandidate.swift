public import ProbeCore

/// A URL of a response that may be the portal's login URL.
public struct LoginURLCandidate: Hashable, Sendable {
  /// The URL.
  public var url: ProbeURL
  /// Where it was found.
  public let source: LoginURLSource
  /// The score; the candidate with the highest one is the login URL, or the first of equal candidates.
  ///
  /// A URL on a host other than the probed one scores 100. The source adds 10 (``LoginURLSource/probeURL``)
  /// to 90 (``LoginURLSource/location``). A form with fields for a login scores 10 more, and a URL that needs
  /// a click 10 less.
  public let score: Int
  /// The reasons for the score: one line, safe to print.
  public let reason: String

  /// Creates a candidate.
  public init(url: ProbeURL, source: LoginURLSource, score: Int, reason: String) {
    self.url = url
    self.source = source
    self.score = score
    self.reason = reason
  }
}
