public import ProbeCore

/// What an answer that is not the expected one tells of whoever gave it.
///
/// Pure: nothing of the answer is run, and nothing that it names is fetched. The work grows with the size of the answer
/// and no faster, and what is kept of it is small.
public struct AnswerAnalysis: Hashable, Sendable {
  /// What the answer is.
  public var kind: AnswerKind
  /// Where to log in; nil unless the answer is a portal's, and where ``withheld`` is all that it names.
  public var portal: Portal?
  /// Where a portal says to log in although nobody is sent there: an address of this machine, or of its link alone.
  public var withheld: Portal?
  /// What speaks for that, and what against, the weightiest first.
  public var signs: [AnswerSign]
  /// Whether the answer itself says in a protocol's own words that a login is required: by status 511 (RFC 6585 §6), a
  /// WISPr redirect or a document of RFC 8908.
  public var isStated: Bool
  /// Whether it leads by itself to a login in the local network, where no public server sends its clients.
  public var isLocal: Bool
  /// What answers have in common that are made alike, whatever URL they were asked for: a hash of the status, of where
  /// it leads, and of the page's structure and title.
  public var likeness: UInt64

  /// What an answer tells.
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

  /// The portal that the answer shows, be it one whose login page nobody is sent to.
  package var shown: Portal? { portal ?? withheld }
}

extension AnswerAnalysis {
  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - url: The URL that was asked first, before any redirect.
  ///   - encryption: Whether a scheme is encrypted; nil for a scheme nothing is known of.
  public init(of answer: ProbeResponse, asked url: ProbeURL, encryption: (URLScheme) -> Encryption?) {
    var reading = AnswerReading(answer, asked: url)
    reading.readRedirects(encryption)
    reading.readHead()
    reading.readBody()
    self = reading.analysis
  }
}

/// Something in an answer that tells what it is.
public struct AnswerSign: Hashable, Sendable {
  /// What the sign speaks for.
  public let kind: AnswerKind
  /// How much it counts: 1 is a hint, 4 is enough alone.
  public let weight: Int
  /// The sign in words: a clause with its verb, safe to print, such as `a form asks for a password`.
  public let words: String

  /// A sign.
  public init(_ kind: AnswerKind, _ weight: Int, _ words: String) {
    self.kind = kind
    self.weight = weight
    self.words = words
  }
}

/// What an answer is that somebody gave in place of the one that was asked.
public enum AnswerKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A captive portal's: it leads to a page to log in, to accept terms, or to set something up.
  case login
  /// A portal's for a client that it has let in, or that has logged out: there is no login.
  case loggedIn
  /// The administration of a device, such as a router or a camera: its login is for the owner.
  case administration
  /// A wall's: it says that something is blocked, and there is nothing to log in to.
  case wall
  /// An error's, as servers and proxies tell it.
  case failure
  /// One that tells nothing.
  case unclear
}

/// Where the address of a login page was found.
///
/// The raw values are part of the format of reports. They stand in the order of their weight: what is said in the
/// protocol itself comes before what is read out of a page, and that before a mere guess.
public enum LoginURLSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The Location header field of a redirect or of a 511 answer.
  case location
  /// The API of RFC 8908.
  case capport
  /// A WISPr message.
  case wispr
  /// The body of a 511 answer (RFC 6585 §6).
  case body511
  /// A `<meta http-equiv="refresh">` of a page.
  case metaRefresh
  /// A script of a page that leads elsewhere.
  case javascript
  /// A form of a page.
  case form
  /// A link of a page.
  case link
  /// The probed URL itself: opening it shows what the portal wants to show.
  case probeURL
}

extension LoginURLSource: Comparable {
  /// What weighs more stands in front.
  public static func < (left: LoginURLSource, right: LoginURLSource) -> Bool { left.rank < right.rank }

  /// The place in the order of weight, the weightiest first.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}

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
