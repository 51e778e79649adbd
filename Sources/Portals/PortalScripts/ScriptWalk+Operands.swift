import ProbeCore

/// Walking operands, the parts of expressions (ECMAScript §13.2 and §13.3).
extension ScriptWalk {
  /// The maximum number of arguments of a call that are tracked.
  static let maximumArguments = 1024

  /// Walks an operand with its members and calls.
  mutating func postfix() -> Operand {
    var operand = primary()
    while at < limit, steps > 0 {
      steps -= 1
      switch kind {
      case .dot, .optionalDot:
        at += 1
        guard kind == .name else { continue }
        operand = member(tokens[at].name, of: operand.value)
        at += 1
      case .openBracket: operand = computedMember(of: operand.value)
      case .openParen: operand = Operand(value: call(operand, list()))
      case .template, .templateHead:
        _ = template()
        operand = Operand(value: .unknown)
      case .increment where !tokens[at].followsLineBreak:
        at += 1
        if case .variable(let name) = operand.reference, !isDead { set(.variable(name), .unknown) }
        operand = Operand(value: .unknown)
      default: return operand
      }
    }
    return operand
  }

  private mutating func primary() -> Operand {
    switch kind {
    case .name: return named()
    case .string, .number: return Operand(value: literal())
    case .template, .templateHead: return Operand(value: template())
    case .regex: return Operand(value: pattern())
    case .openParen:
      return Operand(value: within { $0.expression() })
    case .openBracket:
      // A spread may have any number of values.
      let hasSpread = tokens[at..<min(limit, indexAfter(at))].contains { $0.kind == .spread }
      let values = list()
      return Operand(value: hasSpread || values.count > Self.maximumValues ? .unknown : array(values))
    case .openBrace: return Operand(value: record())
    // Skips unexpected tokens, except those that end an expression.
    case .junk, .dot, .optionalDot, .arrow:
      at += 1
      return Operand(value: .unknown)
    default: return Operand(value: .unknown)
    }
  }

  private mutating func named() -> Operand {
    let (start, name) = (at, tokens[at].name)
    switch word {
    case .function:
      guard let number = function(named: start) else { break }
      at = min(limit, functions[number].body.upperBound + 1)
      return Operand(value: .function(number))
    case .class:
      return Operand(value: walkClass())
    case .new:
      while word == .new { at += 1 }
      return postfix()
    default: break
    }
    at += 1
    return Operand(value: value(of: name), reference: .variable(name))
  }

  private mutating func literal() -> ScriptValue {
    let token = tokens[at]
    at += 1
    let text = source[Int(widening: token.start)..<Int(widening: token.end)]
    textBudget -= text.count
    guard text.count <= ScriptText.maximumLength, textBudget > 0 else { return .unknown }
    guard token.kind == .number else { return .text(text.unescapedScriptText) }
    // The digits are parsed again at each use.
    return text.count <= Self.maximumNumberLength ? .number(Array(text)) : .unknown
  }

  /// The maximum length in bytes of a number that is tracked.
  private static var maximumNumberLength: Int { 32 }

  private mutating func pattern() -> ScriptValue {
    let token = tokens[at]
    at += 1
    let flags = source.dropFirst(Int(widening: token.end) + 1).prefix { $0.isASCIILetter }
    guard let text = source[Int(widening: token.start)..<Int(widening: token.end)].textOfPattern,
      !flags.contains(UInt8(ascii: "i")) || !text.contains(where: \.isASCIILetter)
    else { return .unknown }
    return .pattern(text, isGlobal: flags.contains(UInt8(ascii: "g")))
  }

  /// Walks a template with its substitutions.
  private mutating func template() -> ScriptValue {
    guard kind == .templateHead else { return literal() }
    let close = min(limit, Int(widening: tokens[at].partner))
    var value = ScriptValue.text([])
    while at < close, steps > 0 {
      value = concatenation(value, literal())
      value = concatenation(value, expression())
      while at < close, kind != .templateMiddle {
        steps -= 1
        at = min(close, indexAfter(at))
      }
    }
    at = close
    return kind == .templateTail ? concatenation(value, literal()) : value
  }

