import ProbeCore
import SourceDocuments

/// Checks that need all routes: unique names, states, and routes that are shadowed by earlier ones.
struct RouteTable {
  private let drafts: [RouteDraft]
  private let listeners: [ReplayListener: ListenerMode]
  private let states: StateTable
  private let hasInitial: Bool
  /// For each route, the position of the first earlier route that matches all of its requests.
  private let coveredBy: [Int?]

  init(
    _ drafts: [RouteDraft], listeners: [ReplayListener: ListenerMode], states: StateTable, hasInitial: Bool
  ) {
    self.drafts = drafts
    self.listeners = listeners
    self.states = states
    self.hasInitial = hasInitial
    coveredBy = Self.coverings(drafts.map(\.route.condition))
  }

  /// Reports the errors.
  func check(_ findings: SourceFindings) {
    checkNames(findings)
    for draft in drafts where draft.isWhole { RouteValidation(draft).check(findings) }
    if !hasInitial {
      states.checkNone(findings)
    } else if drafts.allSatisfy(\.hasReadableStates) {
      states.check(coveredBy: coveredBy, findings)
    }
    // A condition that could not be read might match anything.
    if drafts.allSatisfy(\.isWhole) { checkReach(findings) }
  }

  private func checkNames(_ findings: SourceFindings) {
    var first: [String: RouteDraft] = [:]
    for draft in drafts {
      guard let other = first.updateValue(draft, forKey: draft.route.id) else { continue }
      first[draft.route.id] = other
      let line = findings.file.location(at: other.offset(of: "id")).line
      let isGiven = draft.hasID ? "occurs twice" : "is the default id of a route"
      findings.add(
        "the id \(Excerpt(draft.route.id)) \(isGiven)",
        remedy: "use another id; the first one is in line \(line)",
        at: draft.offset(of: "id"))
    }
  }

  private func checkReach(_ findings: SourceFindings) {
    for (index, draft) in drafts.enumerated() {
      let possible = draft.route.condition.possibleListeners
      if possible.allSatisfy({ listeners[$0] ?? .open != .open }) {
        let names = possible.map(\.rawValue).sorted().joined(separator: " and ")
        findings.warn(
          "no request reaches this route: \(names) \(possible.count == 1 ? "is" : "are") not open",
          remedy: "remove the route, or open the listener", at: draft.offset(of: "when", "listener"))
      } else if let other = coveredBy[index].map({ drafts[$0] }) {
        let line = findings.file.location(at: other.offset()).line
        findings.warn(
          "this route never matches: the route in line \(line) (\(other.route.id.escapedForDisplay)) matches all its requests",
          remedy: "move it before that route, or narrow that route", at: draft.offset())
      }
    }
  }

  /// Comparing two patterns takes time proportional to the product of their lengths in the worst case; if
  /// they are many and long, not all are compared.
  private static func coverings(_ conditions: [RouteCondition]) -> [Int?] {
    let lengths = conditions.map(\.patternLength)
    var budget = 2_000_000_000
    return conditions.indices.map { index in
      conditions[..<index].indices.first { earlier in
        let (work, overflow) = lengths[earlier].multipliedReportingOverflow(by: lengths[index])
        guard !overflow, work <= budget else { return false }
        budget -= work
        return conditions[earlier].covers(conditions[index])
      }
    }
  }
}

extension RouteCondition {
  /// The listeners that can receive a matching request.
  var possibleListeners: Set<ReplayListener> {
    if let listener { return [listener] }
    return receive == nil ? [.http, .https] : [.tcp]
  }

  /// The total length of its patterns in bytes, plus one.
  var patternLength: Int {
    let patterns =
      [method, host, port, path, receive].compactMap(\.self) + headers.map(\.value)
      + (query + form).map(\.value)
    return patterns.reduce(1) { $0 + $1.pattern.utf8.count }
  }

  /// Whether this condition matches every request that the other one matches.
  ///
  /// Also false if that is not evident: a `*` in a pattern of the other one is compared as a literal byte.
  func covers(_ other: RouteCondition) -> Bool {
    possibleListeners.isSuperset(of: other.possibleListeners)
      && (state == nil || state == other.state)
      && Self.covers(method, other.method)
      && Self.covers(host, other.host)
      && Self.covers(port, other.port)
      && coversPath(of: other)
      && headers.allSatisfy { mine in
        other.headers.contains { theirs in
          mine.name.lowercased() == theirs.name.lowercased() && mine.value.covers(theirs.value)
        }
      }
      && Self.covers(query, other.query)
      && Self.covers(form, other.form)
      && coversReceived(of: other)
  }

  private static func covers(_ mine: [FieldCondition], _ theirs: [FieldCondition]) -> Bool {
    mine.allSatisfy { field in
      theirs.contains { field.name == $0.name && field.value.covers($0.value) }
    }
  }

  private static func covers(_ mine: Glob?, _ theirs: Glob?) -> Bool {
    guard let mine else { return true }
    if mine.matchesAll { return true }
    return theirs.map(mine.covers) ?? false
  }

  /// Without `receive` a route responds before any byte is received; ``TCPTurnReader`` describes how patterns are
  /// compared.
  private func coversReceived(of other: RouteCondition) -> Bool {
    guard let receive, let theirs = other.receive else { return receive == nil && other.receive == nil }
    guard receive.isForBytes == theirs.isForBytes else { return false }
    return receive.isForBytes ? theirs.startsAsLong(as: receive) : receive.covers(theirs)
  }

  /// A pattern without `?` matches the path alone, one with it the path and the query.
  private func coversPath(of other: RouteCondition) -> Bool {
    guard let path, !path.matchesAll else { return true }
    guard let theirs = other.path else { return false }
    guard let mark = theirs.pattern.firstIndex(of: "?") else {
      return !path.pattern.contains("?") && path.covers(theirs)
    }
    if path.pattern.contains("?") { return path.covers(theirs) }
    let start = theirs.pattern[..<mark]
    return !start.contains("*") && path.matches(String(start))
  }
}

extension Glob {
  /// Whether this pattern's bytes before its first `*` start with those of the other one.
  fileprivate func startsAsLong(as other: Glob) -> Bool {
    pattern.utf8.prefix { $0 != UInt8(ascii: "*") }
      .starts(with: other.pattern.utf8.prefix { $0 != UInt8(ascii: "*") })
  }

  /// Whether this pattern evidently matches every text that the other one matches.
  func covers(_ other: Glob) -> Bool {
    // NUL occurs in no pattern, so only a star can match it. That star matches any other text at the same
    // position.
    let witness = other.pattern.utf8.map { $0 == UInt8(ascii: "*") ? 0 : $0 }
    return pattern == other.pattern || !pattern.utf8.contains(0) && matches(witness)
  }
}
