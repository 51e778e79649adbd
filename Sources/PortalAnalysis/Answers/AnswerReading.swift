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
  /// The evidence for each kind of the role that the signs indicate.
  private var kinds = KindTally()
  /// Whether it redirects to a login automatically.
  var leadsSomewhere = false
  /// Whether it is a page with a long text and no controls.
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
  /// Whether one of its forms or links ends a session.
  var endsSession = false
  /// Whether it mentions terms, or the network in several ways, as a page for guests does.
  var speaksToGuests = false
  /// The languages in which the words of its page count.
  var languages = PageLanguages.all

  init(_ answer: ProbeResponse, asked: ProbeURL) {
    self.answer = answer
    self.asked = asked
    places = LoginPlaces(asked: asked, at: answer.url)
    likeness = PageShape.adding(UInt64(clamping: answer.status ?? 0), to: likeness)
  }

  /// The result of what has been read.
  var analysis: AnswerAnalysis {
    let signs = signs.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element)
    var likeness = likeness
    let foremost = places.foremost
    if let foremost { likeness = PageShape.adding(foremost.url.host.utf8, to: likeness) }
    let kind = kinds.kind(of: isStated ? .portal : role)
    guard kind.role == .portal else { return AnswerAnalysis(kind, signs: signs, likeness: likeness) }
    let candidates = places.candidates
    let place = candidates.first ?? places.withheld
    let portal = Portal(
      loginURL: place?.url ?? answer.url, source: place?.source ?? .probeURL, wispr: wispr, kind: kind,
      candidates: candidates)
    let isOffered = asked.mayLead(to: portal.loginURL)
    let isLocal =
      foremost.map { place in
        place.isAutomatic && place.url.isLocal
          && [.location, .metaRefresh, .javascript].contains(place.source)
      } ?? false
    return AnswerAnalysis(
      kind, portal: isOffered ? portal : nil, withheld: isOffered ? nil : portal, signs: signs,
      isStated: isStated, isLocal: isLocal, likeness: likeness)
  }
}

extension AnswerReading {
  /// Reads the targets of redirects.
  mutating func readRedirects(_ encryption: (URLScheme) -> Encryption?) {
    if let hop = answer.plainRedirectOffHost(from: asked, encryption: encryption), let target = hop.target {
      guard target.isWebPage else {
        return note(
          .unclear, 1, "it redirects to \(Excerpt(target.string, limit: 100)), which is not a web page")
      }
      guard !places.isOfPublicSite(target, isAutomatic: true) else {
        return note(
          .unclear, 1, "it redirects to \(target.placeForDisplay), a public site that is not a portal's")
      }
      places.add(target.string, .location)
      // Portals redirect because every system treats a redirect as a portal's; a block page has to identify
      // itself.
      noteLeading(to: target, "it redirects to \(target.placeForDisplay)", neutral: 3)
    } else if let hop = answer.redirects.last {
      guard let target = hop.target else {
        let location = hop.location.map { "to \(Excerpt($0, limit: 100)), which is not a valid URL" }
        return note(.unclear, 1, "it redirects \(location ?? "without a Location")")
      }
      guard encryption(hop.url.scheme) == .plaintext, encryption(target.scheme) == .plaintext else { return }
      places.add(target.string, .location)
      noteLeading(to: target, "it redirects to \(target.placeForDisplay)", neutral: 0)
    }
  }

