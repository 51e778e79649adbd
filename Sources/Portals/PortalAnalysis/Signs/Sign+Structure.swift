import PortalScripts
import ProbeCore

extension Sign {
  /// The signs of the status, the header fields and the messages of gateways.
  static let ofHeads: [Sign] = [
    Sign("head.451", "status 451 means that the content is unavailable for legal reasons", .blockPage) {
      SignOccurrence(if: $0.status == 451)
    },
    Sign("head.407", "status 407 means that a proxy requires authentication", .proxyAuth) {
      SignOccurrence(if: $0.status == 407)
    },
    Sign("head.401", "status 401 means that a server requires authentication", .serverAuth) {
      SignOccurrence(if: $0.status == 401)
    },
    Sign("head.403", "the status is 403", .blockPage) { SignOccurrence(if: $0.status == 403) },
    Sign("head.4xx", "the status is $", .errorPage) { facts in
      SignOccurrence(
        if: (400..<500).contains(facts.status) && ![401, 403, 407, 451].contains(facts.status),
        "\(facts.status)")
    },
    // An error of the login host is no evidence against the portal that redirected there.
    Sign("head.5xx", "status $ means a server error", .outage) { facts in
      SignOccurrence(
        if: facts.status >= 500 && facts.status != 511 && !facts.isRedirectedOffHost, "\(facts.status)")
    },
    Sign("head.link", "the Link field names a login page") { SignOccurrence(if: $0.namesLogin) },
    Sign("message.reason", "the status line says %") { facts in
      let reason = (facts.response.head?.reasonPhrase ?? "").utf8.prefix(200)
      let words = IdentifierWords.tally(Array(reason).span)
      return SignOccurrence(words[.network])
    },
    Sign("message.wispr", "it has the WISPr message of an access gateway ($)") { facts in
      facts.wispr.first { !$0.isLoginRedirect }.map { message in
        let reported = [message.messageType?.description, message.responseCode?.description]
          .compactMap(\.self)
        return SignOccurrence(
          reported.isEmpty ? "without a type or a code" : reported.joined(separator: ", "))
      }
    },
  ]
}

extension ResponseFacts {
  /// Whether a redirect, a refresh or a script goes to another host.
  var isRedirectedOffHost: Bool {
    links.automatic.contains { $0.isOffHost && $0.facts.blockPage == nil }
  }
}

extension Sign {
  /// The signs of the references of a response, for each manner.
  static let ofLinks: [Sign] =
    [
      of(.redirect, "it redirects to $", "its redirect"), of(.refresh, "a refresh goes to $", "its refresh"),
      of(.script, "a script goes to $", "the URL of a script"),
      of(.press, "a script goes to $ after a click", "the URL of a script"),
      of(.form, "a form submits to $", "the URL of a form"), of(.frame, "a frame loads $", "a frame"),
      of(.link, "a link goes to $", "a link"),
    ].flatMap(\.self) + [
      Sign("exit.dead", "it redirects to nothing that a portal has") {
        SignOccurrence(if: $0.deadRedirect != nil)
      },
      Sign("exit.computed", "a script goes to a URL that it computes") {
        SignOccurrence(if: $0.hasUnknownTarget)
      },
      Sign("exit.submits", "a script submits a form") { SignOccurrence(if: $0.submitsForm) },
      // A page that waits for a login reloads soon; a page about an outage waits longer.
      Sign("exit.reloads", "the page reloads every $ s") { facts in
        facts.reloadsAfter.flatMap { SignOccurrence(if: $0 <= 5, "\($0)") }
      },
      Sign("exit.logoutForm", "a form logs out") { facts in
        SignOccurrence(if: facts.forms.contains { $0.actions.contains(where: \.endsSession) })
      },
      Sign("exit.logoutLink", "a link logs out (%)") { facts in
        facts.logoutLink.map { SignOccurrence($0) }
      },
      Sign("exit.loginLink", "a link is named as a login (%)") { facts in
        facts.links[.link].first(where: \.isNamedLogin).map { SignOccurrence($0.url.string) }
      },
    ]

