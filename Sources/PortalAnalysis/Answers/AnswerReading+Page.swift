import ProbeCore

/// Reading the structure and the words of a page.
extension AnswerReading {
  /// Reads a page.
  mutating func read(_ page: Page) {
    languages = page.languages(in: answer.head?.fields ?? [:])
    if let base = page.base { places.setBase(base) }
    for refresh in page.refreshes { read(refresh) }
    readScripts(page)
    readForms(page)
    readFrames(page)
    readLinks(page)
    let isEmpty =
      page.text(in: .all).lazy.filter { $0 > 0x20 }.prefix(Self.emptyText + 1).count <= Self.emptyText
    // A gateway that serves its own scripts in place of any requested page shows more than a notice.
    if isEmpty, page.ownScripts > 0 { note(.portal, 2, "the page is empty and loads scripts of its own") }
    if isEmpty { readNames(of: page.scripts) }
    if page.forbidsCaching {
      // An almost empty page that must not be cached is usually a step of a redirect.
      note(
        .portal, isEmpty ? 2 : 1,
        isEmpty ? "the page is almost empty and forbids caching" : "the page forbids caching")
    }
    readWords(page)
    readKinds(page)
    isSite = page.forms.contains(where: \.isSearch)
    isArticle = isArticle(page)
  }

  /// The number of letters up to which a page counts as empty.
  private static let emptyText = 60

  /// Reads a refresh of the page or of the header, which browsers treat alike.
  mutating func read(_ refresh: Page.Refresh) {
    guard let reference = refresh.reference else {
      // A page that waits for a login reloads soon; a page about an outage waits longer.
      if refresh.seconds <= 5 { note(.portal, 2, "the page reloads every \(refresh.seconds) s") }
      return
    }
    guard let place = places.add(reference, bodySource(.metaRefresh)) else { return }
    noteLeading(to: place.url, "a refresh goes to \(place.url.placeForDisplay)", neutral: 2)
  }

  private mutating func readScripts(_ page: Page) {
    let findings = ScriptFindings(page, at: answer.url)
    for redirect in findings.redirects {
      let source: LoginURLSource = redirect.manner == .refresh ? .metaRefresh : .javascript
      guard
        let place = places.add(
          redirect.reference, bodySource(source), isWhole: redirect.isWhole,
          isAutomatic: redirect.isImmediate)
      else { continue }
      if !redirect.isImmediate, PagePath.isAdministration(place.url.path) {
        note(.administration, 4, "a script can go to \(Excerpt(place.url.path, limit: 80))")
      }
      if redirect.isImmediate {
        noteLeading(
          to: place.url, "a script goes to \(place.url.placeForDisplay)", neutral: 2)
      } else {
        noteLeading(
          to: place.url, "a script can go to \(place.url.placeForDisplay)", neutral: place.isOffHost ? 0 : 1
        )
      }
    }
    if findings.leadsToUnknown {
      leadsSomewhere = true
      note(.portal, 2, "a script goes to a URL that it computes")
    }
    if findings.submitsForm, !page.forms.isEmpty { note(.portal, 3, "a script submits a form") }
  }

  /// Reads the names in the scripts of a page without text, which build the page from their data.
  private mutating func readNames(of scripts: [[UInt8]]) {
    let names = IdentifierWords.tally(Array(scripts.joined().prefix(Page.Limit.identifiers)).span)
    func note(_ role: AnswerKind.Role, _ topics: [WordTopic]) {
      let found = topics.filter { names[$0].distinct > 0 }
      guard let first = found.first else { return }
      self.note(role, 2 * found.count, "a script has the name \(Excerpt(names[first].first ?? ""))")
    }
    note(.portal, [.login, .network, .terms])
    note(.notice, [.blocked, .content])
  }

  private mutating func readForms(_ page: Page) {
    for form in page.forms where !form.isSearch && !form.isOfAnotherPurpose {
      if form.action.map(PagePath.endsSession) == true {
        endsSession = true
        note(.admitted, 4, "a form logs out")
        continue
      }
      if form.action.map(PagePath.isAdministration) == true {
        note(.administration, 4, "a form submits to \(Excerpt(form.action ?? ""))")
      }
      let isLogin = readFields(of: form)
      guard form.action != nil || isLogin || form.hasButton else { continue }
      if let action = form.action,
        let place = places.add(action, bodySource(.form), asksForCredentials: form.asksForCredentials)
      {
        if place.isOffHost {
          noteLeading(
            to: place.url, "a form submits to \(place.url.placeForDisplay)", neutral: 1, told: isLogin ? 4 : 2
          )
        } else {
          if form.hasButton {
            noteWords(of: place.url, "a form submits to \(Excerpt(place.url.requestTarget))")
          }
          // The page to open is the one with the form; submitting the form without its fields is of no use.
          places.removeLast()
        }
      }
      if !isLogin, form.hasButton {
        note(.portal, form.textFields.isEmpty ? 2 : 1, "a form has a submit button")
      }
    }
    if page.forms.isEmpty { _ = readFields(of: page.loose) }
    for form in page.forms + [page.loose] where !form.isSearch && !form.isOfAnotherPurpose {
      if let word = consent(of: form) { return note(.terms, 2, "a button says \(Excerpt(word))") }
    }
  }

