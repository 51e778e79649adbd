import ProbeCore

/// Reading a page.
extension AnswerFacts {
  mutating func read(_ page: Page, source: ArraySlice<UInt8>) {
    if let base = page.base { places.setBase(base) }
    languages = page.languages(in: answer.head?.fields ?? [:])
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
    let findings = ScriptFindings(page, at: answer.url)
    for redirect in findings.redirects {
      let source: LoginURLSource = redirect.manner == .refresh ? .metaRefresh : .javascript
      lead(
        redirect.isImmediate ? .script : .press, to: redirect.reference, bodySource(source),
        isWhole: redirect.isWhole, isAutomatic: redirect.isImmediate)
    }
    leadsToUnknown = findings.leadsToUnknown
    submitsForm = findings.submitsForm && !page.forms.isEmpty
  }

  private mutating func readForms(_ page: Page) {
    forms = page.forms.filter { !$0.isSearch && !$0.isOfAnotherPurpose }.map { FormFacts($0, in: languages) }
    if !page.loose.isSearch, !page.loose.isOfAnotherPurpose,
      page.loose.hasButton || !page.loose.fields.isEmpty
    {
      forms.append(FormFacts(page.loose, in: languages, isLoose: true))
    }
    for index in forms.indices {
      let form = forms[index]
      let actions = [form.form.action].compactMap(\.self) + form.form.buttonActions
      if actions.isEmpty {
        // A button outside a form does what its script says.
        if form.takesWhatGuestsHave, !form.isLoose || !form.form.textFields.isEmpty {
          places.addOwnPage(with: form)
        }
      }
      for action in actions { readAction(action, of: index) }
    }
  }

  /// Reads a URL that a form is submitted to.
  private mutating func readAction(_ action: String, of index: Int) {
    let form = forms[index]
    if let facts = places.facts(of: action) { forms[index].actions.append(facts) }
    guard !PagePath.endsSession(action) else { return }
    let isSubmitted = submitsForm
    let exit = lead(
      .form, to: action, bodySource(.form), of: form,
      isAside: LinkPurpose.isAside(text: form.form.buttonText.span, in: languages) && form.isButtonOnly,
      mayBeLogin: { $0.isOffHost && (form.takesWhatGuestsHave || form.form.hasButton || isSubmitted) })
    // The page to open is the one with the form; submitting it without its fields is of no use.
    if exit?.isOffHost != true, form.takesWhatGuestsHave { places.addOwnPage(with: form) }
  }

  private mutating func readLinks(_ page: Page) {
    let isStated = status == 511 || namesWISPrLogin
    for link in page.links {
      let text = Vocabulary.standard.tally(link.text.span, in: languages)
      let isNamedLogin = text[.login].distinct > 0
      lead(
        .link, to: link.href, bodySource(.link), isNamedLogin: isNamedLogin,
        isAside: LinkPurpose.isAside(text: link.text.span, in: languages),
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
  ///   - isWhole: Whether the URL is complete.
  ///   - isAutomatic: Whether it is followed without the user.
  ///   - form: The form whose action it is.
  ///   - isNamedLogin: Whether its text has words of a login.
  ///   - isAside: Whether its text names another purpose than a login.
  ///   - mayBeLogin: Whether the reference may be a login URL.
  /// - Returns: The reference; nil if it is not usable, see ``LoginPlaces/usable(_:isAutomatic:)``.
  @discardableResult
  mutating func lead(
    _ manner: Exit.Manner, to reference: String, _ source: LoginURLSource, isWhole: Bool = true,
    isAutomatic: Bool = true, of form: FormFacts? = nil, isNamedLogin: Bool = false,
    isAside: Bool = false, mayBeLogin: (Exit) -> Bool = { _ in true }
  ) -> Exit? {
    guard let url = places.usable(reference, isAutomatic: manner.isAutomatic) else { return nil }
    var exit = Exit(
      manner: manner, url: url, isOffHost: asked.isOffHost(url), facts: places.facts(of: url))
    exit.isNamedLogin = isNamedLogin
    if exits.count < Self.maximumExits { exits.append(exit) }
    if mayBeLogin(exit) {
      places.add(
        url, source, manner, isWhole: isWhole, isAutomatic: isAutomatic,
        of: form, isAside: isAside, isStated: status == 511, facts: exit.facts)
    }
    return exit
  }

  /// The maximum number of exits: a page may have hundreds of links.
  private static let maximumExits = 300

  /// The source to record for a URL in the body: the body of a 511 response is one source (RFC 6585 §6).
  private func bodySource(_ source: LoginURLSource) -> LoginURLSource {
    answer.status == 511 ? .body511 : source
  }
}
