public import ProbeCore

/// What an unexpected response reveals about its sender.
///
/// The analysis is pure: nothing in the response is executed, and nothing that it refers to is fetched. The
/// work is linear in the size of the response, and the result is small.
public struct ResponseAnalysis: Hashable, Sendable {
  /// The kind of response.
  public var kind: ResponseKind
  /// The portal with its login URL; nil if the response is not a portal's, or names only ``refusedPortal``.
  public var portal: Portal?
  /// A portal whose login URL is never opened: an address of this machine, or a link-local one.
  public var refusedPortal: Portal?
  /// The evidence for and against this kind, the strongest first.
  public var signs: [ResponseSign]
  /// Whether the response itself states by protocol that a login is required.
  ///
  /// The protocol is status 511 (RFC 6585 §6), a WISPr redirect, or a document of RFC 8908.
  package var isStated: Bool
  /// Whether it automatically redirects to a login in the local network, where no public server sends its
  /// clients.
  public var isLocal: Bool
  /// Whether nothing but a redirect, a refresh or a script shows what it is.
  package var isBasedOnRedirect = false
  /// Whether it is certainly a login to a network, even if most of the Internet is open.
  package var isCertain = false
  /// A fingerprint that similar responses share, whatever URL was requested.
  ///
  /// It is a hash of the status, the redirect target, and the page's structure and title.
  public var likeness: UInt64
  /// Whether the page that its redirect leads to was requested, and is a login.
  package var isConfirmed = false

  package init(
    _ kind: ResponseKind, portal: Portal? = nil, refusedPortal: Portal? = nil, signs: [ResponseSign] = [],
    isStated: Bool = false, isLocal: Bool = false, likeness: UInt64 = 0
  ) {
    self.kind = kind
    self.portal = portal
    self.refusedPortal = refusedPortal
    self.signs = signs
    self.isStated = isStated
    self.isLocal = isLocal
    self.likeness = likeness
  }

  /// The portal in the response, including one whose login URL is never opened.
  package var shown: Portal? { portal ?? refusedPortal }
}

extension ResponseAnalysis {
  /// Analyzes a response.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - url: The URL of the first request, before any redirect.
  ///   - encryption: Whether a scheme is encrypted; nil for an unknown scheme.
  public init(of response: ProbeResponse, asked url: ProbeURL, encryption: (URLScheme) -> Encryption?) {
    let facts = ResponseFacts(response, requestedURL: url, encryption: encryption)
    self.init(facts, ResponseDecision(facts))
  }

  /// Creates the result of facts and the decision about them.
  init(_ facts: ResponseFacts, _ decision: ResponseDecision) {
    let ranked = facts.loginURLs.ranked
    let foremost = ranked.foremost
    var likeness = facts.likeness
    if let foremost, foremost.isOffHost { likeness = PageShape.adding(foremost.url.host.utf8, to: likeness) }
    self.init(
      decision.kind, signs: decision.signs, isStated: decision.isStated, likeness: likeness)
    isBasedOnRedirect = decision.isBasedOnRedirect
    isCertain = decision.isStated || decision.isCertain && facts.mentionsNetwork && !facts.forms.isEmpty
    guard kind.role == .portal else { return }
    let candidates = ranked.candidates
    let best = candidates.first ?? ranked.refusedCandidate
    let shown = Portal(
      loginURL: best?.url ?? facts.response.url, source: best?.source ?? .probeURL,
      wispr: facts.wispr.first(where: \.isLoginRedirect) ?? facts.wispr.first, kind: kind,
      confidence: decision.isStated ? nil : (decision.portalProbability * 100).rounded() / 100,
      candidates: candidates)
    if facts.requestedURL.mayRedirect(to: shown.loginURL) { portal = shown } else { refusedPortal = shown }
    isLocal =
      foremost.map { entry in
        entry.isAutomatic && entry.url.isLocal
          && entry.source.isAutomatic
      } ?? false
  }
}

/// A detail of a response that indicates what it is.
public struct ResponseSign: Hashable, Sendable {
  /// The role that the sign indicates.
  public let role: ResponseKind.Role
  /// Whether it counts for what the response is, and not against it.
  public let isFor: Bool
  /// Its weight: 1 is a hint, 4 is sufficient alone.
  public let weight: Int
  private let clause: Clause

  /// A description of the sign: a clause with its verb, safe to print, such as `a form has a password field`.
  public var words: String { clause.text }

  /// How many weights a log-odds of 1 is: 2, so that 1 is a hint and 4 makes a role seven times as probable.
  static let unitsPerLogOdds = 2.0

  package init(_ role: ResponseKind.Role, _ weight: Int, _ words: String, isFor: Bool = true) {
    self.init(role, weight, Clause(words), isFor: isFor)
  }

  /// Creates a sign that is described on demand: few of the signs of a response are ever shown.
  init(_ role: ResponseKind.Role, _ weight: Int, _ clause: Clause, isFor: Bool) {
    self.role = role
    self.isFor = isFor
    self.weight = weight
    self.clause = clause
  }
}
