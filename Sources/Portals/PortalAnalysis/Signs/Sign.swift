import ProbeCore

/// A detail of a response that indicates what its sender is.
///
/// The table of signs is ``all``. A sign only reports what is there; how much it counts for each role is in the file of
/// weights, see ``SignWeights``.
struct Sign: Sendable {
  /// Where a sign is found.
  enum Group: String, Sendable {
    /// The status and the header fields.
    case head
    /// What the network itself reports by a standard: WISPr.
    case message
    /// What the response links to; the name is that of the file of weights.
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
  let kind: ResponseKind?
  /// Whether it decides the kind against other signs of kinds.
  let decidesKind: Bool
  /// Whether it does not show what a response leads to: the signs of the head, of links and of names,
  /// the words of a login, and that the page is almost empty.
  let isAboutLinks: Bool
  /// What of it is in a response; nil if it is not there.
  let look: @Sendable (ResponseFacts) -> SignOccurrence?

  init(
    _ name: String, _ sentence: String, _ kind: ResponseKind? = nil, decidesKind: Bool = false,
    look: @escaping @Sendable (ResponseFacts) -> SignOccurrence?
  ) {
    self.name = name
    guard let group = Group(rawValue: String(name.prefix { $0 != "." })) else {
      preconditionFailure("\(name) begins with a group")
    }
    self.group = group
    self.sentence = sentence
    self.kind = kind
    self.decidesKind = decidesKind
    isAboutLinks = [.exit, .head, .name].contains(group) || Self.otherLinkSigns.contains(name)
    self.look = look
  }
}

/// A sign in a response.
struct SignOccurrence: Sendable {
  /// How often it counts, from 1 to 3.
  let count: Int
  /// What was found: a word, a URL.
  let detail: String

  init(_ detail: String = "", count: Int = 1) {
    self.count = max(1, min(count, 3))
    self.detail = detail
  }

  /// An occurrence if something is so.
  init?(if isThere: Bool, _ detail: @autoclosure () -> String = "") {
    guard isThere else { return nil }
    self.init(detail())
  }

  init?(_ finding: WordTally.Matches, atMost limit: Int = 3) {
    guard finding.distinct > 0 else { return nil }
    self.init(finding.first ?? "", count: min(finding.distinct, limit))
  }
}

extension Sign {
  /// All signs, by group.
  static let all: [Sign] = ofHeads + ofLinks + ofForms + ofTitles + ofTexts + ofNames + ofCombinations

  private static let otherLinkSigns = [
    "text.empty", "together.emptyOwnScripts", "together.emptyNoCache", "title.login", "text.login",
  ]

  /// The function of each sign, in the order of ``all``: copying it is cheaper than copying the sign.
  static let looks = all.map(\.look)

  /// How much it counts for its kind.
  var kindVotes: Int { decidesKind ? 8 : group == .text ? 1 : 2 }

  func clause(for occurrence: SignOccurrence) -> Clause { Clause(sentence, occurrence.detail) }
}

/// A sign of a response.
struct SeenSign: Sendable {
  /// The index in ``Sign/all``.
  let sign: Int
  let occurrence: SignOccurrence

  /// The signs of a response, in the order of the table.
  static func all(in facts: ResponseFacts) -> [SeenSign] {
    let looks = Sign.looks
    return looks.indices.compactMap { sign in
      looks[sign](facts).map { SeenSign(sign: sign, occurrence: $0) }
    }
  }
}

/// A clause of the table of signs with what was found, put together when it is read.
struct Clause: Sendable {
  /// The clause, with `%` for what was found as a quotation, `$` as it is.
  private let sentence: String
  /// What was found; nil if the clause is complete.
  private let detail: String?

  init(_ sentence: String, _ detail: String? = nil) {
    self.sentence = sentence
    // A page may have URLs of any length, of which an excerpt is shown; it must still be seen that there was more.
    self.detail = detail.map {
      $0.utf8.count > 8 * Self.shown ? String($0.unicodeScalars.prefix(2 * Self.shown)) : $0
    }
  }

  /// How much of a quotation is shown, in bytes.
  private static let shown = 80

  /// The whole clause, safe to print.
  var text: String {
    guard let detail else { return sentence }
    if sentence.contains("$") { return sentence.replacing("$", with: detail.escapedForDisplay) }
    guard sentence.contains("%") else { return sentence }
    return sentence.replacing("%", with: Excerpt(detail, limit: Self.shown).description)
  }
}

extension Clause: Hashable {
  /// Two clauses are equal when their texts are.
  static func == (left: Clause, right: Clause) -> Bool { left.text == right.text }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
