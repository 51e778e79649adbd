import PortalScripts

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
      facts.forms.first(where: \.isForVoucher).map { Sighting($0.field(for: .code)) }
    },
    Sign("form.twoPasswords", "a form has two password fields") { facts in
      Sighting(if: facts.forms.contains { $0.passwords > 1 })
    },
    Sign("form.acceptButton", "a button accepts terms (%)", .terms) { facts in
      facts.forms.lazy.compactMap { Sighting($0.buttons[.terms]) }.first
    },
    Sign("form.networkButton", "a button connects (%)") { facts in
      facts.forms.lazy.compactMap { Sighting($0.buttons[.network]) }.first
    },
    Sign("form.loginButton", "a button logs in (%)") { facts in
      facts.forms.lazy.compactMap { Sighting($0.buttons[.login]) }.first
    },
    Sign("form.button", "a form has a submit button") { facts in
      Sighting(if: facts.forms.contains { !$0.isLoose && $0.form.hasButton })
    },
    Sign("form.buttonOnly", "a form has only a button") { facts in
      Sighting(if: facts.forms.contains { !$0.isLoose && $0.isButtonOnly })
    },
    Sign("form.client", "a form sends a name of the network or this client (%)") { facts in
      facts.forms.lazy.compactMap { Sighting($0.hidden[.network]) }.first
    },
    part("remember", .remember, "a form offers to stay logged in (%)"),
    part("token", .token, "a form has a field against forged requests (%), as programs do"),
    part("returnTo", .returnTo, "a form has the page to return to (%)"),
    Sign("form.forgotten", "a link is for a forgotten password (%)") { facts in
      facts.forgottenLink.map { Sighting($0) }
    },
    Sign("form.post", "a form is sent by POST") { facts in
      Sighting(
        if: facts.page?.elements.contains {
          $0.tag == "form" && $0.attributes["method"]?.lowercased() == "post"
        } == true)
    },
    Sign("form.search", "the page has a search form, as ordinary sites have") { Sighting(if: $0.hasSearch) },
    Sign("form.other", "a form has another purpose, such as a newsletter or a message") {
      Sighting(if: $0.hasOtherForm)
    },
  ]

  private static func part(_ name: String, _ topic: WordTopic, _ sentence: String) -> Sign {
    Sign("form.\(name)", sentence) { facts in
      facts.forms.lazy.compactMap { Sighting($0.parts[topic]) }.first
    }
  }

  private static func asks(_ name: String, _ part: FormFacts.Asked, _ sentence: String) -> Sign {
    Sign("form.\(name)", sentence, .login) { facts in
      facts.forms.first { $0.asked.contains(part) }.map { Sighting($0.field(for: part)) }
    }
  }
}
