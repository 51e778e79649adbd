import ProbeCore

extension Sign {
  /// The signs of several facts together.
  static let ofCombinations: [Sign] = [
    Sign("together.guestFields", "the page mentions terms or a network, and a form asks for something") {
      SignOccurrence(if: $0.isForGuests && $0.hasGuestForm)
    },
    Sign("together.barePassword", "a form has a password field, and nothing mentions a network or terms") {
      SignOccurrence(if: $0.asksForPassword && !$0.mentionsNetwork && !$0.isForGuests)
    },
    Sign(
      "together.networkPassword", "a form has a password field, and the page mentions a network, not a device"
    ) {
      SignOccurrence(if: $0.asksForPassword && $0.mentionsNetwork && !$0.isAboutDevice)
    },
    Sign("together.deviceFields", "the page is about a device, and a form asks for its login", .deviceAdmin) {
      SignOccurrence(if: $0.isAboutDevice && $0.asksForCredentials && !$0.isForGuests)
    },
    Sign(
      "together.programFields", "the page is of a known program, and a form asks for its login", .programLogin
    ) {
      SignOccurrence(if: $0.words.source[.program].distinct > 0 && $0.asksForCredentials)
    },
    Sign("together.guests", "the page mentions terms, or the network in several ways") {
      SignOccurrence(if: $0.isForGuests)
    },
    Sign("together.clickThrough", "a button accepts or connects, and nothing has to be typed", .terms) {
      facts in
      SignOccurrence(if: facts.forms.contains { $0.isButtonOnly && $0.inputs.contains(.consent) })
    },
    Sign("together.blockedNoField", "the page refuses something, and asks for nothing", .blockPage) {
      SignOccurrence(
        if: $0.words.start[.blocked].distinct + $0.words.title[.blocked].distinct > 0
          && !$0.hasGuestForm)
    },
    Sign("together.admittedNoField", "the page says that the client has access, and asks for nothing") {
      SignOccurrence(
        if: $0.words.start[.admitted].distinct + $0.words.title[.admitted].distinct > 0
          && !$0.asksForCredentials)
    },
    Sign(
      "together.session",
      "the page is about a session, and offers to log out or says that the client has access"
    ) { facts in
      let ends =
        facts.forms.contains { $0.actions.contains(where: \.endsSession) }
        || facts.logoutLink != nil
        || facts.words.start[.admitted].distinct + facts.words.title[.admitted].distinct > 0
      return SignOccurrence(if: ends && facts.words.start[.session].distinct > 0 && !facts.asksForCredentials)
    },
    Sign("together.failureNoField", "the page reports an error, and asks for nothing", .errorPage) {
      SignOccurrence(if: $0.words.all[.failure].distinct > 0 && !$0.hasGuestForm)
    },
    Sign("together.article", "the page is a long text with nothing to fill in or to press") {
      SignOccurrence(if: $0.isArticle)
    },
    Sign("together.nothingToDo", "the page has nothing to fill in, to press or to open") { facts in
      SignOccurrence(
        if: facts.page != nil && !facts.words.isEmpty && facts.forms.isEmpty && !facts.hasUnknownTarget
          && facts.loginURLs.entries.isEmpty)
    },
    Sign("together.emptyOwnScripts", "the page is almost empty and loads scripts of its own") { facts in
      SignOccurrence(if: facts.words.isEmpty && (facts.page?.ownScripts ?? 0) > 0)
    },
    Sign("together.emptyNoCache", "the page is almost empty and forbids caching") { facts in
      SignOccurrence(if: facts.words.isEmpty && facts.page?.forbidsCaching == true)
    },
    Sign("together.emptyNetwork", "the page is almost empty, and its source mentions a network (%)") {
      facts in
      let network = facts.words.source[.network].first ?? facts.words.source[.portalSoftware].first
      return network.flatMap { SignOccurrence(if: facts.words.isEmpty && facts.page != nil, $0) }
    },
    Sign("together.website", "the page has links to many pages of its host") { facts in
      let pages = facts.links[.link].lazy.filter { !$0.isOffHost }
      guard facts.links[.link].count >= minimumWebsite else { return nil }
      return SignOccurrence(if: Set(pages.map(\.url.path)).count >= minimumWebsite)
    },
    Sign("together.namedLoginHere", "the text is about a login, and a link leads to one") { facts in
      SignOccurrence(
        if: facts.words.all[.login].distinct > 0
          && facts.links[.link].contains { $0.facts.portal != nil || $0.isNamedLogin })
    },
  ]

  /// How many pages of its host a page of a website refers to: more than a portal has for terms, help and languages.
  private static let minimumWebsite = 8
}

extension ResponseFacts {
  /// Whether a form asks for anything that a guest has, or for consent.
  var hasGuestForm: Bool { forms.contains(where: \.isGuestForm) }

  var asksForPassword: Bool { forms.contains { $0.inputs.contains(.password) } }

  /// Whether a form has fields for a login.
  var asksForCredentials: Bool { forms.contains { !$0.inputs.isDisjoint(with: .credentials) } }

  /// Whether it mentions terms, or the network in several ways, as a page for guests does.
  var isForGuests: Bool {
    words.all[.terms].distinct > 0 || words.all[.network].distinct > 1 && words.title[.device].distinct == 0
  }

  /// Whether its text, its names or its source mention a network.
  var mentionsNetwork: Bool {
    words.all[.network].distinct + words.names[.network].distinct + words.source[.network].distinct
      + words.source[.portalSoftware].distinct > 0
  }

  /// Whether its title or its text is about a device.
  var isAboutDevice: Bool {
    words.title[.device].distinct > 0
      || words.start[.device].distinct > 0 && !links[.form].contains(where: \.isOffHost)
      || forms.contains { $0.actions.contains(where: \.isAdministration) }
  }

  /// Whether it is a long text with nothing to fill in or to press, even if it is about logins.
  var isArticle: Bool {
    words.isLong && !forms.contains { !$0.isLoose || $0.inputs.contains(.password) } && !hasUnknownTarget
      && !links.hasAutomatic
  }
}
