import ProbeCore
import TextDecoding

/// Reads a response: collects signs and the URLs that it refers to, and derives the result.
struct AnswerReading {
  let answer: ProbeResponse
  let asked: ProbeURL
  private var signs: [AnswerSign] = []
  var places: LoginPlaces
  private(set) var isStated = false
  private var wispr: WISPrMessage?
  private var likeness = PageShape.start
  /// Whether it redirects to a login automatically.
  var leadsSomewhere = false
  /// Whether it is a page with much to read and no controls.
  var isArticle = false
  /// Whether it is a page of an ordinary site, one with a search form.
  var isSite = false
  /// The part of the weight for a login that only states that the page is about a network or its portal, as a page for
  /// a client that is logged in does too.
  var subjectWeight = 0
  /// Whether it has fields for a login.
  var asksForCredentials = false
  /// Whether it redirects to the administration of a device.
  var leadsToAdministration = false
  /// Whether a form or a link of it ends a session.
  var endsSession = false
  /// Whether it mentions terms, or the network in several ways, as a page for guests does.
  var speaksToGuests = false

  init(_ answer: ProbeResponse, asked: ProbeURL) {
    self.answer = answer
    self.asked = asked
    places = LoginPlaces(asked: asked, at: answer.url)
    likeness = PageShape.adding(UInt64(answer.status ?? 0), to: likeness)
  }

  /// The result of what has been read.
  var analysis: AnswerAnalysis {
    let signs = signs.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element)
    var likeness = likeness
    let foremost = places.foremost
    if let foremost { likeness = PageShape.adding(foremost.url.host.utf8, to: likeness) }
    let kind = isStated ? .login : self.kind
    guard kind == .login else { return AnswerAnalysis(kind, signs: signs, likeness: likeness) }
    let place = places.best ?? places.withheld
    let portal = Portal(
      loginURL: place?.url ?? answer.url, source: place?.source ?? .probeURL, wispr: wispr)
    let isOffered = asked.mayLead(to: portal.loginURL)
    let isLocal =
      foremost.map { place in
        place.isAutomatic && place.url.isLocal
          && [.location, .metaRefresh, .javascript].contains(place.source)
      } ?? false
    return AnswerAnalysis(
      .login, portal: isOffered ? portal : nil, withheld: isOffered ? nil : portal, signs: signs,
      isStated: isStated, isLocal: isLocal, likeness: likeness)
  }
}

extension AnswerReading {
  /// Reads the targets of redirects.
  mutating func readRedirects(_ encryption: (URLScheme) -> Encryption?) {
    if let hop = answer.plainRedirectOffHost(from: asked, encryption: encryption), let target = hop.target {
      guard target.isWebPage else {
        return note(
          .unclear, 1, "it leads to \(Excerpt(target.string, limit: 100)), which is no page of the web")
      }
      places.add(target.string, .location)
      // Portals redirect because every system takes a redirect for a portal's; a block page has to identify
      // itself.
      noteLeading(to: target, "it leads to \(target.placeForDisplay)", neutral: 3)
    } else if let hop = answer.redirects.last {
      guard let target = hop.target else {
        let location = hop.location.map { "to \(Excerpt($0, limit: 100)), which is no URL" }
        return note(.unclear, 1, "it is a redirect \(location ?? "that does not say where to")")
      }
      guard encryption(hop.url.scheme) == .plaintext, encryption(target.scheme) == .plaintext else { return }
      places.add(target.string, .location)
      noteLeading(to: target, "it leads to \(target.placeForDisplay)", neutral: 0)
    }
  }

  /// Reads the status line and the header fields.
  mutating func readHead() {
    guard let head = answer.head else { return }
    // An error of the login host is no evidence against the portal that redirected there.
    let wasLedHere = leadsSomewhere
    if head.status == 511 {
      isStated = true
      note(.login, 8, "its status 511 says that a login is required")
    }
    // Location is defined only for redirect statuses; some portals send it with a page.
    if !head.isRedirect, let location = head.fields.references(in: "Location").first,
      let place = places.add(location, .location),
      place.isOffHost || isStated
    {
      noteLeading(to: place.url, "its Location names \(place.url.placeForDisplay)", neutral: 1)
    }
    for value in head.fields.references(in: "Refresh").prefix(Self.maximumFields) {
      if let refresh = MetaRefresh(value) {
        read(Page.Refresh(seconds: refresh.seconds, reference: refresh.url))
      }
    }
    var namesLogin = false
    for value in head.fields.references(in: "Link").prefix(Self.maximumFields) {
      for link in LinkHeader(value).links where link.relations.contains(where: Self.isLoginRelation) {
        if places.add(link.reference, .link) != nil { namesLogin = true }
      }
    }
    if namesLogin { note(.login, 2, "its Link header names a page to log in at") }
    switch head.status {
    case 451: note(.wall, 8, "its status 451 says that it is unavailable for legal reasons")
    case 500... where !isStated && !wasLedHere:
      note(.failure, 3, "its status \(head.status) tells of an error")
    case 407: note(.wall, 8, "its status 407 says that a proxy requires authentication")
    case 400..<500: note(.wall, 3, "its status is \(head.status)")
    default: break
    }
    if head.fields.forbidCaching { note(.login, 1, "it is not to be kept") }
  }

