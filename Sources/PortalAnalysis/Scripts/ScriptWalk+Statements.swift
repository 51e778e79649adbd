/// Walking statements (ECMAScript §14).
extension ScriptWalk {
  /// A token by its index; at or after the limit, the end token.
  func token(_ index: Int) -> ScriptToken {
    index < limit ? tokens[index] : tokens[tokens.count - 1]
  }

  /// The kind of the next token.
  var kind: ScriptToken.Kind { at < limit ? tokens[at].kind : .end }

  /// The next word, if the token is one.
  var word: ScriptWord? { at < limit ? tokens[at].word : nil }

  /// The token after this one, or after its closing bracket.
  func behind(_ index: Int) -> Int {
    switch tokens[index].kind {
    case .openParen, .openBracket, .openBrace, .templateHead:
      let close = Int(tokens[index].partner)
      // An unclosed bracket ends with the enclosing one.
      return max(index + 1, tokens[close].partner == index ? close + 1 : close)
    default: return index + 1
    }
  }

  /// Walks statements up to the limit.
  ///
  /// - Returns: Whether a statement such as `return` ends them, so that what follows is unreachable.
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

  /// Walks the contents of the next bracket, and moves after it.
  mutating func within<Result>(_ body: (inout ScriptWalk) -> Result) -> Result {
    let (open, before) = (at, limit)
    limit = min(before, max(open + 1, Int(tokens[open].partner)))
    at = open + 1
    let result = body(&self)
    limit = before
    at = min(limit, behind(open))
    return result
  }

  /// Walks one statement.
  ///
  /// - Returns: Whether the statements after it are unreachable.
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
      // It runs only after an error; what follows assumes that there was none.
      _ = outcome { _ = $0.walkStatement() }
    case .else:
      // An `else` without a preceding `if`.
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

  /// Walks the declarations after `var`, `let` or `const`.
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

  /// Declares the methods of a class as functions, which may be called at any time.
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
