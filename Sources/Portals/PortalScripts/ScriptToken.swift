import ProbeBase

/// One token of a script (ECMAScript §12).
struct ScriptToken {
  /// The kind of a token, as far as the analysis distinguishes them.
  enum Kind: UInt8 {
    case end
    case name, number, string, regex
    /// A template without substitutions, or the parts of one with them.
    case template, templateHead, templateMiddle, templateTail
    case openParen, closeParen, openBracket, closeBracket, openBrace, closeBrace
    case semicolon, comma, dot, optionalDot, question, colon, arrow, spread
    case assign, plusAssign, orAssign, otherAssign
    case plus, minus, bang, increment
    case equal, notEqual, less, greater, and, or
    /// Any other binary operator.
    case other
    /// A byte that cannot start a token.
    case junk
  }

  var kind: Kind
  /// Whether a line break precedes it.
  var followsLineBreak: Bool
  /// The range of its text in the source; for a literal, without the quotes.
  var start: Int32
  var end: Int32
  /// The index of a name.
  var name: ScriptName = -1
  /// For an opening bracket, the token that ends it; for a closing one, its opening token.
  var partner: Int32 = -1

  /// The known word, if the name is one.
  var word: ScriptWord? {
    kind == .name && name < ScriptWord.numbered.count ? ScriptWord.numbered[Int(widening: name)] : nil
  }
}

extension ScriptToken.Kind {
  /// Whether it ends an operand, so that a following slash is a division.
  var endsOperand: Bool {
    switch self {
    case .name, .number, .string, .regex, .template, .templateTail, .closeParen, .closeBracket, .increment:
      true
    default: false
    }
  }

  /// Whether the expression continues after it, even on the next line.
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
  /// Whether an operand follows the keyword, so that a following slash starts a regular expression.
  var precedesOperand: Bool {
    switch self {
    case .return, .typeof, .case, .in, .do, .else, .delete, .void, .throw, .new, .instanceof, .await, .yield:
      true
    default: false
    }
  }
}

/// The punctuators of ECMAScript (§12.8).
enum ScriptPunctuators {
  /// The punctuator at the start of four bytes, and its length.
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
/// Each opening bracket is linked to the token that closes it. Where brackets overlap, an open one inside a
/// closed pair ends with that pair, and an unmatched closing bracket is ignored.
struct OpenBrackets {
  private var open: [(kind: ScriptToken.Kind, index: Int)] = []
  /// The number of open brackets of each kind.
  private var counts = Array(repeating: 0, count: Int(UInt8.max))

  /// Whether a closing brace would continue a template.
  var isTemplateInnermost: Bool {
    guard counts[ScriptToken.Kind.templateHead] > 0 else { return false }
    return open.last { $0.kind == .openBrace || $0.kind == .templateHead }?.kind == .templateHead
  }

  mutating func open(_ kind: ScriptToken.Kind, at index: Int) {
    open.append((kind, index))
    counts[kind] += 1
  }

  /// Closes the innermost open bracket of this kind, and all brackets inside it.
  mutating func close(_ kind: ScriptToken.Kind, at index: Int, in tokens: inout [ScriptToken]) {
    guard counts[kind] > 0 else { return }
    while let last = open.popLast() {
      counts[last.kind] -= 1
      tokens[last.index].partner = Int32(truncatingIfNeeded: index)
      if last.kind == kind {
        tokens[index].partner = Int32(truncatingIfNeeded: last.index)
        return
      }
    }
  }

  /// Closes all brackets inside the innermost template.
  mutating func closeInsideTemplate(at index: Int, in tokens: inout [ScriptToken]) {
    while let last = open.last, last.kind != .templateHead {
      counts[last.kind] -= 1
      tokens[last.index].partner = Int32(truncatingIfNeeded: index)
      open.removeLast()
    }
  }

  mutating func closeAll(at index: Int, in tokens: inout [ScriptToken]) {
    for (_, opening) in open { tokens[opening].partner = Int32(truncatingIfNeeded: index) }
    open = []
  }
}

extension [Int] {
  fileprivate subscript(kind: ScriptToken.Kind) -> Int {
    get { self[Int(widening: kind.rawValue)] }
    set { self[Int(widening: kind.rawValue)] = newValue }
  }
}
