import PortalAnalysis
import ProbeCore
import SourceDocuments

extension FieldReader where Value == DecisionRule {
  /// A rule; if it has an error, a placeholder replaces it, so that the other rules can be checked.
  static var possiblyBrokenDecisionRule: FieldReader {
    decisionRule.called("a rule of decide").recovering { rule, _ in
      rule ?? DecisionRule(when: .any([]), .inconclusive)
    }
  }

  /// `{ when: CONDITION, verdict: VERDICT, loginURL: SOURCES, opens: URL }`; the last two are optional, and for
  /// captivePortal only.
  private static var decisionRule: FieldReader {
    let whenReader = FieldReader<DecisionCondition>.condition
    let verdicts = FieldReader<Verdict>.choice
    let sources = FieldReader<[LoginURLSource]>.oneOrMore(of: .choice)
    return .mapping { reader in
      // The valid parts of a broken rule are checked too, but the rule is never used.
      var rule = DecisionRule(when: .any([]), .inconclusive)
      reader.required(
        into: &rule.condition, "when", whenReader, example: "{ set: office, met: true }",
        summary: "the condition of the rule")
      let verdict = reader.required(
        "verdict", verdicts, example: "online", summary: "the verdict if the condition holds")
      reader.read(
        into: &rule.loginURL, "loginURL", sources, default: "the most credible URL of all sources",
        summary:
          "the sources of the login URL of a captive portal, for the sets of the condition: the first one that gives a URL"
      )
      rule.opens = reader.optional(
        "opens", .pageURL,
        summary:
          "the login URL in every network, for an engine that opens a page of its own; after loginURL, only if none of its "
          + "sources gives a URL")
      if let verdict, verdict != .captivePortal {
        let given = [("loginURL", !rule.loginURL.isEmpty), ("opens", rule.opens != nil)]
        for (key, isGiven) in given where isGiven {
          reader.findings.add(
            "\(key) is for the verdict captivePortal", remedy: "omit it: \(verdict.rawValue) has no login",
            at: reader.node)
        }
      }
      rule.verdict = verdict ?? rule.verdict
      return rule
    }
  }
}

extension FieldReader where Value == ProbeURL {
  /// The URL of a page that browsers open.
  fileprivate static var pageURL: FieldReader {
    .text("a URL", schema: .url([.http, .https])) { text throws(InvalidInput) in
      let url = try ProbeURL(text)
      guard [.http, .https].contains(url.scheme) else {
        throw InvalidInput(
          "opens cannot be \(Excerpt(text))", remedy: "use an http or https URL, which browsers open")
      }
      return url
    }
  }
}

extension FieldReader where Value == DecisionCondition {
  /// A condition on a set or on the captive-portal API, or several conditions under `all`, `any` or `not`.
  fileprivate static var condition: FieldReader {
    named("decision") { unnamedCondition.withSchema { $0.alternatives(of: alternatives) } }
  }

  /// The combinations of keys that are valid together.
  private static var alternatives: [(required: [String], optional: [String])] {
    [
      (["set", "met"], []), (["set", "outcome"], ["count"]), (["set", "reason"], []),
      (["capport"], ["userPortalURL"]),
      (["all"], []), (["any"], []), (["not"], []),
    ]
  }

  /// The condition, whose schema has no name yet.
  private static var unnamedCondition: FieldReader {
    let states = FieldReader<CapportState>.choice
    let all = FieldReader<[DecisionCondition]>.nonEmptyList(of: .condition.called("an item of all"))
      .map { conditions, _, _ in DecisionCondition.all(conditions) }
    let any = FieldReader<[DecisionCondition]>.nonEmptyList(of: .condition.called("an item of any"))
      .map { conditions, _, _ in DecisionCondition.any(conditions) }
    let not = condition.map { condition, _, _ in DecisionCondition.not(condition) }
    let outcomes = FieldReader<Outcome>.choice
    return .mapping { reader in
      let parts: [(key: String, condition: DecisionCondition?)] = [
        // Read below, as several keys can belong to it; listed here for the order in messages.
        ("set", nil),
        ("capport", reader.capportCondition(states)),
        ("all", reader.optional("all", all, summary: "all of these conditions hold")),
        ("any", reader.optional("any", any, summary: "at least one of these conditions holds")),
        ("not", reader.optional("not", not, summary: "this condition does not hold")),
      ]
      let ofSet = reader.setCondition(outcomes)
      let given = parts.filter { reader.node.entry($0.key) != nil }
      guard given.count == 1, let only = given.first else {
        reader.reportKinds(given.map(\.key))
        return nil
      }
      return only.key == "set" ? ofSet : only.condition
    }
  }
}

