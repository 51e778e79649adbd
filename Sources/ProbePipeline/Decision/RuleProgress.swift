import ProbeCore

/// How far the rules of `decide` are settled by what has been seen so far.
///
/// Each condition is a node that is unknown until it is known for good: whatever comes after cannot change it. What
/// becomes known is handed on to the condition it is a part of, and what cannot matter any more is marked, so that over
/// a whole run each node costs constant time.
struct RuleProgress {
  private enum Kind {
    case all, any, not
    case leaf(DecisionCondition)
  }

  private struct Node {
    let kind: Kind
    let parent: Int?
    let rule: Int
    /// The set that a leaf asks about.
    let set: Int?
    var truth = Truth.unknown
    /// Whether it can still matter to the verdict.
    var isOpen = true
    var children: [Int] = []
    var openChildren = 0
  }

  private let rules: [DecisionRule]
  private var nodes: [Node] = []
  private var roots: [Int] = []
  /// The leaves that ask about each set, as long as they are open.
  private var leaves: [[Int]]
  private var capportLeaves: [Int] = []
  /// The first rule that is not known not to apply.
  private var first = 0
  /// How many open leaves each set has.
  private var openLeaves: [Int]

  /// The rules before anything is seen.
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
    // From the back: what a condition is made of stands behind it.
    for index in nodes.indices.reversed() {
      let node = nodes[index]
      guard node.isOpen, node.truth == .unknown, node.children.isEmpty else { continue }
      switch node.kind {
      case .all: settle(index, .yes)
      case .any: settle(index, .no)
      case .not: break
      // Nothing is ever seen of a set that does not exist.
      case .leaf(let condition):
        if node.set == nil, !condition.asksCapport { settle(index, .no) }
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
    } else if condition.asksCapport {
      capportLeaves.append(index)
    }
    for part in parts { add(part, to: index, rule: rule, positions) }
  }
}

extension RuleProgress {
  /// What the verdict is, by which rule; nil as long as it depends on what has not been seen, and no rule when none
  /// applies.
  var decision: (rule: Int?, verdict: Verdict)? {
    guard first < roots.count else { return (nil, .inconclusive) }
    return nodes[roots[first]].truth == .yes ? (first, rules[first].verdict) : nil
  }

  /// The rule that applies; nil as long as that is not known, or when none does.
  var applying: DecisionRule? { decision?.rule.map { rules[$0] } }

  /// Whether what is not known of a set can still change the verdict.
  func dependsOn(_ set: Int) -> Bool { openLeaves[set] > 0 }

  /// More is known of a set.
  ///
  /// - Parameters:
  ///   - set: The position of the set.
  ///   - tally: What is known of it now.
  ///   - reasons: The reasons that were not seen in it before.
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

  /// The API of RFC 8908 has answered, or never will.
  mutating func update(_ answer: CapportAnswer) {
    for leaf in capportLeaves where nodes[leaf].isOpen {
      switch nodes[leaf].kind {
      case .leaf(.capport(let asked)): settle(leaf, Truth(asked == answer.state))
      case .leaf(.userPortalURL(let asked)): settle(leaf, Truth(asked == answer.hasUserPortalURL))
      default: continue
      }
    }
  }
}

extension RuleProgress {
  /// A condition is known for good.
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
      // Those behind one that applies never count.
      for root in roots[(rule + 1)...] { close(root) }
      roots.removeSubrange((rule + 1)...)
    }
    while first < roots.count, nodes[roots[first]].truth == .no { first += 1 }
  }

  /// Marks a condition and all its parts as of no consequence any more.
  private mutating func close(_ index: Int) {
    guard nodes[index].isOpen else { return }
    nodes[index].isOpen = false
    if let set = nodes[index].set { openLeaves[set] -= 1 }
    for child in nodes[index].children { close(child) }
  }
}

extension DecisionCondition {
  /// The name of the set that a condition without parts asks about.
  var set: String? {
    switch self {
    case .met(let set, _), .outcome(let set, _, _), .reason(let set, _): set
    case .capport, .userPortalURL, .all, .any, .not: nil
    }
  }

  /// Whether it is the question for what the API of RFC 8908 said.
  var asksCapport: Bool {
    switch self {
    case .capport, .userPortalURL: true
    default: false
    }
  }

  /// Whether a condition on a set holds by what is known of it.
  fileprivate func truth(by tally: SetTally, reasons: some Sequence<ReasonCode>) -> Truth {
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
