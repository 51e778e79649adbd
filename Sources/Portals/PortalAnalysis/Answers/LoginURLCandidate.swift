public import ProbeCore

/// A URL of a response that may be the portal's login URL.
public struct LoginURLCandidate: Hashable, Sendable {
  /// The URL.
  public var url: ProbeURL
  /// Where it was found.
  public let source: LoginURLSource
  /// The score; the candidate with the highest one is the login URL, or the first of equal candidates.
  ///
  /// The source decides: what a standard announces scores 80 (RFC 8908) or 75 (WISPr). A redirect to another
  /// host, or with status 511, scores 70, a redirect on the same host 32. A refresh or a script that leaves
  /// at once scores 60 in the body of status 511 and 40 elsewhere. A form that takes what a guest has, or the
  /// page with it, scores 59 with fields that only a login has, 50 without, and 35 if it is hidden; any other
  /// form scores 30. What needs a click scores 20, a link or a frame 10, the probed URL 0.
  ///
  /// Another host adds 4. An address in the local network, an address of this client or the requested URL
  /// adds 2, and so does a portal's word in the URL. What has another purpose, such as terms or help, scores
  /// 5 in any case, a form 20. A URL that the response names several times scores 1 more.
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
