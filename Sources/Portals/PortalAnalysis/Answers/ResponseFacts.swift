import ProbeCore
import ProbeText
import PortalScripts

/// What is in a response, before anything is concluded from it.
///
/// The table of signs (``Sign/all``) gives the meaning of each fact.
struct ResponseFacts {
  let response: ProbeResponse
  let asked: ProbeURL
  /// The URLs that it refers to, with their purposes.
  var loginURLs: LoginURLs
  /// What its redirects, its refreshes, its scripts, its forms, its frames and its links refer to.
  var exits = Exits()
  /// The page, if the body is one.
  var page: Page?
  /// The languages in which the words of the page count.
  var languages = PageLanguages.all
  /// The words of the page.
  var words = PageWords()
  /// The forms that may be a login, and the fields outside any form.
  var forms: [FormFacts] = []
  /// The WISPr messages.
  var wispr: [WISPrMessage] = []
  /// Whether a form only searches for something.
  var hasSearch = false
  /// Whether a form has another purpose than a login, such as a newsletter.
  var hasOtherForm = false
  /// The first link that ends a session, as written.
  var logoutLink: String?
  /// The first link that is for a forgotten password, as written.
  var forgottenLink: String?
  /// The document of RFC 8908.
  var capport: CapportDocument?
  /// Why a redirect is not a portal's, as a clause.
  var deadRedirect: String?
  /// Whether the page exceeds the limits of the HTML parser.
  var exceedsLimits = false
  /// Whether a Link field names a login page.
  var namesLogin = false
  /// Whether a WISPr message names a usable login URL.
  var namesWISPrLogin = false
  /// Whether a script goes to a URL that it computes.
  var hasUnknownTarget = false
  /// Whether a script submits a form of the page.
  var submitsForm = false
  /// The shortest delay of a refresh that names no URL, in seconds.
  var reloadsAfter: Int?
  /// See ``ResponseAnalysis/likeness``.
  var likeness = PageShape.start

  /// The response's status; 0 without HTTP.
  var status: Int { response.head?.status ?? 0 }
}

/// Reading a response.
extension ResponseFacts {
  init(_ response: ProbeResponse, asked: ProbeURL, encryption: (URLScheme) -> Encryption?) {
    self.response = response
    self.asked = asked
    loginURLs = LoginURLs(asked: asked, at: response.url)
    likeness = PageShape.adding(UInt64(clamping: response.status ?? 0), to: likeness)
    readRedirects(encryption)
    readHead()
    readBody()
  }

  private mutating func readRedirects(_ encryption: (URLScheme) -> Encryption?) {
    if let hop = response.plainRedirectOffHost(from: asked, encryption: encryption), let target = hop.target {
      guard target.isWebPage else {
        deadRedirect = "it redirects to \(Excerpt(target.string, limit: 100)), which is not a web page"
        return
      }
      guard !loginURLs.isOfPublicSite(target, isAutomatic: true) else {
        deadRedirect = "it redirects to \(target.originForDisplay), a public site that is not a portal's"
        return
      }
      lead(.redirect, to: target.string, .location)
    } else if let hop = response.redirects.last {
      guard let target = hop.target else {
        let location = hop.location.map { "to \(Excerpt($0, limit: 100)), which is not a valid URL" }
        deadRedirect = "it redirects \(location ?? "without a Location")"
        return
      }
      guard encryption(hop.url.scheme) == .plaintext, encryption(target.scheme) == .plaintext else { return }
      lead(.redirect, to: target.string, .location)
    }
  }

  /// The maximum number of header fields of one name to read.
  private static let maximumFields = 8

  private mutating func readHead() {
    guard let head = response.head else { return }
    // Location is defined only for redirect statuses; some portals send it with a page.
    if !head.isRedirect, let location = head.fields.references(in: "Location").first {
      let isStated = head.status == 511
      lead(.redirect, to: location, .location) { isStated || $0.isOffHost }
    }
    for value in head.fields.references(in: "Refresh").prefix(Self.maximumFields) {
      if let refresh = MetaRefresh(value) {
        read(Page.Refresh(seconds: refresh.seconds, reference: refresh.url))
      }
    }
    for value in head.fields.references(in: "Link").prefix(Self.maximumFields) {
      for link in LinkHeader(value).links where link.relations.contains(where: Self.isLoginRelation) {
        if loginURLs.add(link.reference, .link) != nil { namesLogin = true }
      }
    }
  }

  private static func isLoginRelation(_ relation: String) -> Bool {
    ["captive-portal", "capport", "login", "authentication", "authenticate"].contains(relation)
  }

  /// The maximum length of a body: enough for all that is read of a page in any charset, and for messages
  /// after it.
  private static let maximumBody = 1 << 20

  private mutating func readBody() {
    var response = response
    if response.body.count > Self.maximumBody {
      response.body = Array(response.body.prefix(Self.maximumBody))
    }
    // The document is a JSON object, perhaps after a byte order mark (RFC 8259 §8.1); most bodies begin otherwise.
    let mark = "\u{FEFF}".utf8
    if response.body.first(where: { $0 > 0x20 && !mark.contains($0) }) == UInt8(ascii: "{") {
      capport = try? CapportDocument(response)
    }
    if let capport {
      if capport.captive, let page = capport.userPortalURL { loginURLs.add(page.string, .capport) }
      return
    }
    let (text, charset) = UndeclaredText.text(of: response)
    loginURLs.charset = charset
    for message in WISPrMessage.messages(in: text.span) { read(message) }
    // A browser does not show the body of a redirect.
    if response.head?.isRedirect == true, let exit = exits[.redirect].first, asked.mayRedirect(to: exit.url) {
      return
    }
    guard let page = Page(text.span) else {
      exceedsLimits = true
      return
    }
    likeness = PageShape.adding(page.shape, to: likeness)
    likeness = PageShape.adding(page.title, to: likeness)
    read(page, source: text)
  }

  private mutating func read(_ message: WISPrMessage) {
    wispr.append(message)
    if message.isLoginRedirect, let reference = message.loginURL, loginURLs.add(reference, .wispr) != nil {
      namesWISPrLogin = true
    }
  }
}

extension ProbeURL {
  /// Scheme, host and port: the part to show of a third party's URL, whose path and query may be long.
  var originForDisplay: String {
    let port = explicitPort.map { ":\($0)" } ?? ""
    return "\(scheme)://\(host.bracketedHost)\(port)".escapedForDisplay
  }
}
