public import ProbeCore
import TextDecoding

/// The URLs that a response refers to, the best of which is the login URL.
struct LoginPlaces {
  /// A URL, and where in the response it was found.
  struct Place: Hashable {
    let url: ProbeURL
    let source: LoginURLSource
    /// Whether the URL is complete; otherwise it lacks parts that are unknown.
    let isWhole: Bool
    /// Whether it is on a host other than the requested one, and therefore a third party's.
    let isOffHost: Bool
    /// Whether it is opened automatically, which counts more within its source than what a user has to press.
    let isAutomatic: Bool
    /// Whether it is the action of a form with fields for a login.
    let asksForCredentials: Bool
  }

  private(set) var places: [Place] = []
  private let asked: ProbeURL
  private let url: ProbeURL
  /// The base URL of references.
  private var base: ProbeURL
  /// Whether each host that was referred to is a public site's: a page names the same hosts many times.
  private var publicHosts: [String: Bool] = [:]
  /// The page's charset once known, which is that of queries (HTML standard §2.4.2 "encoding-parse a URL").
  var charset: Charset?

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - asked: The URL of the first request.
  ///   - url: The URL of the response.
  init(asked: ProbeURL, at url: ProbeURL) {
    self.asked = asked
    self.url = url
    base = url
  }

  /// Sets the base URL that the page states (HTML standard §4.2.3).
  mutating func setBase(_ reference: String) {
    guard let stated = resolve(reference, against: url), stated.isWebPage else { return }
    base = stated
  }

  /// Removes the URL that was added last.
  mutating func removeLast() {
    places.removeLast()
  }

  /// Adds the target of a reference, unless it is not a web page or is the requested URL itself.
  ///
  /// - Returns: The added entry.
  @discardableResult
  mutating func add(
    _ reference: String, _ source: LoginURLSource, isWhole: Bool = true, isAutomatic: Bool = true,
    asksForCredentials: Bool = false
  ) -> Place? {
    // An empty reference or a fragment is on the same page.
    guard let first = reference.utf8.first(where: { $0 > 0x20 }), first != UInt8(ascii: "#"),
      !Self.lacksHost(reference), let url = resolve(reference, against: base), url.isWebPage,
      !url.isSameRequest(as: asked), !PagePath.endsSession(url.path),
      !isOfPublicSite(url, isAutomatic: isAutomatic)
    else { return nil }
    let place = Place(
      url: url, source: source, isWhole: isWhole, isOffHost: asked.isOffHost(url), isAutomatic: isAutomatic,
      asksForCredentials: asksForCredentials)
    places.append(place)
    return place
  }

  /// Whether a URL is a public site's own.
  ///
  /// A gateway that intercepts requests to such a site redirects within the site, to a path of its own.
  mutating func isOfPublicSite(_ url: ProbeURL, isAutomatic: Bool) -> Bool {
    guard asked.isOffHost(url) else { return false }
    let isPublic = publicHosts[url.host] ?? PublicSites.contain(url)
    publicHosts[url.host] = isPublic
    guard isPublic else { return false }
    return !isAutomatic || url.query == nil && url.path.utf8.count <= 1
  }

  private func resolve(_ reference: String, against base: ProbeURL) -> ProbeURL? {
    guard let charset else { return base.resolve(reference) }
    return base.resolve(reference, encodingQuery: charset.encodedForQuery)
  }

  /// Whether the host of a reference is empty, as if a template had no value for it.
  ///
  /// Browsers parse the first segment of the path as the host (WHATWG URL §4.4).
  private static func lacksHost(_ reference: String) -> Bool {
    guard let mark = reference.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return reference.utf8[mark...].starts(with: ":///".utf8)
  }

  /// The URLs to open, the best first, up to a limit.
  var candidates: [LoginURLCandidate] {
    var candidates: [LoginURLCandidate] = []
    for place in ranked
    where place.isWhole && asked.mayLead(to: place.url) && !PagePath.isAdministration(place.url.path) {
      guard candidates.count < Self.shownCandidates else { break }
      if !candidates.contains(where: { $0.url == place.url }) { candidates.append(place.candidate) }
    }
    return candidates
  }

  /// The maximum number of candidates: a page may have hundreds of links.
  private static let shownCandidates = 5

  /// The best of the URLs that are never opened.
  var withheld: LoginURLCandidate? {
    ranked.first { $0.isWhole && !asked.mayLead(to: $0.url) }?.candidate
  }

  /// The best URL of the response, even if incomplete.
  var foremost: Place? { ranked.first }

  /// The URLs by score; equal ones are in the order of the response.
  private var ranked: [Place] {
    places.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
      .map(\.element)
  }
}

extension LoginPlaces.Place {
  /// See ``LoginURLCandidate/score``.
  fileprivate var score: Int {
    // A script that runs on a click counts no more than a form, and less than a form with fields for a login.
    let weight = LoginURLSource.allCases.count - source.rank - (isAutomatic ? 0 : 1)
    return (isOffHost ? 100 : 0) + 10 * (weight + (asksForCredentials ? 1 : 0))
  }

  /// The URL with its score and the reasons.
  fileprivate var candidate: LoginURLCandidate {
    var reasons = [source.inWords + (isAutomatic ? "" : ", after a click")]
    if asksForCredentials { reasons.append("fields for a login") }
    reasons.append(isOffHost ? "another host than the probed one" : "the probed host")
    return LoginURLCandidate(url: url, source: source, score: score, reason: reasons.joined(separator: ", "))
  }
}

extension LoginURLSource {
  /// The source for a person.
  var inWords: String {
    switch self {
    case .location: "the Location field"
    case .capport: "the captive-portal API"
    case .wispr: "a WISPr message"
    case .body511: "the page of status 511"
    case .metaRefresh: "a refresh"
    case .javascript: "a script"
    case .form: "a form"
    case .link: "a link"
    case .probeURL: "the probed URL"
    }
  }
}

extension ProbeResponse {
  /// The first redirect before this response that was unencrypted and points to a host other than the
  /// requested one.
  ///
  /// A redirect from a verified server is that server's own.
  ///
  /// - Parameters:
  ///   - url: The URL of the first request.
  ///   - encryption: Whether a scheme is encrypted; nil for an unknown scheme.
  /// - Returns: The redirect, or nil if there is none.
  public func plainRedirectOffHost(
    from url: ProbeURL, encryption: (URLScheme) -> Encryption?
  ) -> RedirectHop? {
    redirects.first { hop in
      guard let target = hop.target, encryption(hop.url.scheme) == .plaintext else { return false }
      return url.isOffHost(target)
    }
  }
}

/// What a URL in a response reveals about a login.
extension ProbeURL {
  /// Whether a browser opens it as a web page; nothing else can be a login page.
  var isWebPage: Bool { scheme == .http || scheme == .https }

  /// Whether two URLs result in the same request to the same server.
  func isSameRequest(as other: ProbeURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port && requestTarget == other.requestTarget
  }
}
