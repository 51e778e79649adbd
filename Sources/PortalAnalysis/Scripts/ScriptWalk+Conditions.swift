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
