/// Where a script keeps a value.
enum ScriptSlot: Hashable {
  case variable(ScriptName)
  /// A field of an object that the scripts made; see `ScriptWalk.key`.
  case field(UInt64)
}

/// What a way through a script would do that may be taken or not.
struct ScriptOutcome {
  /// The values that it would leave, each place once and always in the same order.
  var values: [(slot: ScriptSlot, value: ScriptValue)] = []
  /// Whether it is certain to lead away from the page.
  var leaves = false
}

/// Walking along ways of which nobody knows whether they are taken.
extension ScriptWalk {
  /// A value, by where it is kept; nil when nothing has been put there.
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

  /// Gives a variable or a field a value.
  mutating func set(_ slot: ScriptSlot, _ value: ScriptValue) {
    if openWays > 0 {
      let old = self[slot]
      textBudget -= old?.textLength ?? 0
      changes.append((slot, old))
    }
    self[slot] = value
  }

  /// Walks through a way that is taken if a condition is true.
  ///
  /// - Returns: What it would do, when nobody knows whether it is taken; for ``merge(_:)``.
  mutating func walk(if truth: Bool?, _ way: (inout ScriptWalk) -> Void) -> ScriptOutcome? {
    guard let truth else { return outcome(of: way) }
    let wasDead = isDead
    isDead = wasDead || !truth
    way(&self)
    isDead = wasDead
    return nil
  }

  /// Walks through a way, and puts everything back as it was before.
  mutating func outcome(of way: (inout ScriptWalk) -> Void) -> ScriptOutcome {
    let (start, left) = (changes.count, leaves)
    leaves = false
    openWays += 1
    way(&self)
    openWays -= 1
    var outcome = ScriptOutcome(leaves: leaves)
    var seen: Set<ScriptSlot> = []
    for (slot, old) in changes[start...].reversed() {
      // What has no value now is a function's own, and its call has ended.
      if seen.insert(slot).inserted, let value = self[slot] { outcome.values.append((slot, value)) }
      self[slot] = old
    }
    changes.removeSubrange(start...)
    leaves = left
    return outcome
  }

  /// Goes on behind ways of which one has been taken, or none where there is only one.
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

  /// What is known of a value that is one of two.
  mutating func joined(_ first: ScriptValue, _ second: ScriptValue) -> ScriptValue {
    textBudget -= min(first.textLength, second.textLength)
    return textBudget > 0 ? first.joined(with: second) : .unknown
  }
}

/// Walking along what happens under a condition (ECMAScript §14.6, §14.7 and §14.12).
extension ScriptWalk {
  /// Walks through an `if` with its `else`.
  ///
  /// - Returns: Whether what follows does not happen.
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

  /// The value in the parentheses that are next.
  private mutating func condition() -> ScriptValue {
    guard kind == .openParen else { return .unknown }
    return within { $0.expression() }
  }

  /// The truth of a condition, where it can be told.
  func trusted(_ value: ScriptValue) -> Bool? {
    if case .object = value { return true }
    return trustsConditions || value.isCertain ? value.truth : nil
  }

  /// Walks through a loop, once: whether it happens is not known.
  mutating func walkLoop() {
    at += 1
    if word == .await { at += 1 }
    if kind == .openParen { _ = within { $0.walkStatements() } }
    walkBranch()
  }

  /// Walks through the cases of a `switch`.
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
        // Each case on its own: what one does, another one does not see.
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

  /// Walks through what `case` or `default` says.
  mutating func walkLabel() {
    at += 1
    if kind != .colon { _ = expression() }
    if kind == .colon { at += 1 }
  }
}
