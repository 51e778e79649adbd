import ProbeCore

/// Tracks how far the `decide` rules are settled by the results so far.
///
/// Each condition is a node that is unknown until no later result can change it. A node that becomes known
/// updates its parent, and nodes that no longer matter are closed, so that each node costs constant time over
/// a whole run.
struct RuleProgress {
  private enum Kind {
    case all, any, not
    case leaf(DecisionCondition)
  }

  private struct Node {
    let kind: Kind
    let parent: Int?
    let rule: Int
    /// The set that a leaf refers to.
    let set: Int?
    var truth = Truth.unknown
    /// Whether it can still affect the verdict.
    var isOpen = true
    var children: [Int] = []
    var openChildren = 0
  }

  private let rules: [DecisionRule]
  private var nodes: [Node] = []
  private var roots: [Int] = []
  /// The open leaves that refer to each set.
  private var leaves: [[Int]]
  private var capportLeaves: [Int] = []
  /// The first rule that may still apply.
  private var first = 0
  /// The number of open leaves of each set.
  private var openLeaves: [Int]

  /// Creates the state before any results.
  ///
  /// - Parameters:
  ///   - rules: The rules, of which the first that applies counts.
  ///   - names: The names of the sets.
  init(_ rules: [DecisionRule], sets names: [String]) {
    self.rules = rules
    leaves = Array(repeating: [], count: names.count)
    openLeaves = Array(repeating: 0, count: names.count)
    let positions = Dictionary(
      names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    for (rule, decision) in rules.enumerated() {
      roots.append(nodes.count)
      add(decision.condition, to: nil, rule: rule, positions)
    }
    // In reverse order, because the parts of a condition follow it.
    for index in nodes.indices.reversed() {
      let node = nodes[index]
      guard node.isOpen, node.truth == .unknown, node.children.isEmpty else { continue }
      switch node.kind {
      case .all: settle(index, .yes)
      case .any: settle(index, .no)
      case .not: break
      // A set that does not exist never has results.
      case .leaf(let condition):
        if node.set == nil, !condition.requestsCapport { settle(index, .no) }
      }
    }
  }

  private mutating func add(
    _ condition: DecisionCondition, to parent: Int?, rule: Int, _ positions: [String: Int]
  ) {
    let index = nodes.count
    let set = condition.set.flatMap { positions[$0] }
    let parts: [DecisionCondition]
    let kind: Kind
    switch condition {
    case .all(let conditions): (kind, parts) = (.all, conditions)
    case .any(let conditions): (kind, parts) = (.any, conditions)
    case .not(let condition): (kind, parts) = (.not, [condition])
    default: (kind, parts) = (.leaf(condition), [])
    }
    nodes.append(Node(kind: kind, parent: parent, rule: rule, set: set))
    if let parent {
      nodes[parent].children.append(index)
      nodes[parent].openChildren += 1
    }
    if let set {
      leaves[set].append(index)
      openLeaves[set] += 1
    } else if condition.requestsCapport {
      capportLeaves.append(index)
    }
    for part in parts { add(part, to: index, rule: rule, positions) }
  }
}

extension RuleProgress {
  /// The verdict and the rule that determines it.
  ///
  /// Nil while it depends on pending results; the rule is nil if none applies.
  var decision: (rule: Int?, verdict: Verdict)? {
    guard first < roots.count else { return (nil, .inconclusive) }
    return nodes[roots[first]].truth == .yes ? (first, rules[first].verdict) : nil
  }

  /// The rule that applies; nil if that is not known yet, or if none does.
  var applying: DecisionRule? { decision?.rule.map { rules[$0] } }

  /// Whether pending results of a set can still change the verdict.
  func dependsOn(_ set: Int) -> Bool { openLeaves[set] > 0 }

  /// Updates the conditions on a set.
  ///
  /// - Parameters:
  ///   - set: The position of the set.
  ///   - tally: The current tally of the set.
  ///   - reasons: The reasons that are new in the set.
  mutating func update(_ set: Int, _ tally: SetTally, reasons: some Sequence<ReasonCode>) {
    guard openLeaves[set] > 0 else { return }
    var isAnyClosed = false
    for leaf in leaves[set] where nodes[leaf].isOpen {
      guard case .leaf(let condition) = nodes[leaf].kind else { continue }
      let truth = condition.truth(by: tally, reasons: reasons)
      guard truth != .unknown else { continue }
      settle(leaf, truth)
      isAnyClosed = true
    }
    if isAnyClosed { leaves[set].removeAll { !nodes[$0].isOpen } }
  }

  /// Updates the conditions on the captive-portal API, which has responded or never will.
  mutating func update(_ response: CapportResponse) {
    for leaf in capportLeaves where nodes[leaf].isOpen {
      switch nodes[leaf].kind {
      case .leaf(.capport(let expected)): settle(leaf, Truth(expected == response.state))
      case .leaf(.userPortalURL(let expected)): settle(leaf, Truth(expected == response.hasUserPortalURL))
      default: continue
      }
    }
  }
}

extension RuleProgress {
  /// Records the final value of a condition.
  private mutating func settle(_ index: Int, _ truth: Truth) {
    nodes[index].truth = truth
    close(index)
    guard let parent = nodes[index].parent else { return settleRule(nodes[index].rule, truth) }
    guard nodes[parent].truth == .unknown else { return }
    nodes[parent].openChildren -= 1
    switch (nodes[parent].kind, truth) {
    case (.not, _): settle(parent, !truth)
    case (.all, .no), (.any, .yes): settle(parent, truth)
    default: if nodes[parent].openChildren == 0 { settle(parent, truth) }
    }
  }

  private mutating func settleRule(_ rule: Int, _ truth: Truth) {
    if truth == .yes {
      // Rules after one that applies never count.
      for root in roots[(rule + 1)...] { close(root) }
      roots.removeSubrange((rule + 1)...)
    }
    while first < roots.count, nodes[roots[first]].truth == .no { first += 1 }
  }

  /// Closes a condition and all its parts, which can no longer affect the verdict.
  private mutating func close(_ index: Int) {
    guard nodes[index].isOpen else { return }
    nodes[index].isOpen = false
    if let set = nodes[index].set { openLeaves[set] -= 1 }
    for child in nodes[index].children { close(child) }
  }
}

extension DecisionCondition {
  /// The name of the set that a leaf condition refers to.
  var set: String? {
    switch self {
    case .met(let set, _), .outcome(let set, _, _), .reason(let set, _): set
    case .capport, .userPortalURL, .all, .any, .not: nil
    }
  }

  /// Whether the condition concerns the captive-portal API (RFC 8908).
  var requestsCapport: Bool {
    switch self {
    case .capport, .userPortalURL: true
    default: false
    }
  }

  /// Whether a condition on a set holds, judging by its tally.
  func truth(by tally: SetTally, reasons: some Sequence<ReasonCode>) -> Truth {
    switch self {
    case .met(_, let isMet): isMet ? tally.isMet : !tally.isMet
    case .outcome(_, let outcome, .any): tally.has(1, outcome)
    case .outcome(_, let outcome, .all): tally.has(tally.total, outcome)
    case .outcome(_, let outcome, .atLeast(let count)): tally.has(count, outcome)
    case .reason(_, let pattern):
      reasons.contains(where: pattern.matches) ? .yes : tally.pending == 0 ? .no : .unknown
    case .capport, .userPortalURL, .all, .any, .not: .unknown
    }
  }
}
