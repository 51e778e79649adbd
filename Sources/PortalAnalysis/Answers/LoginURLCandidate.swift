public import ProbeCore

/// A URL of a response that may be the portal's login URL.
public struct LoginURLCandidate: Hashable, Sendable {
  /// The URL.
  public var url: ProbeURL
  /// Where it was found.
  public let source: LoginURLSource
  /// The score; the candidate with the highest one is the login URL, or the first of equal candidates.
  ///
  /// The source decides: what a standard announces scores 75 or 80, a redirect 70, a form that takes what a guest has 50, a
  /// refresh or a script that leaves at once 40, any other form 30, what needs a click 20, a link 10. Another host adds 4,
  /// an address of this client or the requested URL 2, and a portal's word in the URL 2. A URL that the response names
  /// several times scores 1 more.
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
