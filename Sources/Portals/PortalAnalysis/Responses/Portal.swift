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

/// Where a login URL was found.
///
/// The raw values are part of the format of reports. The cases are in descending order of weight: information
/// from the protocol itself precedes that from a page, and a mere guess comes last. Within a response, a WISPr
/// message precedes a redirect; of several responses, one that redirects is what a browser follows.
public enum LoginURLSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The API of RFC 8908.
  case capport
  /// The Location header field of a redirect or of a 511 response.
  case location
  /// A WISPr message.
  case wispr
  /// The body of a 511 response (RFC 6585 §6).
  case body511
  /// A `<meta http-equiv="refresh">` of a page.
  case metaRefresh
  /// A script of a page that navigates elsewhere.
  case javascript
  /// A form of a page.
  case form
  /// A link of a page.
  case link
  /// The probed URL itself, or the one that the `decide` rule of an engine gives: opening it shows the portal's page.
  case probeURL
}

extension LoginURLSource: Comparable {
  /// A source with more weight sorts first.
  public static func < (left: LoginURLSource, right: LoginURLSource) -> Bool { left.rank < right.rank }

  /// Whether browsers follow it without the user.
  package var isAutomatic: Bool { [.location, .metaRefresh, .javascript].contains(self) }

  /// The position in the order of weight, the highest first.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
