import ProbeCore

/// The sets that have finished whenever the rules of `decide` give their verdict, in whatever order results arrive.
///
/// A run ends once its verdict is certain, so other sets may have finished or not. Evidence that has to be the same
/// for equal networks can use only these.
struct SettledSets {
  /// The names of the sets.
  private(set) var names: Set<String> = []
  private let tallies: [String: SetTally]

  /// Finds the sets.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - applying: The position of the rule that applies, or nil if none does.
  ///   - sets: The results of all sets.
  init(_ rules: [DecisionRule], applying: Int?, _ sets: [SetResult]) {
    tallies = Dictionary(sets.map { ($0.name, SetTally($0)) }, uniquingKeysWith: { first, _ in first })
    // What is known of these sets can show that further ones have finished.
    var count: Int
    repeat {
      count = names.count
      for (position, rule) in rules.enumerated().prefix((applying ?? rules.count - 1) + 1) {
        names.formUnion(finished(when: rule.condition, is: Truth(position == applying)))
      }
    } while names.count > count
  }

  /// The sets that have finished once a condition is known to have a value.
  private func finished(when condition: DecisionCondition, is truth: Truth) -> Set<String> {
    switch (condition, truth) {
    case (.not(let part), _): return finished(when: part, is: !truth)
    case (.all(let parts), .yes), (.any(let parts), .no):
      return parts.reduce(into: []) { $0.formUnion(finished(when: $1, is: truth)) }
    case (.all(let parts), _), (.any(let parts), _):
      // Any part with this value is enough, so only what all possible ones have in common is certain.
      let values = parts.map(value)
      guard !values.contains(truth) else { return [] }
      let possible = zip(parts, values).filter { $0.1 == .unknown }.map { finished(when: $0.0, is: truth) }
      return possible.dropFirst().reduce(possible.first ?? []) { $0.intersection($1) }
    default:
      guard let name = condition.set, let tally = tallies[name] else { return [] }
      return condition.needsEveryProbe(of: tally, toBe: truth) ? [name] : []
    }
  }

  /// The value of a condition as far as the sets found so far determine it.
  private func value(_ condition: DecisionCondition) -> Truth {
    switch condition {
    case .not(let part): return !value(part)
    case .all(let parts):
      let values = parts.map(value)
      return values.contains(.no) ? .no : values.contains(.unknown) ? .unknown : .yes
    case .any(let parts):
      let values = parts.map(value)
      return values.contains(.yes) ? .yes : values.contains(.unknown) ? .unknown : .no
    default:
      guard let name = condition.set, names.contains(name), let tally = tallies[name] else { return .unknown }
      return condition.truth(by: tally, reasons: tally.reasons)
    }
  }
}

extension DecisionCondition {
  /// Whether a condition on a set is known to have a value only after the last probe of the set.
  fileprivate func needsEveryProbe(of tally: SetTally, toBe truth: Truth) -> Bool {
    let least: Int
    var isReached = truth == .yes
    switch self {
    case .met(_, let isMet):
      least = tally.needed
      isReached = isReached == isMet
    case .outcome(_, _, .any), .reason: least = 1
    case .outcome(_, _, .all): least = tally.total
    case .outcome(_, _, .atLeast(let count)): least = count
    case .capport, .userPortalURL, .all, .any, .not: return false
    }
    // Only a count that is the total is reached by the last probe, and only a count of 1 is missed by it.
    return tally.total == 1 || least == (isReached ? tally.total : 1)
  }
}