  /// The maximum number of header fields of one name to read.
  private static let maximumFields = 8

  private static func isLoginRelation(_ relation: String) -> Bool {
    ["captive-portal", "capport", "login", "authentication", "authenticate"].contains(relation)
  }

  /// The maximum length of a body: enough for all that is read of a page in any charset, and for messages
  /// after it.
  private static let maximumBody = 1 << 20

  /// Reads the body.
  mutating func readBody() {
    var answer = answer
    if answer.body.count > Self.maximumBody { answer.body = Array(answer.body.prefix(Self.maximumBody)) }
    if let document = try? CapportDocument(answer) { return read(document) }
    let (text, charset) = UndeclaredText.text(of: answer)
    places.charset = charset
    for message in WISPrMessage.messages(in: text.span) { read(message) }
    guard let page = Page(text.span) else {
      return note(.unclear, 1, "its page is too much for the limits of reading")
    }
    likeness = PageShape.adding(page.shape, to: likeness)
    likeness = PageShape.adding(page.title, to: likeness)
    read(page)
  }

  private mutating func read(_ document: CapportDocument) {
    guard document.captive else {
      return note(.unclear, 1, "it says, as a captive-portal API does, that this client is let through")
    }
    isStated = true
    note(.login, 8, "it says, as a captive-portal API does, that a login is required")
    if let page = document.userPortalURL { places.add(page.string, .capport) }
  }

  private mutating func read(_ message: WISPrMessage) {
    if message.isLoginRedirect, let reference = message.loginURL {
      if wispr?.isLoginRedirect != true { wispr = message }
      guard places.add(reference, .wispr) != nil else { return }
      isStated = true
      note(.login, 8, "a WISPr message says where to log in")
    } else {
      wispr = wispr ?? message
      let said = [message.messageType?.description, message.responseCode?.description].compactMap(\.self)
      note(.login, 3, "an access gateway speaks in it (WISPr: \(said.joined(separator: ", ")))")
    }
  }
}

extension AnswerReading {
  /// Records a sign.
  mutating func note(_ kind: AnswerKind, _ weight: Int, _ words: String) {
    if weight > 0 { signs.append(AnswerSign(kind, weight, words)) }
  }

  /// Records that the response refers elsewhere, and what the words of that URL indicate.
  ///
  /// - Parameters:
  ///   - target: The URL.
  ///   - words: A description of the reference.
  ///   - neutral: The weight for a portal if the URL itself indicates nothing.
  ///   - told: The weight of what the URL indicates.
  mutating func noteLeading(to target: ProbeURL, _ words: String, neutral: Int, told: Int = 4) {
    let said = URLWords(target, hasHost: asked.isOffHost(target), hasPath: target.path != asked.path)
    if PagePath.isAdministration(target.path) {
      leadsToAdministration = true
      note(.administration, told, "\(words), whose address is that of a device's administration")
    }
    if neutral > 1, said.wall <= said.portal { leadsSomewhere = true }
    if said.wall > said.portal {
      note(.wall, told, "\(words), whose address is a wall's (\(said.wallWords.first ?? ""))")
    } else if said.portal > 0 {
      note(.login, told, "\(words), whose address is a portal's (\(said.portalWords.first ?? ""))")
    } else if target.isLocal {
      note(.login, told, "\(words), in the local network")
    } else {
      note(.login, neutral, words)
    }
  }
}

extension AnswerReading {
  /// The kind that the signs indicate together.
  private var kind: AnswerKind {
    func weight(_ kind: AnswerKind) -> Int {
      signs.reduce(0) { $0 + ($1.kind == kind ? $1.weight : 0) }
    }
    let (login, wall, failure) = (weight(.login), weight(.wall), weight(.failure))
    if weight(.loggedIn) >= max(4, login - subjectWeight), !asksForCredentials { return .loggedIn }
    if weight(.administration) >= 4,
      asksForCredentials && !speaksToGuests || leadsToAdministration
    {
      return .administration
    }
    // A long text with nothing to fill in or to press is an article, even if it is about logins.
    if login >= (isSite ? 4 : 2), login > wall + failure, !isArticle { return .login }
    if wall >= 2, wall >= failure { return .wall }
    return failure >= 2 ? .failure : .unclear
  }
}

extension ProbeURL {
  /// Scheme, host and port: the part to show of a third party's URL, whose path and query may be long.
  var placeForDisplay: String {
    let port = explicitPort.map { ":\($0)" } ?? ""
    return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(port)".escapedForDisplay
  }
}

extension HeaderFields {
  /// Whether the fields forbid storing the response (RFC 9111 §5.2.2).
  fileprivate var forbidCaching: Bool {
    values(for: "Cache-Control").contains {
      let value = $0.lowercased()
      return value.contains("no-store") || value.contains("no-cache")
    }
  }
}
