import ProbeCore
import SourceDocuments

/// Checks the names of a fixture's states, and whether they can be reached.
struct StateTable {
  private let drafts: [RouteDraft]
  private let initial: String?
  private let limits: [String: StateLimit]
  private let session: SourceEntry?
  /// Whether the limits could be read, so that all states are known.
  private let isWhole: Bool

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - drafts: The routes.
  ///   - initial: The initial state.
  ///   - limits: The limits that end a state, by its name; nil if they could not be read.
  ///   - session: The entry of the file with the limits, or nil.
  init(_ drafts: [RouteDraft], initial: String?, limits: [String: StateLimit]?, session: SourceEntry?) {
    self.drafts = drafts
    self.initial = initial
    self.limits = limits ?? [:]
    isWhole = limits != nil
    self.session = session
  }

  /// Reports states in a fixture without an initial state, which has none.
  func checkNone(_ findings: SourceFindings) {
    for draft in drafts where draft.isWhole {
      let state = draft.route.condition.state.map { ($0, draft.offset(of: "when", "state")) }
      let goto = draft.route.goto.map { ($0, draft.offset(of: "goto")) }
      for case (let name, let offset)? in [state, goto] {
        findings.add(
          "there is no state \(Excerpt(name)): the fixture has no initial state",
          remedy: "add a line such as initial: \(name.escapedForDisplay)", at: offset)
      }
    }
    guard let session, isWhole, limits.isEmpty else {
      for (name, entry) in limitEntries {
        findings.add(
          "there is no state \(Excerpt(name)): the fixture has no initial state",
          remedy: "add a line such as initial: captive", at: entry.keySpan.lowerBound)
      }
      return
    }
    findings.warn(
      "the session has no effect: the fixture has no states", remedy: "add initial, or omit session",
      at: session.keySpan.lowerBound)
  }

  /// Reports unknown and unreachable states.
  ///
  /// - Parameters:
  ///   - coveredBy: For each route, the position of an earlier one that matches all its requests.
  ///   - findings: Receives the errors and warnings.
  func check(coveredBy: [Int?], _ findings: SourceFindings) {
    guard let initial, isWhole else { return }
    let known = [initial] + drafts.compactMap(\.route.goto) + limits.values.map(\.next).sorted()
    let reached = reachedStates(from: initial, coveredBy)
    let areWhole = drafts.allSatisfy(\.isWhole)
    func check(_ state: String, at offset: Int) {
      if !known.contains(state) {
        let nearest = nearestName(to: state, among: known).map { "did you mean \($0.escapedForDisplay)?" }
        findings.add(
          "there is no state \(Excerpt(state))",
          remedy: nearest ?? "add it as the initial state, or as the goto of a route", at: offset)
      } else if !reached.contains(state), areWhole {
        findings.warn(
          "the state \(Excerpt(state)) is never reached", remedy: "no reachable route enters it", at: offset)
      }
    }
    for draft in drafts {
      if let state = draft.route.condition.state { check(state, at: draft.offset(of: "when", "state")) }
    }
    for (name, entry) in limitEntries { check(name, at: entry.keySpan.lowerBound) }
    checkEnds(findings)
    for draft in drafts { checkRemains(draft, findings) }
  }

  /// Reports variables about limits that the state does not have.
  private func checkRemains(_ draft: RouteDraft, _ findings: SourceFindings) {
    guard let state = draft.route.goto ?? draft.route.condition.state, let template = draft.route.template
    else { return }
    let limit = limits[state]
    let missing = [
      (
        variable: TemplateVariable.seconds, name: "session.seconds", key: "after",
        isMissing: limit?.after == nil
      ),
      (.bytes, "session.bytes", "bytes", limit?.bytes == nil),
    ]
    for each in missing where each.isMissing && template.variables.contains(each.variable) {
      findings.warn(
        "${\(each.name)} has no value: limits has no \(each.key) for the state \(Excerpt(state))",
        remedy: "add it, or respond without the variable in this state", at: draft.offset(of: "respond")
      )
    }
  }

  /// Reports limits that lead to a state without routes.
  private func checkEnds(_ findings: SourceFindings) {
    let named = Set(
      [initial].compactMap(\.self)
        + drafts.flatMap { [$0.route.condition.state, $0.route.goto].compactMap(\.self) })
    for (name, entry) in limitEntries {
      guard let next = limits[name]?.next, !named.contains(next), limits[next] == nil else { continue }
      let nearest = nearestName(to: next, among: named.sorted()).map {
        "did you mean \($0.escapedForDisplay)?"
      }
      findings.warn(
        "no route has the state \(Excerpt(next)), in which \(Excerpt(name)) ends",
        remedy: nearest ?? "add a route with this state, or go to another one",
        at: entry.value.entry("goto")?.value.span.lowerBound ?? entry.keySpan.lowerBound)
    }
  }

  /// The entries of the limits that could be read.
  private var limitEntries: [(name: String, entry: SourceEntry)] {
    guard case .mapping(let entries)? = session?.value.entry("limits")?.value.content else { return [] }
    return entries.filter { limits[$0.key] != nil }.map { ($0.key, $0) }
  }

  private func reachedStates(from initial: String, _ coveredBy: [Int?]) -> Set<String> {
    var reached: Set<String> = [initial]
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (index, draft) in drafts.enumerated() {
        let state = draft.route.condition.state
        guard let next = draft.route.goto, !reached.contains(next), state.map(reached.contains) ?? true,
          coveredBy[index] == nil
        else { continue }
        reached.insert(next)
        isGrowing = true
      }
      for (name, limit) in limits where reached.contains(name) {
        isGrowing = reached.insert(limit.next).inserted || isGrowing
      }
    }
    return reached
  }
}
