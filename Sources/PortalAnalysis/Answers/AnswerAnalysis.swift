public import ProbeCore

/// What an unexpected response reveals about its sender.
///
/// The analysis is pure: nothing in the response is executed, and nothing that it refers to is fetched. The
/// work is linear in the size of the response, and the result is small.
public struct AnswerAnalysis: Hashable, Sendable {
  /// The kind of response.
  public var kind: AnswerKind
  /// The portal with its login URL; nil unless the response is a portal's, or if only ``withheld`` is named.
  public var portal: Portal?
  /// A portal whose login URL is never opened: an address of this machine, or a link-local one.
  public var withheld: Portal?
  /// The evidence for and against this kind, the strongest first.
  public var signs: [AnswerSign]
  /// Whether the response itself states by protocol that a login is required.
  ///
  /// That is by status 511 (RFC 6585 §6), a WISPr redirect or a document of RFC 8908.
  public var isStated: Bool
  /// Whether it automatically redirects to a login in the local network, where no public server sends its
  /// clients.
  public var isLocal: Bool
  /// A fingerprint that similar responses share, whatever URL was requested.
  ///
  /// It is a hash of the status, the redirect target, and the page's structure and title.
  public var likeness: UInt64

  /// The result of an analysis.
  public init(
    _ kind: AnswerKind, portal: Portal? = nil, withheld: Portal? = nil, signs: [AnswerSign] = [],
    isStated: Bool = false, isLocal: Bool = false, likeness: UInt64 = 0
  ) {
    self.kind = kind
    self.portal = portal
    self.withheld = withheld
    self.signs = signs
    self.isStated = isStated
    self.isLocal = isLocal
    self.likeness = likeness
  }

  /// The portal in the response, including one whose login URL is never opened.
  package var shown: Portal? { portal ?? withheld }
}

extension AnswerAnalysis {
  /// Analyzes a response.
  ///
  /// - Parameters:
  ///   - answer: The response.
  ///   - url: The URL of the first request, before any redirect.
  ///   - encryption: Whether a scheme is encrypted; nil for an unknown scheme.
  public init(of answer: ProbeResponse, asked url: ProbeURL, encryption: (URLScheme) -> Encryption?) {
    var reading = AnswerReading(answer, asked: url)
    reading.readRedirects(encryption)
    reading.readHead()
    reading.readBody()
    self = reading.analysis
  }
}

/// A detail of a response that indicates what it is.
public struct AnswerSign: Hashable, Sendable {
  /// The kind that the sign indicates.
  public let kind: AnswerKind
  /// Its weight: 1 is a hint, 4 is sufficient alone.
  public let weight: Int
  /// A description of the sign: a clause with its verb, safe to print, such as `a form asks for a password`.
  public let words: String

  /// A sign.
  public init(_ kind: AnswerKind, _ weight: Int, _ words: String) {
    self.kind = kind
    self.weight = weight
    self.words = words
  }
}

/// The kind of a response that a third party sent in place of the expected one.
public enum AnswerKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A captive portal: it redirects to a page for logging in, accepting terms, or setting something up.
  case login
  /// A portal's page for a client that is logged in, or that has logged out: there is no login.
  case loggedIn
  /// The administration of a device, such as a router or a camera, whose login is for the owner.
  case administration
  /// A block page: it states that something is blocked, and there is nothing to log in to.
  case wall
  /// An error of a server or a proxy.
  case failure
  /// A response without any indication.
  case unclear
}

/// Where a login URL was found.
///
/// The raw values are part of the format of reports. The cases are in descending order of weight: information
/// from the protocol itself precedes that from a page, and a mere guess comes last.
public enum LoginURLSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The Location header field of a redirect or of a 511 response.
  case location
  /// The API of RFC 8908.
  case capport
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
  /// The probed URL itself: opening it shows the portal's page.
  case probeURL
}

extension LoginURLSource: Comparable {
  /// A source of more weight sorts first.
  public static func < (left: LoginURLSource, right: LoginURLSource) -> Bool { left.rank < right.rank }

  /// The position in the order of weight, the highest first.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}

/// A captive portal as identified from a response: its login URL, and what it states about itself.
public struct Portal: Hashable, Sendable {
  /// The login URL; its scheme is http or https, and it has no credentials.
  public var loginURL: ProbeURL
  /// Where the URL was found.
  public var source: LoginURLSource
  /// The portal's WISPr message, or nil if there is none.
  public var wispr: WISPrMessage?

  /// A portal.
  public init(loginURL: ProbeURL, source: LoginURLSource, wispr: WISPrMessage? = nil) {
    self.loginURL = loginURL
    self.source = source
    self.wispr = wispr
  }
}
