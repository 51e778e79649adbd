import ProbeCore
import PortalScripts

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
      lead(.frame, to: frame, bodySource(.link)) { $0.facts.portal != nil || $0.facts.isLocal }
    }
    readLinks(page)
  }

  /// Reads a refresh of the page or of the header, which browsers treat alike.
  mutating func read(_ refresh: Page.Refresh) {
    guard let reference = refresh.reference else {
      reloadsAfter = min(reloadsAfter ?? refresh.seconds, refresh.seconds)
      return
    }
    lead(.refresh, to: reference, bodySource(.metaRefresh))
  }

  private mutating func readScripts(_ page: Page) {
    let findings = ScriptFindings(page, at: response.url)
    for redirect in findings.redirects {
      let source: LoginURLSource = redirect.manner == .refresh ? .metaRefresh : .javascript
      lead(
        redirect.isImmediate ? .script : .press, to: redirect.reference, bodySource(source),
        isWhole: redirect.isWhole, isAutomatic: redirect.isImmediate)
    }
    hasUnknownTarget = findings.hasUnknownTarget
    submitsForm = findings.submitsForm && !page.forms.isEmpty
  }

  private mutating func readForms(_ page: Page) {
    for form in page.forms {
      let (isSearch, isOther) = (form.isSearch, form.isOfAnotherPurpose)
      if isSearch { hasSearch = true }
      if isOther { hasOtherForm = true }
      if !isSearch, !isOther { forms.append(FormFacts(form, in: languages)) }
    }
    if page.loose.hasButton || !page.loose.fields.isEmpty, !page.loose.isSearch,
      !page.loose.isOfAnotherPurpose
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
    let exit = lead(
      .form, to: action, bodySource(.form), read: facts, of: form,
      isAside: form.isButtonOnly && form.purpose.isAside,
      mayBeLogin: { $0.isOffHost && (form.isGuestForm || form.form.hasButton || isSubmitted) })
    // The page to open is the one with the form; submitting it without its fields is of no use.
    if exit?.isOffHost != true, form.isGuestForm { loginURLs.addOwnPage(with: form) }
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
      lead(
        .link, to: link.href, bodySource(.link), isNamedLogin: isNamedLogin, isAside: purpose.isAside,
        mayBeLogin: { exit in
          exit.facts.portal != nil || isNamedLogin || exit.isOffHost && exit.facts.isLocal || isStated
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
  ///   - isAside: Whether its text names another purpose than a login.
  ///   - mayBeLogin: Whether the reference may be a login URL.
  /// - Returns: The reference; nil if it is not usable, see ``LoginURLs/usable(_:read:isAutomatic:)``.
  @discardableResult
  mutating func lead(
    _ manner: Exit.Manner, to reference: String, _ source: LoginURLSource, read facts: URLFacts? = nil,
    isWhole: Bool = true, isAutomatic: Bool = true, of form: FormFacts? = nil, isNamedLogin: Bool = false,
    isAside: Bool = false, mayBeLogin: (Exit) -> Bool = { _ in true }
  ) -> Exit? {
    guard let facts = loginURLs.usable(reference, read: facts, isAutomatic: manner.isAutomatic) else {
      return nil
    }
    let exit = Exit(manner: manner, facts: facts, isNamedLogin: isNamedLogin)
    exits.append(exit)
    if mayBeLogin(exit) {
      loginURLs.add(
        facts, source, manner, isWhole: isWhole, isAutomatic: isAutomatic, of: form, isAside: isAside,
        isStated: status == 511)
    }
    return exit
  }

  /// The source to record for a URL in the body: the body of a 511 response is one source (RFC 6585 §6).
  private func bodySource(_ source: LoginURLSource) -> LoginURLSource {
    response.status == 511 ? .body511 : source
  }
}