  /// Reads the status line and the header fields.
  mutating func readHead() {
    guard let head = answer.head else { return }
    // An error of the login host is no evidence against the portal that redirected there.
    let wasLedHere = leadsSomewhere
    if head.status == 511 {
      isStated = true
      note(.portal, 8, "status 511 means that the network requires a login")
    }
    // Location is defined only for redirect statuses; some portals send it with a page.
    if !head.isRedirect, let location = head.fields.references(in: "Location").first,
      let place = places.add(location, .location),
      place.isOffHost || isStated
    {
      noteLeading(to: place.url, "the Location field names \(place.url.placeForDisplay)", neutral: 1)
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
    if namesLogin { note(.portal, 2, "the Link field names a login page") }
    switch head.status {
    case 451: note(.blockPage, 8, "status 451 means that it is unavailable for legal reasons")
    case 500... where !isStated && !wasLedHere:
      note(.outage, 3, "status \(head.status) means a server error")
    case 407: note(.proxyAuth, 8, "status 407 means that a proxy requires authentication")
    case 401: note(.serverAuth, 3, "status 401 means that a server requires authentication")
    case 403: note(.blockPage, 3, "the status is 403")
    case 400..<500: note(.errorPage, 3, "the status is \(head.status)")
    default: break
    }
    if head.fields.forbidCaching { note(.portal, 1, "the response forbids caching") }
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
      return note(.unclear, 1, "the page exceeds the limits of the HTML parser")
    }
    likeness = PageShape.adding(page.shape, to: likeness)
    likeness = PageShape.adding(page.title, to: likeness)
    read(page)
  }

  private mutating func read(_ document: CapportDocument) {
    guard document.captive else {
      return note(.unclear, 1, "it is the response of a captive-portal API: this client has access")
    }
    isStated = true
    note(.portal, 8, "it is the response of a captive-portal API: a login is required")
    if let page = document.userPortalURL { places.add(page.string, .capport) }
  }

  private mutating func read(_ message: WISPrMessage) {
    if message.isLoginRedirect, let reference = message.loginURL {
      if wispr?.isLoginRedirect != true { wispr = message }
      guard places.add(reference, .wispr) != nil else { return }
      isStated = true
      note(.portal, 8, "a WISPr message names the login URL")
    } else {
      wispr = wispr ?? message
      let said = [message.messageType?.description, message.responseCode?.description].compactMap(\.self)
      note(.portal, 3, "it has the WISPr message of an access gateway (\(said.joined(separator: ", ")))")
    }
  }
}

extension AnswerReading {
  /// Records a sign of a role.
  mutating func note(_ role: AnswerKind.Role, _ weight: Int, _ words: String) {
    if weight > 0 { signs.append(AnswerSign(role, weight, words)) }
  }

  /// Records a sign of a kind, and so of its role.
  mutating func note(_ kind: AnswerKind, _ weight: Int, _ words: String) {
    note(kind.role, weight, words)
    hint(kind, weight)
  }

  /// Records what distinguishes a kind from others of the same role.
  mutating func hint(_ kind: AnswerKind, _ weight: Int) {
    kinds.add(kind, weight)
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
      note(.administration, told, "\(words), a path of a device's administration")
    }
    if neutral > 1, said.wall <= said.portal { leadsSomewhere = true }
    if said.wall > said.portal {
      note(.notice, told, "\(words), a URL with \(Excerpt(said.wallWords.first ?? ""))")
    } else if said.portal > 0 {
      note(.portal, told, "\(words), a URL with \(Excerpt(said.portalWords.first ?? ""))")
    } else if target.isLocal {
      note(.portal, told, "\(words), in the local network")
    } else {
      note(.portal, neutral, words)
    }
  }
}

extension AnswerReading {
  /// The role that the signs indicate together.
  private var role: AnswerKind.Role {
    func weight(_ role: AnswerKind.Role) -> Int {
      signs.reduce(0) { $0 + ($1.role == role ? $1.weight : 0) }
    }
    let (login, wall, failure) = (weight(.portal), weight(.notice), weight(.failure))
    if weight(.admitted) >= max(4, login - subjectWeight), !asksForCredentials { return .admitted }
    if weight(.administration) >= 4,
      asksForCredentials && !speaksToGuests || leadsToAdministration
    {
      return .administration
    }
    // A long text with nothing to fill in or to press is an article, even if it is about logins.
    if login >= (isSite ? 4 : 2), login > wall + failure, !isArticle { return .portal }
    if wall >= 2, wall >= failure { return .notice }
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
