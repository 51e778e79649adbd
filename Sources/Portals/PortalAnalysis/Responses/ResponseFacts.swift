import PortalScripts
import ProbeBase
import ProbeCore
import ProbeText

/// What is in a response, before anything is concluded from it.
///
/// The table of signs (``Sign/all``) gives the meaning of each fact.
struct ResponseFacts {
  let response: ProbeResponse
  let requestedURL: ProbeURL
  /// The URLs that it refers to, with their purposes.
  var loginURLs: LoginURLs
  /// What its redirects, its refreshes, its scripts, its forms, its frames and its links refer to.
  var links = ResponseLinks()
  /// The page, if the body is one.
  var page: Page?
  /// The languages in which the words of the page count.
  var languages = PageLanguages.all
  var words = PageWords()
  /// The forms that may be a login, and the fields outside any form.
  var forms: [FormFacts] = []
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
  init(_ response: ProbeResponse, requestedURL: ProbeURL, encryption: (URLScheme) -> Encryption?) {
    self.response = response
    self.requestedURL = requestedURL
    loginURLs = LoginURLs(requestedURL: requestedURL, at: response.url)
    likeness = PageShape.adding(UInt64(clamping: response.status ?? 0), to: likeness)
    readRedirects(encryption)
    readHead()
    readBody()
  }

  private mutating func readRedirects(_ encryption: (URLScheme) -> Encryption?) {
    if let hop = response.plainRedirectOffHost(from: requestedURL, encryption: encryption),
      let target = hop.target
    {
      guard target.isWebPage else {
        deadRedirect = "it redirects to \(Excerpt(target.string, limit: 100)), which is not a web page"
        return
      }
      guard !loginURLs.isOnPublicSite(target, isAutomatic: true) else {
        deadRedirect = "it redirects to \(target.originForDisplay), a public site that is not a portal's"
        return
      }
      addLink(.redirect, to: target.string, .location)
    } else if let hop = response.redirects.last {
      guard let target = hop.target else {
        let location = hop.location.map { "to \(Excerpt($0, limit: 100)), which is not a valid URL" }
        deadRedirect = "it redirects \(location ?? "without a Location")"
        return
      }
      guard encryption(hop.url.scheme) == .plaintext, encryption(target.scheme) == .plaintext else { return }
      addLink(.redirect, to: target.string, .location)
    }
  }

  /// The maximum number of header fields of one name to read.
  private static let maximumFields = 8

