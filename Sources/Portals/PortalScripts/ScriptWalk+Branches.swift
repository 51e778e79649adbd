import ProbeBase

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
      case .variable(let name): variables[Int(widening: name)]
      case .field(let key): fields[key]
      }
    }
    set {
      switch slot {
      case .variable(let name): variables[Int(widening: name)] = newValue
      case .field(let key): fields[key] = newValue
      }
    }
  }

  /// Stores a value in a variable or a field.
  mutating func set(_ slot: ScriptSlot, _ value: ScriptValue) {
    if openWays > 0 || logs > 0 {
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
    var indices: [ScriptSlot: Int] = [:]
    var ends: [(slot: ScriptSlot, value: ScriptValue, count: Int)] = []
    for (slot, value) in ways.lazy.flatMap(\.values) {
      if let index = indices[slot] {
        ends[index] = (slot, joined(ends[index].value, value), ends[index].count + 1)
      } else {
        indices[slot] = ends.count
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
    switch (first, second) {
    case (.unknown, .record(let record)), (.record(let record), .unknown):
      openRecords.insert(record)
      keys[record] = nil
    default: break
    }
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

  /// Walks a loop: over known values for each of them, otherwise once, and whether it runs is unknown.
  ///
  /// - Returns: Whether the statements after it are unreachable.
  mutating func walkLoop() -> Bool {
    let isFor = word == .for
    at += 1
    if word == .await { at += 1 }
    guard kind == .openParen else {
      walkBranch()
      return false
    }
    var rounds: (target: Int, values: [ScriptValue])?
    within { walk in
      if isFor { rounds = walk.loopRounds() } else { walk.walkStatements() }
    }
    guard let rounds else {
      walkBranch()
      return false
    }
    let body = at..<(endOfStatement ?? at)
    // Functions may read the variable later, when it has another value.
    func forget(_ walk: inout ScriptWalk, continuingAt next: Int) {
      walk.at = rounds.target
      walk.bindPattern(.unknown)
      walk.at = next
    }
    guard !isDead, !body.isEmpty, !changesVariable(body, target: rounds.target),
      mayRepeat(body, times: rounds.values.count)
    else {
      forget(&self, continuingAt: body.lowerBound)
      walkBranch()
      return false
    }
    let (start, jumps) = (changes.count, doubtfulJumps)
    logs += 1
    var ends = false
    for value in rounds.values where !ends {
      at = rounds.target
      bindPattern(value)
      at = body.lowerBound
      ends = walkStatement() && jump != .continue
    }
    logs -= 1
    // If the loop may have ended early, everything that it changed may have another value.
    if doubtfulJumps > jumps {
      for (slot, _) in Array(changes[start...]) where self[slot] != nil { set(slot, .unknown) }
    }
    if openWays == 0, logs == 0 { changes.removeSubrange(start...) }
    forget(&self, continuingAt: body.upperBound)
    return ends && jump != .break
  }

  /// Walks the head of a `for` loop.
  ///
  /// - Returns: Its variable and the values of each round; nil if they are not known.
  private mutating func loopRounds() -> (target: Int, values: [ScriptValue])? {
    if word == .var || word == .let || word == .const { at += 1 }
    let target = at
    let next = min(limit, indexAfter(at))
    if let preposition = token(next).word, preposition == .in || preposition == .of {
      at = next + 1
      let object = expression()
      let values = preposition == .in ? keys(of: object) : values(of: object)
      if values == nil {
        at = target
        bindPattern(.unknown)
      }
      return values.map { (target, $0) }
    }
    // Counting: `i = 0; i < length; i++`.
    let name = tokens[target].name
    guard token(target).kind == .name, token(next).kind == .assign, token(next + 1).kind == .number,
      token(next + 2).kind == .semicolon, token(next + 3).name == name, token(next + 4).kind == .less,
      tokens[next + 4].end - tokens[next + 4].start == 1
    else {
      walkStatements()
      return nil
    }
    at = next + 1
    let first = assignment().integer
    at = next + 5
    let last = assignment().integer
    at = target
    bindPattern(.unknown)
    let step = [limit - 2, limit - 1].map { token($0) }
    guard let first, let last, first <= last, last - first <= Self.maximumValues,
      step.contains(where: { $0.kind == .increment }), step.contains(where: { $0.name == name }),
      !step.contains(where: { source[Int(widening: $0.start)] == UInt8(ascii: "-") })
    else { return nil }
    return (target, (first..<last).map { .count(ExternalNumber($0)) })
  }

  /// The end of the next statement, a block or a short line; nil if it is ambiguous.
  private var endOfStatement: Int? {
    guard kind != .openBrace else { return min(limit, indexAfter(at)) }
    // Another loop or condition may go beyond the line.
    if let word, [.if, .for, .while, .do, .try, .switch].contains(word) { return nil }
    var end = at
    for _ in 0..<Self.maximumLineLength {
      guard end < limit, tokens[end].kind != .semicolon else { return min(limit, end) }
      end = indexAfter(end)
    }
    return nil
  }

  /// The maximum number of tokens in the body of a loop without a block.
  private static var maximumLineLength: Int { 64 }

  /// Whether a loop changes its own variable.
  private mutating func changesVariable(_ body: Range<Int>, target: Int) -> Bool {
    steps -= body.count
    return body.contains { index in
      tokens[index].name >= 0 && tokens[index].name == tokens[target].name
        && [.assign, .plusAssign, .otherAssign, .orAssign, .increment].contains(token(index + 1).kind)
    }
  }

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
      at = min(limit, indexAfter(at))
    }
  }

  /// Walks the label of a `case` or `default`.
  mutating func walkLabel() {
    at += 1
    if kind != .colon { _ = expression() }
    if kind == .colon { at += 1 }
  }
}
