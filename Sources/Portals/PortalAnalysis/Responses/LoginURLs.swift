package import ProbeCore
import ProbeText

/// The URLs that a response refers to, the best of which is the login URL.
struct LoginURLs {
  /// A URL, and where in the response it was found.
  struct Entry {
    let url: ProbeURL
    let source: LoginURLSource
    /// How the reference is followed; nil if it is not one of the page's.
    var manner: ResponseLink.Manner?
    /// Whether the URL is complete; otherwise it lacks parts that are unknown.
    var isWhole = true
    /// Whether it is on a host other than the requested one, and therefore a third party's.
    var isOffHost = false
    /// Whether it is opened automatically, which counts more within its source than what a user has to press.
    var isAutomatic = true
    /// Whether it is the action of a form that takes what a guest has, or the page with such a form.
    var hasGuestForm = false
    /// Whether that form is one that takes what only a login needs, such as a password or a voucher.
    var takesCredentials = false
    /// Whether it is in a part of the page that is hidden until a script shows it.
    var isHidden = false
    /// Whether it has another purpose than a login: terms, help, registration, a forgotten password, a language, a
    /// social network.
    var hasNonLoginPurpose = false
    /// Whether it is in the local network, or has this client's address or the requested URL.
    var isForThisClient = false
    /// Whether it is in a response of status 511.
    var isStated = false
    /// Whether its host, path or query has a portal's word.
    var hasPortalWord = false
  }

  private(set) var entries: [Entry] = []
  private let requestedURL: ProbeURL
  private let url: ProbeURL
  /// The base URL of references, and its length in bytes.
  private var base: ProbeURL
  private var baseLength: Int
  /// How many bytes of URLs may still be resolved: each reference costs its length and that of the base.
  private var budget = 256 * 1024
  /// What is known of each host that was referred to: a page names the same hosts many times.
  private var hosts: [String: HostFacts] = [:]
  /// The page's charset once known, which is that of queries (HTML standard §2.4.2 "encoding-parse a URL").
  var charset: Charset?

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - requestedURL: The URL of the first request.
  ///   - url: The URL of the response.
  init(requestedURL: ProbeURL, at url: ProbeURL) {
    self.requestedURL = requestedURL
    self.url = url
    base = url
    baseLength = url.string.utf8.count
  }

  /// Sets the base URL that the page states (HTML standard §4.2.3).
  mutating func setBase(_ reference: String) {
    guard reference.utf8.count <= Self.maximumBaseLength, let stated = resolve(reference, against: url),
      stated.isWebPage
    else { return }
    base = stated
    baseLength = stated.string.utf8.count
  }

  /// The maximum length of a base URL that a page states, in bytes.
  private static let maximumBaseLength = 2048

  /// Reads the target of a reference, unless it is not a web page, is the requested URL itself, ends a session, or is
  /// a public site's.
  ///
  /// - Parameters:
  ///   - reference: The reference as written.
  ///   - known: The facts of its URL, if it has been read.
  ///   - isAutomatic: Whether it is followed without the user.
  /// - Returns: The facts of its URL; nil if it cannot be a login URL.
  mutating func usable(_ reference: String, read known: URLFacts? = nil, isAutomatic: Bool = true)
    -> URLFacts?
  {
    guard Self.isElsewhere(reference), let facts = known ?? facts(of: reference), !facts.endsSession,
      !facts.url.isSameRequest(as: requestedURL), !isOnPublicSite(facts.url, isAutomatic: isAutomatic)
    else { return nil }
    return facts
  }

  /// Whether a reference leads to another page: one that is empty or a fragment is on the same page, and one whose
  /// host is empty is nowhere.
  private static func isElsewhere(_ reference: String) -> Bool {
    guard let first = reference.utf8.first(where: { $0 > 0x20 }) else { return false }
    return first != UInt8(ascii: "#") && !lacksHost(reference)
  }

  /// Adds the target of a reference if it is usable.
  ///
  /// - Returns: The URL that was added.
  @discardableResult
  mutating func add(_ reference: String, _ source: LoginURLSource, isAutomatic: Bool = true) -> ProbeURL? {
    guard let facts = usable(reference, isAutomatic: isAutomatic) else { return nil }
    add(facts, source, isAutomatic: isAutomatic)
    return facts.url
  }

  /// Adds a usable URL.
  mutating func add(
    _ facts: URLFacts, _ source: LoginURLSource, _ manner: ResponseLink.Manner? = nil, isWhole: Bool = true,
    isAutomatic: Bool = true, of form: FormFacts? = nil, hasNonLoginPurpose: Bool = false,
    isStated: Bool = false
  ) {
    let isPressed = source == .link || manner == .link || manner == .form || !isAutomatic
    entries.append(
      Entry(
        url: facts.url, source: source, manner: manner, isWhole: isWhole, isOffHost: facts.isOffHost,
        isAutomatic: isAutomatic, hasGuestForm: form?.isGuestForm == true,
        takesCredentials: form?.takesCredentials == true, isHidden: form?.form.isHidden == true,
        hasNonLoginPurpose: isPressed && (hasNonLoginPurpose || LinkPurpose.hasNonLoginPurpose(facts.url)),
        isForThisClient: facts.isLocal || facts.hasClient || facts.hasOriginal, isStated: isStated,
        hasPortalWord: facts.portal != nil))
  }