  /// Walks the values between brackets; returns only the first ones.
  private mutating func list() -> [ScriptValue] {
    var values: [ScriptValue] = []
    within { walk in
      while walk.at < walk.limit, walk.steps > 0 {
        walk.steps -= 1
        let start = walk.at
        let value = walk.assignment()
        if values.count < Self.maximumArguments { values.append(value) }
        if walk.kind == .comma || walk.at == start { walk.at += 1 }
      }
    }
    return values
  }

  /// Walks an object literal.
  private mutating func record() -> ScriptValue {
    recordCount += 1
    let record = recordCount
    within { walk in
      while walk.at < walk.limit, walk.steps > 0 {
        walk.steps -= 1
        let token = walk.tokens[walk.at]
        if token.kind == .name || token.kind == .string, walk.token(walk.at + 1).kind == .colon {
          let key = token.kind == .name ? token.name : walk.name(of: token)
          walk.at += 2
          let value = walk.assignment()
          if key < 0 {
            walk.spoiled.insert(record)
          } else if !walk.isDead {
            walk.setMember(key, of: record, value)
          }
        } else if token.kind == .name, let number = walk.function(parameters: walk.at + 1) {
          // A method.
          walk.setMember(token.name, of: record, .function(number))
          walk.at = min(walk.limit, walk.functions[number].body.upperBound + 1)
        } else if token.kind == .name, token.word != .function, token.word != .async {
          walk.setMember(token.name, of: record, walk.value(of: token.name))
          walk.at += 1
        } else {
          if token.kind != .comma { walk.spoiled.insert(record) }
          walk.at = min(walk.limit, walk.indexAfter(walk.at))
        }
      }
    }
    return .record(record)
  }

  /// The index of a name that is written as a string.
  private mutating func name(of token: ScriptToken) -> ScriptName {
    let text = source[Int(widening: token.start)..<Int(widening: token.end)]
    textBudget -= text.count
    return textBudget > 0 ? name(of: text) : -1
  }

  private mutating func computedMember(of base: ScriptValue) -> Operand {
    let key = within { $0.expression() }
    textBudget -= key.textLength
    guard textBudget > 0, let text = Self.memberName(key) else {
      return Operand(value: .unknown, reference: .anyMember(of: base))
    }
    return member(name(of: text[...]), of: base)
  }

  /// The name of the member with this value between brackets; nil if it is unknown.
  private static func memberName(_ key: ScriptValue) -> [UInt8]? {
    switch key {
    case .text(let text): text.count > 256 || text.contains(ScriptText.hole) ? nil : text
    case .number(let digits): digits
    case .count(let number): Array("\(number.value)".utf8)
    default: nil
    }
  }

  /// The concatenation of two texts, with placeholders for unknown parts.
  mutating func concatenation(_ left: ScriptValue, _ right: ScriptValue) -> ScriptValue {
    if case .text = left {
    } else if case .text = right {
    } else {
      guard isLocation(left) || isLocation(right) else { return .unknown }
    }
    var text = bytes(of: left)
    var rest = bytes(of: right)[...]
    if text.last == ScriptText.hole, rest.first == ScriptText.hole { rest.removeFirst() }
    textBudget -= text.count + rest.count
    guard text.count + rest.count <= ScriptText.maximumLength, textBudget > 0 else { return .unknown }
    text += rest
    return .text(text)
  }

  private func isLocation(_ value: ScriptValue) -> Bool {
    if case .object(.location) = value { true } else { false }
  }

  /// The text of a value in a concatenation.
  func bytes(of value: ScriptValue) -> [UInt8] {
    switch value {
    case .text(let text): text
    case .number(let digits): digits
    case .count(let number): Array("\(number.value)".utf8)
    case .bool(let value), .fact(let value): Array("\(value)".utf8)
    case .object(.location): Array(page.string.utf8)
    case .record(let record): text(ofURL: record) ?? [ScriptText.hole]
    default: [ScriptText.hole]
    }
  }
}
