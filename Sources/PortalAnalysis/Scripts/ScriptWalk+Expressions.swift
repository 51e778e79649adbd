/// Walking along expressions (ECMAScript §13).
extension ScriptWalk {
  /// An operand: its value, and where it is kept.
  struct Operand {
    var value: ScriptValue
    var place = ScriptPlace.none
  }

  /// Walks through an expression, commas included.
  mutating func expression() -> ScriptValue {
    var value = assignment()
    while kind == .comma, steps > 0 {
      at += 1
      value = assignment()
    }
    return value
  }

  /// Walks through an expression up to a comma.
  mutating func assignment() -> ScriptValue {
    guard depth < Self.maximumDepth, steps > 0 else {
      skipExpression()
      return .unknown
    }
    depth += 1
    defer { depth -= 1 }
    if word == .async, token(at + 1).kind == .name || token(at + 1).kind == .openParen,
      !token(at + 1).followsLineBreak
    {
      at += 1
    }
    if let arrow = arrowFunction() { return arrow }
    let start = at
    let left = binary(from: 0)
    guard at > start else { return .unknown }
    switch kind {
    case .assign:
      at += 1
      let value = assignment()
      assign(value, to: left.place)
      return value
    case .plusAssign:
      at += 1
      let value = concatenation(left.value, assignment())
      assign(value, to: left.place)
      return value
    case .orAssign:
      at += 1
      let value = either(left.value, assignment())
      assign(value, to: left.place)
      return value
    case .otherAssign:
      at += 1
      _ = assignment()
      assign(.unknown, to: left.place)
      return .unknown
    case .question: return choice(left.value)
    default: return left.value
    }
  }

  /// Passes over the rest of an expression.
  private mutating func skipExpression() {
    while at < limit {
      switch kind {
      case .semicolon, .comma, .closeParen, .closeBracket, .closeBrace, .colon, .templateMiddle,
        .templateTail:
        return
      default:
        steps -= 1
        at = min(limit, behind(at))
      }
    }
  }

  private mutating func choice(_ condition: ScriptValue) -> ScriptValue {
    at += 1
    let truth = trusted(condition)
    let wasDead = isDead
    isDead = wasDead || truth == false
    let first = assignment()
    isDead = wasDead || truth == true
    guard kind == .colon else {
      isDead = wasDead
      return .unknown
    }
    at += 1
    let second = assignment()
    isDead = wasDead
    return truth.map { $0 ? first : second } ?? either(first, second)
  }

  /// The first of two values that says something.
  private func either(_ first: ScriptValue, _ second: ScriptValue) -> ScriptValue {
    if case .bool = first { return second }
    if case .text(let text) = first, text.isEmpty { return second }
    return first.isWorthKeeping ? first : second
  }

  /// Walks through operands and the operators of two between them.
  ///
  /// The levels are those that matter here: `||` and `??`, `&&`, comparisons, the rest with `+` among it.
  private mutating func binary(from minimum: Int) -> Operand {
    var left = unary()
    while at < limit, steps > 0, let level = Self.level(of: kind, word), level >= minimum {
      let kind = self.kind
      steps -= 1
      at += 1
      switch kind {
      case .or, .and: left = Operand(value: logical(kind, left.value, level))
      case .equal, .notEqual:
        let right = binary(from: level + 1).value
        textBudget -= left.value.textLength + right.textLength
        let equal = textBudget > 0 ? left.value.isEqual(to: right) : nil
        left = Operand(value: equal.map { .bool($0 == (kind == .equal)) } ?? .unknown)
      case .plus: left = Operand(value: concatenation(left.value, binary(from: level + 1).value))
      default:
        _ = binary(from: level + 1)
        left = Operand(value: .unknown)
      }
    }
    return left
  }

  private static func level(of kind: ScriptToken.Kind, _ word: ScriptWord?) -> Int? {
    switch kind {
    case .or: 0
    case .and: 1
    case .equal, .notEqual: 2
    case .plus, .minus, .other: 3
    case .name: word == .in || word == .instanceof ? 2 : nil
    default: nil
    }
  }

  private mutating func logical(
    _ kind: ScriptToken.Kind, _ left: ScriptValue, _ level: Int
  ) -> ScriptValue {
    let truth = trusted(left)
    let wasDead = isDead
    isDead = wasDead || truth == (kind == .or)
    let right = binary(from: level + 1).value
    isDead = wasDead
    if let truth { return truth == (kind == .or) ? left : right }
    return kind == .or ? either(left, right) : .unknown
  }

  private mutating func unary() -> Operand {
    var isPlain = true
    var negations = 0
    while at < limit, steps > 0 {
      switch kind {
      case .bang where source[Int(tokens[at].start)] == UInt8(ascii: "!"): negations += 1
      case .bang, .plus, .minus, .increment, .spread: isPlain = false
      case .name:
        switch word {
        case .typeof, .void, .delete: isPlain = false
        case .await, .yield: break
        default: return finish(postfix(), isPlain, negations)
        }
      default: return finish(postfix(), isPlain, negations)
      }
      steps -= 1
      at += 1
    }
    return Operand(value: .unknown)
  }

  private mutating func finish(_ operand: Operand, _ isPlain: Bool, _ negations: Int) -> Operand {
    if !isPlain {
      // `++x` changes it; the others leave it alone, and what they give is of no use.
      if case .variable(let name) = operand.place, !isDead, case .number = operand.value {
        set(name, .unknown)
      }
      return Operand(value: .unknown)
    }
    guard negations > 0 else { return operand }
    guard let truth = operand.value.truth else { return Operand(value: .unknown) }
    return Operand(value: .bool(truth == (negations % 2 == 0)))
  }

  /// Walks through an arrow function, if one is next.
  private mutating func arrowFunction() -> ScriptValue? {
    let parameters: Range<Int>
    let arrow: Int
    switch kind {
    case .name where token(at + 1).kind == .arrow:
      (parameters, arrow) = (at..<(at + 1), at + 1)
    case .openParen:
      let close = Int(tokens[at].partner)
      guard token(close).kind == .closeParen, token(close + 1).kind == .arrow else { return nil }
      (parameters, arrow) = ((at + 1)..<max(at + 1, close), close + 1)
    default: return nil
    }
    let body = arrow + 1
    if token(body).kind == .openBrace {
      at = min(limit, behind(body))
      let end = max(body + 1, Int(tokens[body].partner))
      return .function(
        function(arrow: arrow, parameters: parameters, body: (body + 1)..<end, isExpression: false))
    }
    at = body
    skipArrowBody()
    return .function(function(arrow: arrow, parameters: parameters, body: body..<at, isExpression: true))
  }

  /// Passes over an expression that is the body of a function: it ends with its line, unless it goes on.
  private mutating func skipArrowBody() {
    let start = at
    while at < limit, steps > 0 {
      switch kind {
      case .semicolon, .comma, .closeParen, .closeBracket, .closeBrace, .templateMiddle, .templateTail: return
      case .name, .string, .number:
        if at > start, tokens[at].followsLineBreak, !tokens[at - 1].kind.needsOperand { return }
      default: break
      }
      steps -= 1
      at = min(limit, behind(at))
    }
  }
}
