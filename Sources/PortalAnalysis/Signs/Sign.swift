import ProbeCore

/// A detail of a response that indicates what its sender is.
///
/// The table of signs is ``all``. A sign only says what is there; how much it counts for each role is in the file of
/// weights, see ``SignWeights``.
struct Sign: Sendable {
  /// Where a sign is found.
  enum Group: String, Sendable {
    /// The status and the header fields.
    case head
    /// What the network itself says by a standard: WISPr.
    case message
    /// What the response refers to.
    case exit
    /// The fields and buttons of forms.
    case form
    /// The words of the title.
    case title
    /// The words of the text.
    case text
    /// The names in the markup and in scripts.
    case name
    /// Several facts together.
    case together
  }

  /// The name, as in the file of weights: the group, a full stop, and what is seen.
  let name: String
  let group: Group
  /// A clause for people, with `%` for what was found as a quotation, `$` as it is.
  let sentence: String
  /// The kind of response that it indicates among those of the same role; nil if it indicates none.
  let kind: AnswerKind?
  /// Whether it decides the kind against other signs of kinds.
  let decidesKind: Bool
  /// What of it is in a response; nil if it is not there.
  let look: @Sendable (AnswerFacts) -> Sighting?

  init(
    _ name: String, _ sentence: String, _ kind: AnswerKind? = nil, decidesKind: Bool = false,
    look: @escaping @Sendable (AnswerFacts) -> Sighting?
  ) {
    self.name = name
    guard let group = Group(rawValue: String(name.prefix { $0 != "." })) else {
      preconditionFailure("\(name) begins with a group")
    }
    self.group = group
    self.sentence = sentence
    self.kind = kind
    self.decidesKind = decidesKind
    self.look = look
  }
}

/// A sign in a response.
struct Sighting: Sendable {
  /// How often it counts, from 1 to 3.
  let count: Int
  /// What was found: a word, a URL.
  let detail: String

  init(_ detail: String = "", count: Int = 1) {
    self.count = max(1, min(count, 3))
    self.detail = detail
  }

  /// A sighting if something is so.
  init?(if isThere: Bool, _ detail: @autoclosure () -> String = "") {
    guard isThere else { return nil }
    self.init(detail())
  }

  /// A sighting of words.
  init?(_ finding: WordTally.Finding, atMost limit: Int = 3) {
    guard finding.distinct > 0 else { return nil }
    self.init(finding.first ?? "", count: min(finding.distinct, limit))
  }
}

extension Sign {
  /// All signs, by group.
  static let all: [Sign] = ofHeads + ofExits + ofForms + ofTitles + ofTexts + ofNames + ofSeveral

  /// Whether it does not show what a response leads to: the signs of the head, of references and of names,
  /// the words of a login, and that the page is almost empty.
  var isOfReferences: Bool {
    group == .exit || group == .head
      || ["text.empty", "together.emptyOwnScripts", "together.emptyNoCache", "title.login", "text.login"]
        .contains(name)
      || group == .name
  }

  /// The clause for a sighting, safe to print.
  func words(for sighting: Sighting) -> String {
    if sentence.contains("$") { return sentence.replacing("$", with: sighting.detail.escapedForDisplay) }
    guard sentence.contains("%") else { return sentence }
    return sentence.replacing("%", with: Excerpt(sighting.detail, limit: 80).description)
  }
}