  /// Adds the page of the response itself, which has a form that takes what a guest has.
  mutating func addOwnPage(with form: FormFacts) {
    let known = entries.firstIndex { $0.url == url } ?? entries.count
    if known == entries.count {
      entries.append(
        Entry(
          url: url, source: .probeURL, isOffHost: requestedURL.isOffHost(url), hasGuestForm: true,
          isHidden: form.form.isHidden))
    }
    entries[known].hasGuestForm = true
    if form.takesCredentials { entries[known].takesCredentials = true }
    if !form.form.isHidden { entries[known].isHidden = false }
  }

  /// The facts of the URL of a reference; nil if it is not that of a web page.
  mutating func facts(of reference: String) -> URLFacts? {
    guard let url = resolve(reference, against: base), url.isWebPage else { return nil }
    return URLFacts(url, requestedURL: requestedURL, host: host(of: url))
  }

  private mutating func host(of url: ProbeURL) -> HostFacts {
    if let known = hosts[url.host] { return known }
    let facts = HostFacts(url, requestedURL: requestedURL)
    hosts[url.host] = facts
    return facts
  }

  /// Whether a URL is a public site's own.
  ///
  /// A gateway that intercepts requests to such a site redirects within the site, to a path of its own.
  mutating func isOnPublicSite(_ url: ProbeURL, isAutomatic: Bool) -> Bool {
    guard host(of: url).isPublicSite else { return false }
    // A gateway cannot respond instead of a site over HTTPS.
    return !isAutomatic || url.scheme == .https || url.query == nil && url.path.utf8.count <= 1
  }

  /// The URL of a reference; nil if it is none, or if the page has more references than are read.
  private mutating func resolve(_ reference: String, against base: ProbeURL) -> ProbeURL? {
    budget -= reference.utf8.count + baseLength
    guard budget > 0 else { return nil }
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

  /// The URLs by score.
  ///
  /// What has another purpose is left out while a form takes what a guest has.
  var ranked: RankedLoginURLs {
    let hasForm = entries.contains { $0.hasGuestForm && !$0.hasNonLoginPurpose }
    var counts: [ProbeURL: Int] = [:]
    for entry in entries { counts[entry.url, default: 0] += 1 }
    let scored = entries.filter { !hasForm || !$0.hasNonLoginPurpose }
      .map { entry in (entry: entry, score: entry.score + (counts[entry.url, default: 0] > 1 ? 1 : 0)) }
    return RankedLoginURLs(scored, requestedURL: requestedURL)
  }
}

/// The URLs of a response by score; equal ones are in the order of the response.
struct RankedLoginURLs {
  private let entries: [(entry: LoginURLs.Entry, score: Int)]
  private let requestedURL: ProbeURL

  fileprivate init(_ entries: [(entry: LoginURLs.Entry, score: Int)], requestedURL: ProbeURL) {
    self.requestedURL = requestedURL
    self.entries = entries.enumerated()
      .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element)
  }

  /// The URLs to open, the best first, up to a limit.
  var candidates: [LoginURLCandidate] {
    var candidates: [LoginURLCandidate] = []
    for (entry, score) in entries
    where entry.isWhole && requestedURL.mayRedirect(to: entry.url) && !PathWords(entry.url).isAdministration {
      guard candidates.count < Self.shownCandidates else { break }
      if !candidates.contains(where: { $0.url == entry.url }) { candidates.append(entry.candidate(score)) }
    }
    return candidates
  }

  /// The maximum number of candidates: a page may have hundreds of links.
  private static let shownCandidates = 5

  /// The best of the URLs that are never opened.
  var refusedCandidate: LoginURLCandidate? {
    entries.first { $0.entry.isWhole && !requestedURL.mayRedirect(to: $0.entry.url) }
      .map { $0.entry.candidate($0.score) }
  }

  /// The best URL of the response, even if incomplete.
  var foremost: LoginURLs.Entry? { entries.first?.entry }
}

extension LoginURLs.Entry {
  /// See ``LoginURLCandidate/score``.
  fileprivate var score: Int {
    let rank =
      switch source {
      case .capport: 80
      case .wispr: 75
      case .location: isOffHost || isStated ? 70 : 32
      case .body511 where isAutomatic && (manner == .refresh || manner == .script): 60
      case _ where hasGuestForm: isHidden ? 35 : takesCredentials ? 59 : 50
      case .metaRefresh, .javascript: isAutomatic ? 40 : 20
      case .form: 30
      case .body511: manner == .form ? 30 : isAutomatic ? 10 : 20
      case .link: 10
      case .probeURL: 0
      }
    let bonus = (isOffHost ? 4 : 0) + (isForThisClient ? 2 : 0) + (hasPortalWord ? 2 : 0)
    // A link never outranks a form, whatever the form is for.
    if hasNonLoginPurpose { return manner == .form ? 20 : 5 }
    return rank + bonus
  }

  /// The source of the candidate, the score and the reasons.
  fileprivate func candidate(_ score: Int) -> LoginURLCandidate {
    var reasons = [source.words + (isAutomatic ? "" : ", after a click")]
    if hasGuestForm { reasons.append("fields for a login") }
    if hasPortalWord { reasons.append("a portal's word in the URL") }
    if isForThisClient { reasons.append("this client or the requested URL in it") }
    reasons.append(isOffHost ? "another host than the probed one" : "the probed host")
    return LoginURLCandidate(url: url, source: source, score: score, reason: reasons.joined(separator: ", "))
  }
}

extension LoginURLSource {
  var words: String {
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
  package func plainRedirectOffHost(
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
