import ProbeBase

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
  func indexAfter(_ index: Int) -> Int {
    switch tokens[index].kind {
    case .openParen, .openBracket, .openBrace, .templateHead:
      let close = Int(widening: tokens[index].partner)
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
    limit = min(before, max(open + 1, Int(widening: tokens[open].partner)))
    at = open + 1
    let result = body(&self)
    limit = before
    at = min(limit, indexAfter(open))
    return result
  }

  /// Walks one statement.
  ///
  /// - Returns: Whether the statements after it are unreachable.
  mutating func walkStatement() -> Bool {
    guard depth < Self.maximumDepth, steps > 0 else {
      at = steps > 0 ? indexAfter(at) : limit
      return false
    }
    steps -= 1
    depth += 1
    defer { depth -= 1 }
    switch kind {
    case .openBrace: return walkBlock()
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

  /// Walks a block, whose `let` and `const` end with it, unless a function that it has created may see them later.
  private mutating func walkBlock() -> Bool {
    let before = creations
    blocks.append([])
    let ends = within { $0.walkStatements() }
    let hidden = blocks.removeLast()
    for (name, old) in hidden.reversed() {
      if creations == before {
        variables[Int(widening: name)] = old
      } else if old != nil {
        set(.variable(name), .unknown)
      }
    }
    return ends
  }

  private mutating func walkNamedStatement() -> Bool {
    switch word {
    case .var, .let, .const:
      let isFunctionScoped = word == .var
      at += 1
      walkDeclarations(ofFunction: isFunctionScoped)
    case .if: return walkIf()
    case .for, .while: return walkLoop()
    case .do:
      at += 1
      return walkStatement()
    case .switch: walkSwitch()
    case .try:
      at += 1
      return kind == .openBrace && within { $0.walkStatements() }
    case .catch:
      at += 1
      if kind == .openParen { at = min(limit, indexAfter(at)) }
      // It runs only after an error; what follows assumes that there was none.
      _ = outcome { _ = $0.walkStatement() }
    case .else:
      // An `else` without a preceding `if`.
      at += 1
      walkBranch()
    case .finally: at += 1
    case .function: walkFunctionDeclaration()
    case .class: _ = walkClass()
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
    if !isDead { jump = word }
    if openWays > 0 { doubtfulJumps += 1 }
    let endsFunction = isReturn || word == .throw
    at += 1
    // A jump out of several loops.
    if !endsFunction, kind == .name, !tokens[at].followsLineBreak { doubtfulJumps += 1 }
    if endsFunction, kind != .semicolon, kind != .end, !tokens[at].followsLineBreak {
      let value = expression()
      if isReturn, !isDead, let old = calls.last {
        calls[calls.count - 1].result = old.result.map { joined($0, value) } ?? value
      }
    }
    if endsFunction, openWays > 0 { isDoubtful = true }
    return true
  }

  /// Walks the declarations after `var`, `let` or `const`.
  private mutating func walkDeclarations(ofFunction isFunctionScoped: Bool) {
    isBlockLevel = !isFunctionScoped
    defer { isBlockLevel = false }
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
        } else if !isDead, variables[Int(widening: name)] == nil || !calls.isEmpty {
          set(.variable(name), .undefined)
        }
      } else {
        let pattern = at
        at = min(limit, indexAfter(at))
        var value = ScriptValue.unknown
        if kind == .assign {
          at += 1
          value = assignment()
        }
        let end = at
        at = pattern
        bindPattern(value)
        at = end
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

  /// Walks a class: an object with its methods, which may be called at any time.
  mutating func walkClass() -> ScriptValue {
    let name = token(at + 1).kind == .name && token(at + 1).word != .extends ? token(at + 1).name : -1
    var hasOthers = false
    while at < limit, kind != .openBrace {
      steps -= 1
      hasOthers = hasOthers || word == .extends
      at += 1
    }
    guard at < limit else { return .unknown }
    recordCount += 1
    let record = recordCount
    within { walk in
      while walk.at < walk.limit {
        walk.steps -= 1
        if walk.kind == .name, let number = walk.function(parameters: walk.at + 1) {
          walk.setMember(walk.tokens[walk.at].name, of: record, .function(number))
          walk.at = min(walk.limit, walk.functions[number].body.upperBound + 1)
        } else {
          // A field, or a method that is called without parentheses.
          hasOthers = hasOthers || walk.kind != .semicolon
          walk.at = min(walk.limit, walk.indexAfter(walk.at))
        }
      }
    }
    if hasOthers { spoiled.insert(record) }
    if name >= 0, !isDead { set(.variable(name), .record(record)) }
    return .record(record)
  }
}
