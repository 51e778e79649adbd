/// Walking along statements (ECMAScript §14).
extension ScriptWalk {
  /// A token by its number; beyond what is read now, the end.
  func token(_ index: Int) -> ScriptToken {
    index < limit ? tokens[index] : tokens[tokens.count - 1]
  }

  /// The kind of the token that is next.
  var kind: ScriptToken.Kind { at < limit ? tokens[at].kind : .end }

  /// The word that is next, if it is one.
  var word: ScriptWord? { at < limit ? tokens[at].word : nil }

  /// The token behind one, or behind the bracket that opens with it.
  func behind(_ index: Int) -> Int {
    switch tokens[index].kind {
    case .openParen, .openBracket, .openBrace, .templateHead:
      let close = Int(tokens[index].partner)
      // One that was not closed ends with what it stands in.
      return max(index + 1, tokens[close].partner == index ? close + 1 : close)
    default: return index + 1
    }
  }

  /// Walks through statements up to the limit.
  ///
  /// - Returns: Whether something ends them before, such as `return`: what follows does not happen.
  @discardableResult mutating func walkStatements() -> Bool {
    while at < limit {
      let start = at
      if walkStatement() {
        at = limit
        return true
      }
      if at == start { at += 1 }
    }
    return false
  }

  /// Walks through what the bracket that is next holds, and on behind it.
  mutating func within<Result>(_ body: (inout ScriptWalk) -> Result) -> Result {
    let (open, before) = (at, limit)
    limit = min(before, max(open + 1, Int(tokens[open].partner)))
    at = open + 1
    let result = body(&self)
    limit = before
    at = min(limit, behind(open))
    return result
  }

  /// Walks through one statement.
  ///
  /// - Returns: Whether what follows does not happen.
  mutating func walkStatement() -> Bool {
    guard depth < Self.maximumDepth, steps > 0 else {
      at = steps > 0 ? behind(at) : limit
      return false
    }
    steps -= 1
    depth += 1
    defer { depth -= 1 }
    switch kind {
    case .openBrace: return within { $0.walkStatements() }
    case .semicolon, .comma, .closeParen, .closeBracket, .closeBrace, .colon, .junk:
      at += 1
      return false
    case .name where token(at + 1).kind == .colon && word != .default && word != .case:
      at += 2
      return walkStatement()
    case .name: return walkNamedStatement()
    default:
      _ = expression()
      return false
    }
  }

  private mutating func walkNamedStatement() -> Bool {
    switch word {
    case .var, .let, .const:
      at += 1
      walkDeclarations()
    case .if: return walkIf()
    case .for, .while: walkLoop()
    case .do:
      at += 1
      return walkStatement()
    case .switch: walkSwitch()
    case .try:
      at += 1
      return kind == .openBrace && within { $0.walkStatements() }
    case .catch:
      at += 1
      if kind == .openParen { at = min(limit, behind(at)) }
      // It is there for what goes wrong; what follows counts on the other way.
      _ = outcome { _ = $0.walkStatement() }
    case .else:
      // One without an `if` before it.
      at += 1
      walkBranch()
    case .finally: at += 1
    case .function: walkFunctionDeclaration()
    case .class: walkClass()
    case .return, .throw, .break, .continue: return walkEnd()
    case .case, .default: walkLabel()
    default: _ = expression()
    }
    return false
  }

  mutating func walkBranch() {
    merge([outcome { _ = $0.walkStatement() }])
  }

  private mutating func walkEnd() -> Bool {
    let isReturn = word == .return
    let isOfFunction = isReturn || word == .throw
    at += 1
    if isOfFunction, kind != .semicolon, kind != .end, !tokens[at].followsLineBreak {
      let value = expression()
      if isReturn, !isDead, let old = calls.last {
        calls[calls.count - 1].result = old.result.map { joined($0, value) } ?? value
      }
    }
    if isOfFunction, openWays > 0 { isDoubtful = true }
    return true
  }

  /// Walks through the declarations behind `var`, `let` or `const`.
  mutating func walkDeclarations() {
    while kind == .name || kind == .openBrace || kind == .openBracket {
      steps -= 1
      if kind == .name {
        let name = tokens[at].name
        at += 1
        hide(name)
        if kind == .assign {
          at += 1
          let value = assignment()
          if !isDead { set(.variable(name), value) }
        } else if !isDead, variables[Int(name)] == nil || !calls.isEmpty {
          set(.variable(name), .undefined)
        }
      } else {
        at = min(limit, behind(at))
        if kind == .assign {
          at += 1
          _ = assignment()
        }
      }
      guard kind == .comma else { return }
      at += 1
    }
  }

  private mutating func walkFunctionDeclaration() {
    let start = at
    guard let number = function(named: start) else {
      at += 1
      return
    }
    let name = token(start + 1).kind == .name ? token(start + 1).name : -1
    at = min(limit, functions[number].body.upperBound + 1)
    if name >= 0, !isDead { set(.variable(name), .function(number)) }
  }

  /// Makes the methods of a class known as functions that somebody may call.
  mutating func walkClass() {
    while at < limit, kind != .openBrace {
      steps -= 1
      at += 1
    }
    guard at < limit else { return }
    within { walk in
      while walk.at < walk.limit {
        walk.steps -= 1
        if walk.kind == .openParen, let number = walk.function(parameters: walk.at) {
          walk.at = min(walk.limit, walk.functions[number].body.upperBound + 1)
        } else {
          walk.at = min(walk.limit, walk.behind(walk.at))
        }
      }
    }
  }
}
