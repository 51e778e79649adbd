/// One token of a script (ECMAScript §12).
struct ScriptToken {
  /// What it is, as far as reading makes a difference.
  enum Kind: UInt8 {
    /// The end of a script.
    case end
    case name, number, string, regex
    /// A template without substitutions, or the parts of one with them.
    case template, templateHead, templateMiddle, templateTail
    case openParen, closeParen, openBracket, closeBracket, openBrace, closeBrace
    case semicolon, comma, dot, optionalDot, question, colon, arrow, spread
    case assign, plusAssign, orAssign, otherAssign
    case plus, minus, bang, increment
    case equal, notEqual, less, greater, and, or
    /// Any other operator of two operands.
    case other
    /// A byte that starts no token.
    case junk
  }

  var kind: Kind
  /// Whether a line ends before it.
  var followsLineBreak: Bool
  /// Where its text is in the source; that of a literal without its quotes.
  var start: Int32
  var end: Int32
  /// The number of a name.
  var name: ScriptName = -1
  /// For an opening bracket the token that closes it or what it is in; for a closing one the token it closes.
  var partner: Int32 = -1

  /// The word that a name is.
  var word: ScriptWord? {
    kind == .name && name < ScriptWord.numbered.count ? ScriptWord.numbered[Int(name)] : nil
  }
}

extension ScriptToken.Kind {
  /// Whether an operand has just ended with it, so that a slash behind it divides.
  var endsOperand: Bool {
    switch self {
    case .name, .number, .string, .regex, .template, .templateTail, .closeParen, .closeBracket, .increment:
      true
    default: false
    }
  }

  /// Whether an expression goes on behind it, whatever line that is on.
  var needsOperand: Bool {
    switch self {
    case .comma, .dot, .optionalDot, .question, .colon, .arrow, .spread, .assign, .plusAssign, .orAssign,
      .otherAssign, .plus, .minus, .bang, .equal, .notEqual, .less, .greater, .and, .or, .other, .openParen,
      .openBracket:
      true
    default: false
    }
  }
}

extension ScriptWord {
  /// Whether an operand follows the keyword, so that a slash behind it starts a regular expression.
  var precedesOperand: Bool {
    switch self {
    case .return, .typeof, .case, .in, .do, .else, .delete, .void, .throw, .new, .instanceof, .await, .yield:
      true
    default: false
    }
  }
}

/// The punctuators of scripts (ECMAScript §12.8).
enum ScriptPunctuators {
  /// The punctuator that four bytes start with, and its length.
  static func first(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> (kind: ScriptToken.Kind, length: Int) {
    switch a {
    case UInt8(ascii: "("): (.openParen, 1)
    case UInt8(ascii: ")"): (.closeParen, 1)
    case UInt8(ascii: "["): (.openBracket, 1)
    case UInt8(ascii: "]"): (.closeBracket, 1)
    case UInt8(ascii: "{"): (.openBrace, 1)
    case UInt8(ascii: "}"): (.closeBrace, 1)
    case UInt8(ascii: ";"): (.semicolon, 1)
    case UInt8(ascii: ","): (.comma, 1)
    case UInt8(ascii: ":"): (.colon, 1)
    case UInt8(ascii: "~"): (.bang, 1)
    case UInt8(ascii: "."): b == a && c == a ? (.spread, 3) : (.dot, 1)
    case UInt8(ascii: "?"):
      if b == UInt8(ascii: ".") {
        (.optionalDot, 2)
      } else if b == a {
        c == equals ? (.orAssign, 3) : (.or, 2)
      } else {
        (.question, 1)
      }
    case equals:
      if b == equals { (.equal, c == equals ? 3 : 2) } else { b == greater ? (.arrow, 2) : (.assign, 1) }
    case UInt8(ascii: "!"): b == equals ? (.notEqual, c == equals ? 3 : 2) : (.bang, 1)
    case UInt8(ascii: "+"):
      if b == a { (.increment, 2) } else { b == equals ? (.plusAssign, 2) : (.plus, 1) }
    case UInt8(ascii: "-"):
      if b == a { (.increment, 2) } else { b == equals ? (.otherAssign, 2) : (.minus, 1) }
    case UInt8(ascii: "&"):
      if b == a { c == equals ? (.otherAssign, 3) : (.and, 2) } else { binary(b) }
    case UInt8(ascii: "|"):
      if b == a { c == equals ? (.orAssign, 3) : (.or, 2) } else { binary(b) }
    case UInt8(ascii: "*"): b == a ? (c == equals ? (.otherAssign, 3) : (.other, 2)) : binary(b)
    case UInt8(ascii: "<"):
      b == a ? (c == equals ? (.otherAssign, 3) : (.other, 2)) : (.less, b == equals ? 2 : 1)
    case greater: shiftOrComparison(b, c, d)
    case UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "^"): binary(b)
    default: (.junk, 1)
    }
  }

  private static func binary(_ next: UInt8) -> (ScriptToken.Kind, Int) {
    next == equals ? (.otherAssign, 2) : (.other, 1)
  }

  private static func shiftOrComparison(_ b: UInt8, _ c: UInt8, _ d: UInt8) -> (ScriptToken.Kind, Int) {
    guard b == greater else { return (.greater, b == equals ? 2 : 1) }
    guard c == greater else { return c == equals ? (.otherAssign, 3) : (.other, 2) }
    return d == equals ? (.otherAssign, 4) : (.other, 3)
  }

  private static let equals = UInt8(ascii: "=")
  private static let greater = UInt8(ascii: ">")
}

/// The brackets that are open while a script is split into tokens.
///
/// Each opening one learns which token closes it. Where brackets are crossed, one inside of a pair that is closed ends
/// with that pair, and a closing one that closes nothing is passed over.
struct OpenBrackets {
  private var open: [(kind: ScriptToken.Kind, index: Int)] = []
  /// How many of each kind are open.
  private var counts = Array(repeating: 0, count: Int(UInt8.max))

  /// Whether a closing brace would go on with a template.
  var isTemplateInnermost: Bool {
    guard counts[ScriptToken.Kind.templateHead] > 0 else { return false }
    return open.last { $0.kind == .openBrace || $0.kind == .templateHead }?.kind == .templateHead
  }

  /// Takes an opening one.
  mutating func open(_ kind: ScriptToken.Kind, at index: Int) {
    open.append((kind, index))
    counts[kind] += 1
  }

  /// Takes a closing one: the innermost of its kind that is open ends, and what is open inside of it.
  mutating func close(_ kind: ScriptToken.Kind, at index: Int, in tokens: inout [ScriptToken]) {
    guard counts[kind] > 0 else { return }
    while let last = open.popLast() {
      counts[last.kind] -= 1
      tokens[last.index].partner = Int32(index)
      if last.kind == kind {
        tokens[index].partner = Int32(last.index)
        return
      }
    }
  }

  /// Ends what is open inside of the innermost template.
  mutating func closeInsideTemplate(at index: Int, in tokens: inout [ScriptToken]) {
    while let last = open.last, last.kind != .templateHead {
      counts[last.kind] -= 1
      tokens[last.index].partner = Int32(index)
      open.removeLast()
    }
  }

  /// Ends everything.
  mutating func closeAll(at index: Int, in tokens: inout [ScriptToken]) {
    for (_, opening) in open { tokens[opening].partner = Int32(index) }
    open = []
  }
}

extension [Int] {
  fileprivate subscript(kind: ScriptToken.Kind) -> Int {
    get { self[Int(kind.rawValue)] }
    set { self[Int(kind.rawValue)] = newValue }
  }
}
