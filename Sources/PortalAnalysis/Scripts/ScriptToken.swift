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