  private static func of(_ manner: ResponseLink.Manner, _ sentence: String, _ noun: String) -> [Sign] {
    func sign(
      _ name: String, _ clause: String, _ kind: ResponseKind? = nil,
      detail: @escaping @Sendable (ResponseLink) -> String = { $0.url.originForDisplay },
      if isThere: @escaping @Sendable (ResponseLink) -> Bool
    ) -> Sign {
      Sign("exit.\(manner.rawValue).\(name)", clause, kind) { facts in
        facts.links[manner].first(where: isThere).map { SignOccurrence(detail($0)) }
      }
    }
    return [
      sign("elsewhere", sentence) { $0.isOffHost },
      sign("here", "\(noun) leads to the requested host") { !$0.isOffHost },
      sign("portalWord", "\(noun) has %, a portal's word", detail: { $0.facts.portal ?? "" }) {
        $0.facts.portal != nil
      },
      sign(
        "blockWord", "\(noun) has %, a word of block pages", .blockPage, detail: { $0.facts.blockPage ?? "" }
      ) {
        $0.facts.blockPage != nil
      },
      sign("local", "\(noun) leads to $, in the local network") { $0.facts.isLocal },
      sign("client", "\(noun) has an address of this client") { $0.facts.hasClient },
      sign("original", "\(noun) has the requested URL") { $0.facts.hasOriginal },
      sign("administration", "\(noun) has a path of a device's administration", .deviceAdmin) {
        $0.facts.isAdministration
      },
      sign("session", "\(noun) has a path of a session that exists") { $0.facts.hasSessionPath },
      sign("account", "\(noun) has a word of a login, and nothing of this client") {
        $0.facts.isAccountLogin && !$0.facts.hasClient && !$0.facts.hasOriginal
      },
      sign("bare", "\(noun) is only the name of another host") {
        $0.isOffHost && $0.facts.isRoot && !$0.facts.isLocal && $0.facts.portal == nil && !$0.facts.hasPort
      },
    ]
  }
}

extension Sign {
  /// The signs of forms: what they ask for, and the words of their buttons.
  static let ofForms: [Sign] = [
    asks("password", .password, "a form has a password field"),
    asks("user", .user, "a form asks for a user name (%)"),
    asks("email", .email, "a form asks for an e-mail address"),
    asks("phone", .phone, "a form asks for a telephone number"),
    asks("code", .code, "a form asks for a voucher or a code (%)"),
    asks("person", .person, "a form asks for personal data (%)"),
    asks("login", .login, "a form has a login field (%)"),
    Sign(
      "form.voucher", "the only field of a form is for a voucher or a code (%)", .voucher, decidesKind: true
    ) { facts in
      facts.forms.first(where: \.isForVoucher).map { SignOccurrence($0.field(for: .code)) }
    },
    Sign("form.twoPasswords", "a form has two password fields") { facts in
      SignOccurrence(if: facts.forms.contains { $0.passwords > 1 })
    },
    Sign("form.acceptButton", "a button accepts terms (%)", .terms) { facts in
      facts.forms.lazy.compactMap { SignOccurrence($0.buttons[.terms]) }.first
    },
    Sign("form.networkButton", "a button connects (%)") { facts in
      facts.forms.lazy.compactMap { SignOccurrence($0.buttons[.network]) }.first
    },
    Sign("form.loginButton", "a button logs in (%)") { facts in
      facts.forms.lazy.compactMap { SignOccurrence($0.buttons[.login]) }.first
    },
    Sign("form.button", "a form has a submit button") { facts in
      SignOccurrence(if: facts.forms.contains { !$0.isLoose && $0.form.hasButton })
    },
    Sign("form.buttonOnly", "a form has only a button") { facts in
      SignOccurrence(if: facts.forms.contains { !$0.isLoose && $0.isButtonOnly })
    },
    Sign("form.client", "a form sends a name of the network or this client (%)") { facts in
      facts.forms.lazy.compactMap { SignOccurrence($0.hidden[.network]) }.first
    },
    part("remember", .remember, "a form offers to stay logged in (%)"),
    part("token", .token, "a form has a field against forged requests (%), as programs do"),
    part("returnTo", .returnTo, "a form has the page to return to (%)"),
    Sign("form.forgotten", "a link is for a forgotten password (%)") { facts in
      facts.forgottenLink.map { SignOccurrence($0) }
    },
    Sign("form.post", "a form is sent by POST") { facts in
      SignOccurrence(
        if: facts.page?.elements.contains {
          $0.tag == "form" && $0.attributes["method"]?.lowercased() == "post"
        } == true)
    },
    Sign("form.search", "the page has a search form, as ordinary sites have") {
      SignOccurrence(if: $0.hasSearch)
    },
    Sign("form.other", "a form has another purpose, such as a newsletter or a message") {
      SignOccurrence(if: $0.hasOtherForm)
    },
  ]

  private static func part(_ name: String, _ topic: WordTopic, _ sentence: String) -> Sign {
    Sign("form.\(name)", sentence) { facts in
      facts.forms.lazy.compactMap { SignOccurrence($0.parts[topic]) }.first
    }
  }

  private static func asks(_ name: String, _ part: FormFacts.Inputs, _ sentence: String) -> Sign {
    Sign("form.\(name)", sentence, .login) { facts in
      facts.forms.first { $0.inputs.contains(part) }.map { SignOccurrence($0.field(for: part)) }
    }
  }
}