  private mutating func readHead() {
    guard let head = response.head else { return }
    // Location is defined only for redirect statuses; some portals send it with a page.
    if !head.isRedirect, let location = head.fields.references(in: "Location").first {
      let isStated = head.status == 511
      addLink(.redirect, to: location, .location) { isStated || $0.isOffHost }
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
    if response.head?.isRedirect == true, let link = links[.redirect].first,
      requestedURL.mayRedirect(to: link.url)
    {
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

/// Reading a page.
extension ResponseFacts {
  mutating func read(_ page: Page, source: ArraySlice<UInt8>) {
    if let base = page.base { loginURLs.setBase(base) }
    languages = page.languages(in: response.head?.fields ?? [:])
    words = PageWords(page, in: languages, source: source)
    self.page = page
    for refresh in page.refreshes { read(refresh) }
    readScripts(page)
    readForms(page)
    for frame in page.frames {
      addLink(.frame, to: frame, bodySource(.link)) { $0.facts.portal != nil || $0.facts.isLocal }
    }
    readLinks(page)
  }

  /// Reads a refresh of the page or of the header, which browsers treat alike.
  mutating func read(_ refresh: Page.Refresh) {
    guard let reference = refresh.reference else {
      reloadsAfter = min(reloadsAfter ?? refresh.seconds, refresh.seconds)
      return
    }
    addLink(.refresh, to: reference, bodySource(.metaRefresh))
  }

  private mutating func readScripts(_ page: Page) {
    let findings = ScriptFindings(page, at: response.url)
    for redirect in findings.redirects {
      let source: LoginURLSource = redirect.manner == .refresh ? .metaRefresh : .javascript
      addLink(
        redirect.isImmediate ? .script : .press, to: redirect.reference, bodySource(source),
        isWhole: redirect.isWhole, isAutomatic: redirect.isImmediate)
    }
    hasUnknownTarget = findings.hasUnknownTarget
    submitsForm = findings.submitsForm && !page.forms.isEmpty
  }

  private mutating func readForms(_ page: Page) {
    for form in page.forms {
      let (isSearch, isOther) = (form.isSearch, form.hasNonLoginPurpose)
      if isSearch { hasSearch = true }
      if isOther { hasOtherForm = true }
      if !isSearch, !isOther { forms.append(FormFacts(form, in: languages)) }
    }
    if page.loose.hasButton || !page.loose.fields.isEmpty, !page.loose.isSearch,
      !page.loose.hasNonLoginPurpose
    {
      forms.append(FormFacts(page.loose, in: languages, isLoose: true))
    }
    for index in forms.indices {
      let form = forms[index]
      let actions = [form.form.action].compactMap(\.self) + form.form.buttonActions
      if actions.isEmpty {
        // The effect of a button outside a form is that of its script.
        if form.isGuestForm, !form.isLoose || !form.form.textFields.isEmpty {
          loginURLs.addOwnPage(with: form)
        }
      }
      for action in actions { readAction(action, of: index) }
    }
  }

  /// Reads a URL that a form is submitted to.
  private mutating func readAction(_ action: String, of index: Int) {
    let form = forms[index]
    let facts = loginURLs.facts(of: action)
    if let facts { forms[index].actions.append(facts) }
    guard !PagePath.endsSession(action) else { return }
    let isSubmitted = submitsForm
    let link = addLink(
      .form, to: action, bodySource(.form), read: facts, of: form,
      hasNonLoginPurpose: form.isButtonOnly && form.purpose.hasNonLoginPurpose,
      mayBeLogin: { $0.isOffHost && (form.isGuestForm || form.form.hasButton || isSubmitted) })
    // The page to open is the one with the form; submitting it without its fields is of no use.
    if link?.isOffHost != true, form.isGuestForm { loginURLs.addOwnPage(with: form) }
  }

  private mutating func readLinks(_ page: Page) {
    let isStated = status == 511 || namesWISPrLogin
    for link in page.links {
      let text = FoldedText(link.text.span)
      let isNamedLogin = Vocabulary.standard.tally(text, in: languages)[.login].distinct > 0
      let purpose = LinkPurpose(text: text, in: languages)
      if forgottenLink == nil, purpose.isForForgottenPassword || LinkPurpose.isForForgottenPassword(link.href)
      {
        forgottenLink = link.href
      }
      if logoutLink == nil, PagePath.endsSession(link.href) { logoutLink = link.href }
      addLink(
        .link, to: link.href, bodySource(.link), isNamedLogin: isNamedLogin,
        hasNonLoginPurpose: purpose.hasNonLoginPurpose,
        mayBeLogin: { found in
          found.facts.portal != nil || isNamedLogin || found.isOffHost && found.facts.isLocal || isStated
        })
    }
  }

  /// Records a reference, as a login URL too unless it cannot be one.
  ///
  /// - Parameters:
  ///   - manner: How it is followed.
  ///   - reference: The reference as written.
  ///   - source: Where a login URL was found.
  ///   - facts: The facts of its URL, if it has been read.
  ///   - isWhole: Whether the URL is complete.
  ///   - isAutomatic: Whether it is followed without the user.
  ///   - form: The form whose action it is.
  ///   - isNamedLogin: Whether its text has words of a login.
  ///   - hasNonLoginPurpose: Whether its text names another purpose than a login.
  ///   - mayBeLogin: Whether the reference may be a login URL.
  /// - Returns: The reference; nil if it is not usable, see ``LoginURLs/usable(_:read:isAutomatic:)``.
  @discardableResult
  mutating func addLink(
    _ manner: ResponseLink.Manner, to reference: String, _ source: LoginURLSource,
    read facts: URLFacts? = nil,
    isWhole: Bool = true, isAutomatic: Bool = true, of form: FormFacts? = nil, isNamedLogin: Bool = false,
    hasNonLoginPurpose: Bool = false, mayBeLogin: (ResponseLink) -> Bool = { _ in true }
  ) -> ResponseLink? {
    guard let facts = loginURLs.usable(reference, read: facts, isAutomatic: manner.isAutomatic) else {
      return nil
    }
    let link = ResponseLink(manner: manner, facts: facts, isNamedLogin: isNamedLogin)
    links.append(link)
    if mayBeLogin(link) {
      loginURLs.add(
        facts, source, manner, isWhole: isWhole, isAutomatic: isAutomatic, of: form,
        hasNonLoginPurpose: hasNonLoginPurpose,
        isStated: status == 511)
    }
    return link
  }

  /// The source to record for a URL in the body: the body of a 511 response is one source (RFC 6585 §6).
  private func bodySource(_ source: LoginURLSource) -> LoginURLSource {
    response.status == 511 ? .body511 : source
  }
}

/// The links of a Link header field (RFC 8288 §3), parsed leniently.
struct LinkHeader {
  /// A link: its target, as written, and its relations in lower case.
  struct Link: Hashable {
    let reference: String
    let relations: [String]
  }

  /// The links in order, at most 32.
  private(set) var links: [Link] = []

  /// Parses a field's value; invalid links are ignored.
  init(_ value: String) {
    var rest = Substring(value).utf8
    while links.count < 32, let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return }
      let reference = String(Substring(rest[..<end]))
      rest = rest[rest.index(after: end)...]
      var relations: [String] = []
      while let parameter = Self.takeParameter(&rest) {
        if parameter.name == "rel", relations.isEmpty {
          relations = parameter.value.lowercased().split(separator: " ").map(String.init)
        }
      }
      links.append(Link(reference: reference, relations: relations))
    }
  }

  /// Parses `; name=value` at the front; nil at the end of the link.
  private static func takeParameter(_ rest: inout Substring.UTF8View) -> (name: String, value: String)? {
    rest = rest.drop(while: \.isFieldSpace)
    guard rest.first == UInt8(ascii: ";") else { return nil }
    rest = rest.dropFirst().drop(while: \.isFieldSpace)
    let name = rest.prefix { !$0.isFieldSpace && !Self.ends.contains($0) && $0 != UInt8(ascii: "=") }
    rest = rest[name.endIndex...].drop(while: \.isFieldSpace)
    var value = rest[..<rest.startIndex]
    if rest.first == UInt8(ascii: "=") {
      rest = rest.dropFirst().drop(while: \.isFieldSpace)
      if rest.first == UInt8(ascii: "\"") {
        value = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
        rest = rest[value.endIndex...].dropFirst()
      } else {
        value = rest.prefix { !$0.isFieldSpace && !Self.ends.contains($0) }
        rest = rest[value.endIndex...]
      }
    }
    return (String(Substring(name)).lowercased(), String(Substring(value)))
  }

  private static let ends: [UInt8] = [UInt8(ascii: ";"), UInt8(ascii: ",")]
}
