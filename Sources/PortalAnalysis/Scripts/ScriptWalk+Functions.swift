/// A function of the scripts.
struct ScriptFunction {
  /// The names of its parameters; -1 for a pattern.
  var parameters: [ScriptName] = []
  /// The tokens of its body.
  var body: Range<Int>
  /// Whether the body is an expression, as in `() => x`.
  var isExpression = false
  var hasRun = false
  var isRunning = false
}

/// A call that is being walked.
struct ScriptCall {
  /// The local variables, whose previous values are restored when the call ends.
  var hidden: [(name: ScriptName, old: ScriptValue?)] = []
  var result: ScriptValue?
}

extension ScriptWalk {
  /// The maximum number of parameters that are tracked by name.
  static let maximumParameters = 16

  /// Declares the functions of a script before it is walked: they may be called before their declaration.
  mutating func declareFunctions(from start: Int) {
    let before = limit
    limit = tokens.count
    defer { limit = before }
    for index in start..<tokens.count where tokens[index].word == .function {
      guard index + 2 < tokens.count, tokens[index + 1].kind == .name, tokens[index + 2].kind == .openParen,
        let number = function(named: index)
      else { continue }
      let name = Int(tokens[index + 1].name)
      if variables[name] == nil { variables[name] = .function(number) }
    }
  }

  /// The function whose keyword is at a token; nil if it is none.
  mutating func function(named index: Int) -> Int? {
    var next = index + 1
    if token(next).kind == .other { next += 1 }
    if token(next).kind == .name { next += 1 }
    return function(parameters: next)
  }

  /// The function whose parameters start at a token; its body in braces follows.
  mutating func function(parameters open: Int) -> Int? {
    guard token(open).kind == .openParen else { return nil }
    let close = Int(tokens[open].partner)
    guard token(close).kind == .closeParen, token(close + 1).kind == .openBrace else { return nil }
    let body = (close + 2)..<max(close + 2, Int(tokens[close + 1].partner))
    return function(at: open, parameters(in: open + 1..<close), body)
  }

  /// The function that an arrow defines.
  mutating func function(arrow: Int, parameters: Range<Int>, body: Range<Int>, isExpression: Bool) -> Int {
    let number = function(at: arrow, self.parameters(in: parameters), body)
    functions[number].isExpression = isExpression
    return number
  }

  /// The function at a token, always the same one for a token.
  private mutating func function(at index: Int, _ parameters: [ScriptName], _ body: Range<Int>) -> Int {
    if let known = functionNumbers[index] { return known }
    functions.append(ScriptFunction(parameters: parameters, body: body))
    functionNumbers[index] = functions.count - 1
    return functions.count - 1
  }

  private func parameters(in range: Range<Int>) -> [ScriptName] {
    var parameters: [ScriptName] = []
    var index = range.lowerBound
    while index < range.upperBound, parameters.count < Self.maximumParameters {
      parameters.append(tokens[index].kind == .name ? tokens[index].name : -1)
      // Skips a default value or a pattern, up to the next comma.
      while index < range.upperBound, tokens[index].kind != .comma { index = behind(index) }
      index += 1
    }
    return parameters
  }

  /// Walks a function.
  ///
  /// - Parameters:
  ///   - number: The function.
  ///   - arguments: The arguments of the call; parameters without one are unknown.
  /// - Returns: Its result, as far as it is known.
  mutating func walk(function number: Int, arguments: [ScriptValue]) -> ScriptValue {
    guard !isDead, !functions[number].isRunning, depth < Self.maximumDepth, calls.count < 16 else {
      return .unknown
    }
    functions[number].isRunning = true
    functions[number].hasRun = true
    let function = functions[number]
    let before = (at, limit, isDoubtful)
    depth += 1
    calls.append(ScriptCall())
    for (index, name) in function.parameters.enumerated() where name >= 0 {
      hide(name)
      set(
        .variable(name),
        arguments.isEmpty ? .unknown : index < arguments.count ? arguments[index] : .undefined)
    }
    at = function.body.lowerBound
    limit = function.body.upperBound
    if function.isExpression {
      calls[calls.count - 1].result = expression()
    } else {
      walkStatements()
    }
    let call = calls.removeLast()
    for (name, old) in call.hidden.reversed() { variables[Int(name)] = old }
    depth -= 1
    (at, limit, isDoubtful) = before
    functions[number].isRunning = false
    return call.result ?? .undefined
  }

  /// Makes a variable local to the function that is walked.
  mutating func hide(_ name: ScriptName) {
    guard !calls.isEmpty else { return }
    calls[calls.count - 1].hidden.append((name, variables[Int(name)]))
  }
}