extension MappingReader {
  /// A condition on the captive-portal API, or nil if there is none or it has an error.
  fileprivate mutating func capportCondition(_ states: FieldReader<CapportState>) -> DecisionCondition? {
    let state = optional("capport", states, summary: "the answer of the captive portal API (policy.capport)")
    let hasPage = optional("userPortalURL", .boolean, summary: "whether the API gave the URL of a login page")
    if node.entry("userPortalURL") != nil, node.entry("capport") == nil, node.isComplete {
      findings.add("userPortalURL requires capport", remedy: "add capport: captive", at: node)
    }
    guard let state else { return nil }
    return hasPage.map { .all([.capport(state), .userPortalURL($0)]) } ?? .capport(state)
  }

  /// A condition on a set, or nil if there is none or it has an error.
  fileprivate mutating func setCondition(_ outcomes: FieldReader<Outcome>) -> DecisionCondition? {
    let set = optional("set", .line, summary: "the name of a set")
    let met = optional("met", .boolean, summary: "whether the set is met")
    let outcome = optional("outcome", outcomes, summary: "the outcome of probes of the set")
    let count = optional(
      "count", .outcomeCount, default: "any",
      summary: "how many probes of the set have the outcome: any, all, or at least this number")
    let reason = optional(
      "reason", .reason, summary: "the reason code of a probe of the set, such as tls.*; * matches anything")
    let questionKeys = ["met", "outcome", "reason"].filter { node.entry($0) != nil }
    let hasCount = node.entry("count") != nil
    guard node.entry("set") != nil else {
      if let first = questionKeys.first ?? (hasCount ? "count" : nil), node.isComplete {
        findings.add("\(first) requires a set", remedy: "add set: NAME", at: node)
      }
      return nil
    }
    guard questionKeys.count == 1 else {
      // An unknown key may be a misspelling of the missing one.
      guard node.isComplete && !hasUnknownKeys || questionKeys.count > 1 else { return nil }
      findings.add(
        questionKeys.isEmpty
          ? "the condition on the set is missing" : "the condition on the set has more than one test",
        remedy: "give one of met, outcome and reason", at: node)
      return nil
    }
    if hasCount, questionKeys != ["outcome"] {
      findings.add("count requires outcome", remedy: "omit it, or give an outcome", at: node)
      return nil
    }
    guard let set else { return nil }
    if let met { return .met(set: set, met) }
    if let reason { return .reason(set: set, reason) }
    guard let outcome, !hasCount || count != nil else { return nil }
    return .outcome(set: set, outcome, count ?? .any)
  }

  /// Reports a condition without a kind, or with several.
  fileprivate func reportKinds(_ kinds: [String]) {
    guard node.isComplete && !hasUnknownKeys || kinds.count > 1 else { return }
    if kinds.isEmpty {
      // A condition on a set that does not name the set, or on the URL of a portal without capport, was already reported.
      let parts = ["met", "outcome", "count", "reason", "userPortalURL"]
      guard parts.allSatisfy({ node.entry($0) == nil }) else { return }
      findings.add("the condition is empty", remedy: "give set, capport, all, any or not", at: node)
    } else {
      findings.add(
        "a condition has both \(kinds.joined(separator: " and "))",
        remedy: "put them into a list under all or any", at: node)
    }
  }
}

extension FieldReader where Value == OutcomeCount {
  /// `any`, `all`, or a number.
  fileprivate static var outcomeCount: FieldReader {
    .text("any, all or a number", schema: .anyOf([.choice(["any", "all"]), .positiveCount])) {
      text throws(InvalidInput) in
      switch text {
      case "any": return .any
      case "all": return .all
      default:
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text: text), count > 0
        else {
          throw InvalidInput("count cannot be \(Excerpt(text))", remedy: "use any, all or a number from 1")
        }
        return .atLeast(count)
      }
    }
  }
}
