/// Where a script stores a value.
enum ScriptSlot: Hashable {
  case variable(ScriptName)
  /// A field of an object that the scripts created; see `ScriptWalk.key`.
  case field(UInt64)
}

/// The effects of a branch of a script that may or may not be taken.
struct ScriptOutcome {
  /// The values that it would leave, each slot once and always in the same order.
  var values: [(slot: ScriptSlot, value: ScriptValue)] = []
  /// Whether it certainly leaves the page.
  var leaves = false
}

/// Walking branches that may or may not be taken.
extension ScriptWalk {
  /// The value in a slot; nil if none has been stored.
  private subscript(slot: ScriptSlot) -> ScriptValue? {
    get {
      switch slot {
      case .variable(let name): variables[Int(name)]
      case .field(let key): fields[key]
      }
    }
    set {
      switch slot {
      case .variable(let name): variables[Int(name)] = newValue
      case .field(let key): fields[key] = newValue
      }
    }
  }

  /// Stores a value in a variable or a field.
  mutating func set(_ slot: ScriptSlot, _ value: ScriptValue) {
    if openWays > 0 {
      let old = self[slot]
      textBudget -= old?.textLength ?? 0
      changes.append((slot, old))
    }
    self[slot] = value
  }

  /// Walks a branch that is taken if a condition is true.
  ///
  /// - Returns: Its effects if the condition is unknown; for ``merge(_:)``.
  mutating func walk(if truth: Bool?, _ way: (inout ScriptWalk) -> Void) -> ScriptOutcome? {
    guard let truth else { return outcome(of: way) }
    let wasDead = isDead
    isDead = wasDead || !truth
    way(&self)
    isDead = wasDead
    return nil
  }

  /// Walks a branch, and restores everything to the state before it.
  mutating func outcome(of way: (inout ScriptWalk) -> Void) -> ScriptOutcome {
    let (start, left) = (changes.count, leaves)
    leaves = false
    openWays += 1
    way(&self)
    openWays -= 1
    var outcome = ScriptOutcome(leaves: leaves)
    var seen: Set<ScriptSlot> = []
    for (slot, old) in changes[start...].reversed() {
      // A slot without a value now is local to a function whose call has ended.
      if seen.insert(slot).inserted, let value = self[slot] { outcome.values.append((slot, value)) }
      self[slot] = old
    }
    changes.removeSubrange(start...)
    leaves = left
    return outcome
  }

  /// Continues after branches of which one has been taken, or possibly none if there is only one.
  mutating func merge(_ outcomes: [ScriptOutcome?]) {
    var ways = outcomes.compactMap(\.self)
    guard !ways.isEmpty else { return }
    if ways.count == 1 { ways.append(ScriptOutcome()) }
    leaves = leaves || ways.allSatisfy(\.leaves)
    var places: [ScriptSlot: Int] = [:]
    var ends: [(slot: ScriptSlot, value: ScriptValue, count: Int)] = []
    for (slot, value) in ways.lazy.flatMap(\.values) {
      if let place = places[slot] {
        ends[place] = (slot, joined(ends[place].value, value), ends[place].count + 1)
      } else {
        places[slot] = ends.count
        ends.append((slot, value, 1))
      }
    }
    for (slot, value, count) in ends {
      set(slot, count == ways.count ? value : joined(self[slot] ?? .unknown, value))
    }
  }

  /// What is known about a value that is one of two.
  mutating func joined(_ first: ScriptValue, _ second: ScriptValue) -> ScriptValue {
    textBudget -= min(first.textLength, second.textLength)
    return textBudget > 0 ? first.joined(with: second) : .unknown
  }
}

/// Walking conditional statements (ECMAScript §14.6, §14.7 and §14.12).
extension ScriptWalk {
  /// Walks an `if` with its `else`.
  ///
  /// - Returns: Whether the statements after it are unreachable.
  mutating func walkIf() -> Bool {
    at += 1
    let truth = trusted(condition())
    var (ends, elseEnds) = (false, false)
    var ways = [walk(if: truth) { ends = $0.walkStatement() }]
    if kind == .semicolon, token(at + 1).word == .else { at += 1 }
    if word == .else {
      at += 1
      ways.append(walk(if: truth.map(!)) { elseEnds = $0.walkStatement() })
    }
    merge(ways)
    return truth.map { $0 ? ends : elseEnds } ?? (ends && elseEnds)
  }

  /// The value of the next parenthesized expression.
  private mutating func condition() -> ScriptValue {
    guard kind == .openParen else { return .unknown }
    return within { $0.expression() }
  }

  /// The truth value of a condition, where it is known.
  func trusted(_ value: ScriptValue) -> Bool? {
    if case .object = value { return true }
    return trustsConditions || value.isCertain ? value.truth : nil
  }

  /// Walks a loop once; whether it runs is unknown.
  mutating func walkLoop() {
    at += 1
    if word == .await { at += 1 }
    if kind == .openParen { _ = within { $0.walkStatements() } }
    walkBranch()
  }

  /// Walks the cases of a `switch`.
  mutating func walkSwitch() {
    at += 1
    _ = condition()
    guard kind == .openBrace else { return }
    within { inner in
      var ways: [ScriptOutcome] = []
      var hasDefault = false
      while inner.at < inner.limit {
        let start = inner.at
        hasDefault = hasDefault || inner.word == .default
        // Each case separately: one does not see the effects of another.
        ways.append(
          inner.outcome { each in
            if each.word == .case || each.word == .default { each.walkLabel() }
            while each.at < each.limit, each.word != .case, each.word != .default {
              let start = each.at
              if each.walkStatement() { each.skipToLabel() }
              if each.at == start { each.at += 1 }
            }
          })
        if inner.at == start { inner.at += 1 }
      }
      inner.merge(hasDefault ? ways : ways + [ScriptOutcome()])
    }
  }

  private mutating func skipToLabel() {
    while at < limit, word != .case, word != .default {
      steps -= 1
      at = min(limit, behind(at))
    }
  }

  /// Walks the label of a `case` or `default`.
  mutating func walkLabel() {
    at += 1
    if kind != .colon { _ = expression() }
    if kind == .colon { at += 1 }
  }
}
