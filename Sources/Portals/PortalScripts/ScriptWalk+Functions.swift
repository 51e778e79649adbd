import ProbeBase

struct ScriptFunction {
  /// The tokens of its parameters.
  var parameters: Range<Int>
  /// The tokens of its body.
  var body: Range<Int>
  /// Whether it is an arrow function, which has the `this` of the enclosing code.
  var isArrow = false
  /// Whether the body is an expression, as in `() => x`.
  var isExpression = false
  var hasRun = false
  /// Whether it was walked as one that unknown code may call.
  var isExplored = false
  var isRunning = false
  /// The value of `this` that `bind` has set.
  var bound: ScriptValue?
  /// The function that created it, and the index of the last values of that function's local variables.
  var creator: Int?
  var scope: Int?
}

/// A call that is being walked.
struct ScriptCall {
  /// The local variables, whose previous values are restored when the call ends.
  var hidden: [(name: ScriptName, old: ScriptValue?)] = []
  /// The functions that it created.
  var created: [Int] = []
  var result: ScriptValue?
}

extension ScriptWalk {
  /// Declares the functions of a script before it is walked: they may be called before their declaration.
  mutating func declareFunctions(from start: Int) {
    let before = limit
    limit = tokens.count
    defer { limit = before }
    for index in start..<tokens.count where tokens[index].word == .function {
      guard index + 2 < tokens.count, tokens[index + 1].kind == .name, tokens[index + 2].kind == .openParen,
        let number = function(named: index)
      else { continue }
      let name = Int(widening: tokens[index + 1].name)
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
    let close = Int(widening: tokens[open].partner)
    guard token(close).kind == .closeParen, token(close + 1).kind == .openBrace else { return nil }
    let body = (close + 2)..<max(close + 2, Int(widening: tokens[close + 1].partner))
    return function(at: open, (open + 1)..<close, body)
  }

  /// The function that an arrow defines.
  mutating func function(arrow: Int, parameters: Range<Int>, body: Range<Int>, isExpression: Bool) -> Int {
    let number = function(at: arrow, parameters, body)
    (functions[number].isArrow, functions[number].isExpression) = (true, isExpression)
    return number
  }

  /// The function at a token, always the same one for a token.
  private mutating func function(at index: Int, _ parameters: Range<Int>, _ body: Range<Int>) -> Int {
    let number = functionNumbers[index] ?? functions.count
    if number == functions.count {
      functions.append(ScriptFunction(parameters: parameters, body: body))
      functionNumbers[index] = number
    }
    creations += 1
    if !calls.isEmpty { calls[calls.count - 1].created.append(number) }
    return number
  }

  /// Walks a function.
  ///
  /// - Parameters:
  ///   - number: The function.
  ///   - arguments: The arguments of the call.
  ///   - this: The value of `this`; nil for a call by an event or unknown code, whose other arguments are unknown.
  /// - Returns: Its result, as far as it is known.
  mutating func walk(function number: Int, arguments: [ScriptValue], this: ScriptValue? = nil) -> ScriptValue
  {
    guard !isDead, !functions[number].isRunning, depth < Self.maximumDepth, calls.count < 16 else {
      return .unknown
    }
    functions[number].isRunning = true
    functions[number].hasRun = true
    let function = functions[number]
    let before = (at, limit, isDoubtful, isBlockLevel, jump, doubtfulJumps)
    isBlockLevel = false
    depth += 1
    calls.append(ScriptCall())
    blocks.append([])
    // While the function that created it runs, its variables have their current values.
    let scope = function.creator.flatMap { functions[$0].isRunning ? nil : function.scope }
    if let scope {
      steps -= scopes[scope].count * 2
      for (name, value) in scopes[scope] {
        hide(name)
        if let value { set(.variable(name), value) }
      }
    }
    if !function.isArrow {
      hide(ScriptWord.this.name)
      var value = this ?? .object(.window)
      if case .object(.window) = value, let bound = function.bound { value = bound }
      set(.variable(ScriptWord.this.name), value)
    }
    (at, limit) = (function.parameters.lowerBound, function.parameters.upperBound)
    bindList(arguments, otherwise: arguments.isEmpty && this == nil ? .unknown : .undefined)
    (at, limit) = (function.body.lowerBound, function.body.upperBound)
    if function.isExpression {
      calls[calls.count - 1].result = expression()
    } else {
      walkStatements()
    }
    blocks.removeLast()
    let call = calls.removeLast()
    if let scope { keep(call, in: scope) }
    if !call.created.isEmpty { share(call, of: number) }
    for (name, old) in call.hidden.reversed() { variables[Int(widening: name)] = old }
    depth -= 1
    (at, limit, isDoubtful, isBlockLevel, jump, doubtfulJumps) = before
    functions[number].isRunning = false
    return call.result ?? .undefined
  }

  /// Keeps the values that a call leaves in the variables around its function.
  private mutating func keep(_ call: ScriptCall, in scope: Int) {
    let own = Set(call.hidden.dropFirst(scopes[scope].count).lazy.map(\.name))
    for (index, (name, old)) in scopes[scope].enumerated() where !own.contains(name) {
      let value = variables[Int(widening: name)]
      scopes[scope][index].value = openWays > 0 ? joined(old ?? .unknown, value ?? .unknown) : value
    }
  }

  /// Passes the variables of a call that ends to the functions that it created.
  private mutating func share(_ call: ScriptCall, of number: Int) {
    let values = call.hidden.map { (name: $0.name, value: variables[Int(widening: $0.name)]) }
    steps -= values.count + call.created.count
    scopes.append(values)
    for created in call.created {
      // A second function at the same token: only what both have in common is known.
      if let known = functions[created].scope, known != scopes.count - 1 {
        steps -= values.count * scopes[known].count
        let merged = values.map { name, value in
          let other = scopes[known].first { $0.name == name }?.value
          return (name: name, value: value.flatMap { value in other.map { joined($0, value) } ?? value })
        }
        if merged.isEmpty { continue }
        scopes.append(merged)
        functions[created].scope = scopes.count - 1
      } else {
        functions[created].scope = scopes.count - 1
      }
      functions[created].creator = number
    }
  }

  /// Makes a variable local to the function being walked.
  mutating func hide(_ name: ScriptName) {
    if isBlockLevel, !blocks.isEmpty {
      blocks[blocks.count - 1].append((name, variables[Int(widening: name)]))
    }
    guard !calls.isEmpty else { return }
    calls[calls.count - 1].hidden.append((name, variables[Int(widening: name)]))
  }
}
