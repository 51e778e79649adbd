/// How many of the operators asked show a captive portal and how many pass: what decides whether a portal stands in the
/// way.
///
/// Answers are counted as they come, so that each costs constant time; and so are those that are still out, so that the
/// tally can tell whether they matter.
struct PortalTally<Name: Hashable> {
  /// What is known of one operator.
  private struct Seen {
    /// One of its answers looks like a portal's.
    var isHinted = false
    /// One of its answers is a portal's beyond doubt of who gave it.
    var isShown = false
    /// One of its answers is the expected one.
    var isPassed = false
    /// How many of its answers are still out.
    var pending = 0
  }

  /// How many operators are of which kind.
  private struct Counts {
    var hinted = 0
    var shown = 0
    var pending = 0
    var hintedOrPending = 0
    var passedUnhinted = 0
    var passedUnshown = 0
    var passedForGood = 0
    var mayPassUnhinted = 0
    var mayPassUnshown = 0

    mutating func add(_ seen: Seen, _ number: Int) {
      let mayPass = seen.isPassed || seen.pending > 0
      if seen.isHinted { hinted += number }
      if seen.isShown { shown += number }
      if seen.pending > 0 { pending += number }
      if seen.isHinted || seen.pending > 0 { hintedOrPending += number }
      if seen.isPassed, !seen.isHinted { passedUnhinted += number }
      if seen.isPassed, !seen.isShown { passedUnshown += number }
      if seen.isPassed, !seen.isHinted, seen.pending == 0 { passedForGood += number }
      if mayPass, !seen.isHinted { mayPassUnhinted += number }
      if mayPass, !seen.isShown { mayPassUnshown += number }
    }
  }

  private var operators: [Name: Seen] = [:]
  private var counts = Counts()
  /// Whether something says in a protocol's own words, or by where it leads, that a login is required.
  var isStated = false
}

extension PortalTally {
  /// An answer of the operator is expected.
  mutating func expect(_ name: Name) { change(name) { $0.pending += 1 } }

  /// An answer of the operator is not expected any more.
  mutating func end(_ name: Name) { change(name) { $0.pending -= 1 } }

  /// The operator gave the expected answer.
  mutating func pass(_ name: Name) { change(name) { $0.isPassed = true } }

  /// The operator's answer looks like a portal's.
  ///
  /// - Parameters:
  ///   - name: The operator.
  ///   - isForeign: Whether it cannot be the operator's own.
  mutating func show(_ name: Name, isForeign: Bool) {
    change(name) { seen in
      seen.isHinted = true
      if isForeign { seen.isShown = true }
    }
  }

  private mutating func change(_ name: Name, _ body: (inout Seen) -> Void) {
    var seen = operators[name] ?? Seen()
    counts.add(seen, -1)
    body(&seen)
    counts.add(seen, 1)
    operators[name] = seen
  }
}

extension PortalTally {
  /// Whether the answers so far prove a portal.
  ///
  /// - Parameter isOnline: Whether enough answers are as expected: then one odd answer is that server's own doing, and
  ///   more have to agree.
  /// - Returns: Whether they do.
  func proves(isOnline: Bool) -> Bool {
    isDecidedByHints
      ? isEnough(counts.hinted, beside: counts.passedUnhinted, isStated, isOnline)
      : isEnough(counts.shown, beside: counts.passedUnshown, isStated, isOnline)
  }

  /// Whether they prove a portal whatever is still to come: more operators that pass are the most that can speak against
  /// it.
  ///
  /// - Parameter mayBeOnline: Whether enough answers may yet be as expected.
  /// - Returns: Whether they do.
  func provesForGood(mayBeOnline: Bool) -> Bool {
    isDecidedByHints
      ? isEnough(counts.hinted, beside: counts.mayPassUnhinted, isStated, mayBeOnline)
      : isEnough(counts.shown, beside: counts.mayPassUnshown, isStated, mayBeOnline)
  }

  /// Whether what is still to come may prove a portal on a network that is online without it.
  var mayProve: Bool {
    guard counts.pending > 0 else { return proves(isOnline: true) }
    return isEnough(counts.hintedOrPending, beside: counts.passedForGood, true, true)
  }

  /// Answers that may be the server's own show nobody in between unless unrelated servers agree.
  private var isDecidedByHints: Bool { counts.hinted >= 2 }

  private func isEnough(_ operators: Int, beside others: Int, _ isStated: Bool, _ isOnline: Bool) -> Bool {
    guard operators > 0 else { return false }
    // A portal lets some hosts through, but not most of the Internet.
    if operators >= 2 || isStated, operators * 4 >= operators + others { return true }
    return !isOnline && others <= operators
  }
}
