import ProbeBase

/// Walking expressions (ECMAScript §13).
extension ScriptWalk {
  /// An operand: its value, and where it is stored.
  struct Operand {
    var value: ScriptValue
    var reference = ScriptReference.none
  }

  /// Walks an expression, including commas.
  mutating func expression() -> ScriptValue {
    var value = assignment()
    while kind == .comma, steps > 0 {
      at += 1
      value = assignment()
    }
    return value
  }

  /// Walks an expression up to a comma.
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
      assign(value, to: left.reference)
      return value
    case .plusAssign:
      at += 1
      let value = concatenation(left.value, assignment())
      assign(value, to: left.reference)
      return value
    case .orAssign:
      at += 1
      let right = assignment()
      let value = trusted(left.value).map { $0 ? left.value : right } ?? joined(left.value, right)
      assign(value, to: left.reference)
      return value
    case .otherAssign:
      at += 1
      _ = assignment()
      assign(.unknown, to: left.reference)
      return .unknown
    case .question: return choice(left.value)
    default: return left.value
    }
  }

  private mutating func skipExpression() {
    while at < limit {
      switch kind {
      case .semicolon, .comma, .closeParen, .closeBracket, .closeBrace, .colon, .templateMiddle,
        .templateTail:
        return
      default:
        steps -= 1
        at = min(limit, indexAfter(at))
      }
    }
  }

  private mutating func choice(_ condition: ScriptValue) -> ScriptValue {
    at += 1
    let truth = trusted(condition)
    var (first, second) = (ScriptValue.unknown, ScriptValue.unknown)
    var ways = [walk(if: truth) { first = $0.assignment() }]
    if kind == .colon {
      at += 1
      ways.append(walk(if: truth.map(!)) { second = $0.assignment() })
    }
    merge(ways)
    return truth.map { $0 ? first : second } ?? joined(first, second)
  }

  /// Walks operands and the binary operators between them.
  ///
  /// The precedence levels are those that matter here: `||` and `??`, `&&`, equality, relational, and the
  /// rest including `+`.
  private mutating func binary(from minimum: Int) -> Operand {
    var left = unary()
    while at < limit, steps > 0, let level = Self.level(of: kind, word), level >= minimum {
      let (kind, length) = (self.kind, tokens[at].end - tokens[at].start)
      steps -= 1
      at += 1
      switch kind {
      case .or, .and: left = Operand(value: logical(kind, left.value, level))
      case .equal, .notEqual:
        let right = binary(from: level + 1).value
        textBudget -= left.value.textLength + right.textLength
        let equal = textBudget > 0 ? left.value.isEqual(to: right) : nil
        let isCertain = left.value.isCertain || right.isCertain
        left = Operand(value: .truth(equal.map { $0 == (kind == .equal) }, isCertain: isCertain))
      case .less, .greater:
        let right = binary(from: level + 1).value
        let order = left.value.order(kind, orEqual: length == 2, right)
        left = Operand(value: .truth(order, isCertain: true))
      case .plus: left = Operand(value: concatenation(left.value, binary(from: level + 1).value))
      default:
        let right = binary(from: level + 1).value
        // Such as the last index of an array; other numbers may be counters.
        guard kind == .minus, left.value.isCertain, let whole = left.value.integer, let part = right.integer
        else {
          left = Operand(value: .unknown)
          continue
        }
        left = Operand(value: .count(ExternalNumber(whole) - ExternalNumber(part)))
      }
    }
    return left
  }

  private static func level(of kind: ScriptToken.Kind, _ word: ScriptWord?) -> Int? {
    switch kind {
    case .or: 0
    case .and: 1
    case .equal, .notEqual: 2
    case .less, .greater: 3
    case .plus, .minus, .other: 4
    case .name: word == .in || word == .instanceof ? 3 : nil
    default: nil
    }
  }

  private mutating func logical(
    _ kind: ScriptToken.Kind, _ left: ScriptValue, _ level: Int
  ) -> ScriptValue {
    let continues = trusted(left).map { $0 == (kind == .and) }
    var right = ScriptValue.unknown
    merge([walk(if: continues) { right = $0.binary(from: level + 1).value }])
    if let continues { return continues ? right : left }
    return kind == .or ? joined(left, right) : .unknown
  }

  private mutating func unary() -> Operand {
    var operators: [ScriptToken] = []
    while at < limit, steps > 0 {
      switch kind {
      case .bang, .plus, .minus, .increment, .spread: operators.append(tokens[at])
      case .name where word == .typeof || word == .void || word == .delete: operators.append(tokens[at])
      case .name where word == .await || word == .yield: break
      default:
        var operand = postfix()
        for token in operators.reversed() { operand = apply(token, to: operand) }
        return operand
      }
      steps -= 1
      at += 1
    }
    return Operand(value: .unknown)
  }

  private mutating func apply(_ token: ScriptToken, to operand: Operand) -> Operand {
    if token.word == .delete {
      switch operand.reference {
      case .member(let base, _), .anyMember(let base): spoil([base])
      default: break
      }
    }
    let isComplement = source[Int(widening: token.start)] == UInt8(ascii: "~")
    switch (token.kind, operand.value) {
    case (.bang, .count(let number)) where isComplement:
      // Of 32 bits (ECMAScript §13.5.6).
      let bits = Int32(truncatingIfNeeded: number.value)
      return Operand(value: .count(ExternalNumber(~bits)))
    case (.bang, let value) where !isComplement:
      return Operand(value: .truth(value.truth.map(!), isCertain: value.isCertain))
    case (.minus, .number(let digits)) where digits.first != UInt8(ascii: "-"):
      return Operand(value: .number([UInt8(ascii: "-")] + digits))
    case (.minus, .count(let number)): return Operand(value: .count(0 - number))
    default:
      if token.kind == .increment, case .variable(let name) = operand.reference, !isDead {
        set(.variable(name), .unknown)
      }
      return Operand(value: .unknown)
    }
  }

  /// Walks an arrow function, if one is next.
  private mutating func arrowFunction() -> ScriptValue? {
    let parameters: Range<Int>
    let arrow: Int
    switch kind {
    case .name where token(at + 1).kind == .arrow:
      (parameters, arrow) = (at..<(at + 1), at + 1)
    case .openParen:
      let close = Int(widening: tokens[at].partner)
      guard token(close).kind == .closeParen, token(close + 1).kind == .arrow else { return nil }
      (parameters, arrow) = ((at + 1)..<max(at + 1, close), close + 1)
    default: return nil
    }
    let body = arrow + 1
    if token(body).kind == .openBrace {
      at = min(limit, indexAfter(body))
      let end = max(body + 1, Int(widening: tokens[body].partner))
      return .function(
        function(arrow: arrow, parameters: parameters, body: (body + 1)..<end, isExpression: false))
    }
    at = body
    skipArrowBody()
    return .function(function(arrow: arrow, parameters: parameters, body: body..<at, isExpression: true))
  }

  /// Skips an expression that is the body of a function: it ends at the line break, unless it continues.
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
      at = min(limit, indexAfter(at))
    }
  }
}