  /// The first word of a button that grants access or accepts something, which only portals have.
  private func consent(of form: PageForm) -> String? {
    let words = Vocabulary.standard.tally(form.buttonText.span, in: languages)
    return [WordTopic.terms, .network, .login].lazy.compactMap { words[$0].first }.first
  }

  /// Records what a form requests; returns whether it is what portals request to grant access.
  private mutating func readFields(of form: PageForm) -> Bool {
    if form.asksForPassword {
      asksForCredentials = true
      note(form.isForVoucher ? .voucher : .login, 4, "a form has a password field")
      return true
    }
    for field in form.fields where field.type != "hidden" {
      if field.asksForCredentials {
        asksForCredentials = true
        note(form.isForVoucher ? .voucher : .login, 3, "a form has a login field (\(Excerpt(field.words)))")
        return true
      }
      if field.isTyped,
        IdentifierWords.ofPeople.tally(
          IdentifierWords.split(Array(field.words.utf8).span).span, in: .all
        ).total > 0
      {
        note(.login, 2, "a form asks for personal data (\(Excerpt(field.words)))")
        return true
      }
      if field.type == "email" || field.type == "tel" {
        note(.login, 2, "a form asks for \(field.type == "tel" ? "a telephone number" : "an e-mail address")")
        return true
      }
    }
    return false
  }

  private mutating func readFrames(_ page: Page) {
    for frame in page.frames {
      guard let place = places.add(frame, bodySource(.link)) else { continue }
      let said = URLWords(place.url, hasHost: place.isOffHost)
      let words = "a frame loads a page of \(place.url.placeForDisplay)"
      if said.portal != said.wall {
        noteLeading(to: place.url, words, neutral: 0)
      } else if place.url.isLocal {
        // Filters in a provider's network also show their notices in frames.
        note(.portal, 1, words)
      } else {
        places.removeLast()
      }
    }
  }

  private mutating func readLinks(_ page: Page) {
    var hasNoted = false
    var hasNotedWall = false
    if let link = page.links.first(where: { PagePath.endsSession($0.href) }) {
      endsSession = true
      note(.admitted, 2, "a link logs out (\(Excerpt(link.href, limit: 80)))")
    }
    if let link = page.links.first(where: { PagePath.isAdministration($0.href) }) {
      note(.administration, 4, "a link goes to \(Excerpt(link.href, limit: 80))")
    }
    for link in page.links {
      guard let place = places.add(link.href, bodySource(.link)) else { continue }
      let words = Vocabulary.standard.tally(link.text.span, in: languages)
      let said = URLWords(place.url, hasHost: place.isOffHost)
      let isLogin =
        said.portal > said.wall || words[.login].distinct > 0 || place.isOffHost && place.url.isLocal
      // RFC 6585 §6 describes the login page as a link; elsewhere a link may have any purpose.
      guard isLogin || isStated else {
        if place.isOffHost, said.wall > said.portal, !hasNotedWall {
          hasNotedWall = true
          note(
            .notice, 2,
            "a link goes to \(place.url.placeForDisplay), a URL with \(Excerpt(said.wallWords.first ?? ""))")
        }
        places.removeLast()
        continue
      }
      if isLogin, !hasNoted {
        hasNoted = true
        note(
          .portal, place.url.isLocal ? (said.portal > said.wall ? 4 : 2) : 1,
          "a link goes to \(Excerpt(place.url.string, limit: 80))")
      }
    }
  }

  private mutating func noteWords(of url: ProbeURL, _ words: String) {
    let said = URLWords(url, hasHost: false)
    if said.portal > said.wall { note(.portal, 2, words) }
  }

  /// The source to record for a URL in the body: the body of a 511 response is one source (RFC 6585 §6).
  private func bodySource(_ source: LoginURLSource) -> LoginURLSource {
    answer.status == 511 ? .body511 : source
  }
}
