import ProbeCore

/// What a form asks for, and where it is sent.
struct FormFacts {
  /// What a guest of a network has, or the user of a program.
  struct Inputs: OptionSet {
    let rawValue: Int

    static let password = Self(rawValue: 1)
    static let user = Self(rawValue: 2)
    static let email = Self(rawValue: 4)
    static let phone = Self(rawValue: 8)
    /// A voucher or an access code.
    static let code = Self(rawValue: 16)
    /// A room, a ticket, a name.
    static let person = Self(rawValue: 32)
    /// A field whose name is that of a login in general.
    static let login = Self(rawValue: 64)
    /// Consent: a button that grants access or accepts something.
    static let consent = Self(rawValue: 128)

    /// What a login needs, and other forms rarely do.
    static let credentials: Self = [.password, .user, .code, .login]
  }

  let form: PageForm
  let inputs: Inputs
  let buttons: WordTally
  /// The purpose of its buttons.
  let purpose: LinkPurpose
  /// The words of its hidden fields.
  let hidden: WordTally
  /// The words of its hidden fields and check boxes, such as a token or an offer to stay logged in.
  let parts: WordTally
  /// The words of the first field of each part of ``inputs``.
  private let fields: [Inputs.RawValue: String]
  /// The facts of the URLs that it is sent to: its own, and those of its buttons.
  var actions: [URLFacts] = []
  /// Whether these are the fields outside any form.
  let isLoose: Bool

  init(_ form: PageForm, in languages: PageLanguages, isLoose: Bool = false) {
    self.form = form
    self.isLoose = isLoose
    let text = FoldedText(form.buttonText.span)
    let words = Vocabulary.standard.tally(text, in: languages)
    buttons = words
    purpose = LinkPurpose(text: text, in: languages)
    var inputs: Inputs = []
    var fields: [Inputs.RawValue: String] = [:]
    func note(_ part: Inputs, _ words: String) {
      if inputs.insert(part).inserted { fields[part.rawValue] = words }
    }
    var hidden: [UInt8] = []
    var others: [UInt8] = []
    for each in form.fields {
      if each.type == "hidden" || each.type == "checkbox" {
        others += IdentifierWords.split(Array(each.words.utf8).span) + [0x20]
      }
      if each.type == "hidden" {
        hidden += each.words.utf8 + [0x20]
        continue
      }
      if each.type == "password" { note(.password, each.words) }
      guard each.isTyped else { continue }
      let names = FoldedText(IdentifierWords.split(Array(each.words.utf8).span).span)
      let kinds = IdentifierWords.ofFields.tally(names, in: .all)
      for (topic, part) in Self.topics where kinds[topic].total > 0 { note(part, each.words) }
      if each.type == "email" { note(.email, each.words) }
      if each.type == "tel" { note(.phone, each.words) }
      if inputs.isDisjoint(with: [.password, .user, .code]), IdentifierWords.areOfLogin(names) {
        note(.login, each.words)
      }
    }
    parts = IdentifierWords.ofFields.tally(others.span, in: .all)
    self.hidden = IdentifierWords.tally(hidden.span)
    if form.hasButton || isLoose,
      Self.consents.contains(where: { words[$0].distinct > 0 })
    {
      inputs.insert(.consent)
    }
    self.inputs = inputs
    self.fields = fields
  }

  private static let consents = [WordTopic.terms, .network, .login]
  private static let topics: [(WordTopic, Inputs)] = [
    (.user, .user), (.email, .email), (.phone, .phone), (.voucher, .code), (.person, .person),
  ]
}

extension FormFacts {
  /// The words of the first field for something; empty if there is none.
  func field(for part: Inputs) -> String { fields[part.rawValue] ?? "" }

  /// The number of its password fields.
  var passwords: Int { form.fields.reduce(0) { $0 + ($1.type == "password" ? 1 : 0) } }

  /// Whether it asks for anything that a guest has, or for consent.
  var isGuestForm: Bool { !inputs.isEmpty }

  /// Whether it takes what only a login needs: a password that is not being chosen, a user, a code, a room.
  var takesCredentials: Bool {
    passwords < 2 && !inputs.isDisjoint(with: [.credentials, .person])
  }

  /// Whether it only has a button, and perhaps hidden fields.
  var isButtonOnly: Bool { form.hasButton && form.textFields.isEmpty && passwords == 0 }

  /// Whether its only field for typed text is for a voucher or an access code.
  var isForVoucher: Bool { inputs.contains(.code) && form.textFields.count == 1 }
}
