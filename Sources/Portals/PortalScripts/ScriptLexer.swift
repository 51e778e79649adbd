internal import ProbeCore

/// Splits a script into tokens, in one pass.
struct ScriptLexer {
  let source: [UInt8]
  private(set) var names: ScriptNames
  var tokens: [ScriptToken]
  var position: Int
  let end: Int
  var followsLineBreak = true
  // Where a slash was found not to start a regular expression, no other one up to the end of its line does:
  // searching for the end again from each of them would be quadratic.
  private var noRegexBefore = 0
  private var brackets = OpenBrackets()
  var isInSection = false

  /// Creates a lexer that appends to existing tokens.
  ///
  /// - Parameters:
  ///   - source: The whole text.
  ///   - range: The range of the script.
  ///   - tokens: The tokens so far.
  ///   - names: The names so far.
  init(_ source: [UInt8], _ range: Range<Int>, tokens: [ScriptToken], names: ScriptNames) {
    self.source = source
    self.tokens = tokens
    self.names = names
    position = range.lowerBound
    end = range.upperBound
  }

  /// Reads the whole script and appends an end token.
  mutating func run() {
    while true {
      skipSpaceAndComments()
      guard position < end else { break }
      next()
    }
    add(.end, position..<position)
    brackets.closeAll(at: tokens.count - 1, in: &tokens)
  }

  /// The byte at an offset from the position; 0 past the end.
  func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < end ? source[position + offset] : 0
  }

  func isNext(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= end else { return false }
    return text.withUTF8Buffer { buffer in
      for index in 0..<count where unsafe buffer[index] != source[position + index] { return false }
      return true
    }
  }

  private mutating func add(_ kind: ScriptToken.Kind, _ text: Range<Int>, name: ScriptName = -1) {
    tokens.append(
      ScriptToken(
        kind: kind, followsLineBreak: followsLineBreak, start: Int32(truncatingIfNeeded: text.lowerBound),
        end: Int32(truncatingIfNeeded: text.upperBound), name: name))
    followsLineBreak = false
  }

  private mutating func next() {
    let byte = source[position]
    if byte.startsScriptName {
      name()
    } else if byte.isASCIIDigit || byte == UInt8(ascii: ".") && self.byte(1).isASCIIDigit {
      number()
    } else {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): string(quote: byte)
      case UInt8(ascii: "`"):
        position += 1
        template(isHead: true)
      case UInt8(ascii: "/") where mayBeRegex: regex()
      default: punctuator()
      }
    }
  }

  private mutating func name() {
    let start = position
    var isEscaped = false
    // The number sign of a private member.
    if source[position] == UInt8(ascii: "#") { position += 1 }
    while position < end, source[position].continuesScriptName {
      if source[position] == UInt8(ascii: "\\") { isEscaped = true }
      // `\u{6c}` is part of a name with its braces.
      if source[position] == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u"), byte(2) == UInt8(ascii: "{") {
        position += 3
        while position < end, source[position].continuesScriptName { position += 1 }
      }
      position += 1
    }
    position = min(position, end)
    let text = source[start..<position]
    add(.name, start..<position, name: names.number(of: isEscaped ? text.unescapedScriptText[...] : text))
  }

  private mutating func number() {
    let start = position
    while position < end, source[position].continuesScriptName || source[position] == UInt8(ascii: ".") {
      position += 1
    }
    add(.number, start..<position)
  }

  /// Reads a string, which ends with its line even without a closing quote: the rest of the script may still
  /// be useful.
  private mutating func string(quote: UInt8) {
    position += 1
    let start = position
    while position < end, source[position] != quote, source[position] != UInt8(ascii: "\n") {
      if source[position] == UInt8(ascii: "\\") {
        // A line break may be escaped, and CR LF is one.
        position += byte(1) == UInt8(ascii: "\r") && byte(2) == UInt8(ascii: "\n") ? 2 : 1
      }
      position += 1
    }
    position = min(position, end)
    add(.string, start..<position)
    if byte() == quote { position += 1 }
  }

  /// Reads a part of a template, after its backtick or after the brace of a substitution.
  private mutating func template(isHead: Bool) {
    let start = position
    while position < end, source[position] != UInt8(ascii: "`") {
      if source[position] == UInt8(ascii: "$"), byte(1) == UInt8(ascii: "{") {
        add(isHead ? .templateHead : .templateMiddle, start..<position)
        if isHead { brackets.open(.templateHead, at: tokens.count - 1) }
        position += 2
        return
      }
      position += source[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position, end)
    add(isHead ? .template : .templateTail, start..<position)
    if !isHead { brackets.close(.templateHead, at: tokens.count - 1, in: &tokens) }
    position += 1
  }

  private var mayBeRegex: Bool {
    guard position >= noRegexBefore else { return false }
    guard let last = tokens.last else { return true }
    return !last.kind.endsOperand || last.word?.precedesOperand == true
  }

  private mutating func regex() {
    var index = position + 1
    var isInClass = false
    while index < end, source[index] != UInt8(ascii: "\n") {
      switch source[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "/") where !isInClass:
        let start = position + 1
        position = index + 1
        add(.regex, start..<index)
        while position < end, source[position].continuesScriptName { position += 1 }
        return
      default: break
      }
      index += 1
    }
    noRegexBefore = index
    punctuator()
  }

  private mutating func punctuator() {
    let (kind, length) = ScriptPunctuators.first(byte(), byte(1), byte(2), byte(3))
    if kind == .closeBrace, brackets.isTemplateInnermost {
      position += 1
      brackets.closeInsideTemplate(at: tokens.count, in: &tokens)
      template(isHead: false)
      return
    }
    add(kind, position..<min(position + length, end))
    position += length
    switch kind {
    case .openParen, .openBracket, .openBrace: brackets.open(kind, at: tokens.count - 1)
    case .closeParen: brackets.close(.openParen, at: tokens.count - 1, in: &tokens)
    case .closeBracket: brackets.close(.openBracket, at: tokens.count - 1, in: &tokens)
    case .closeBrace: brackets.close(.openBrace, at: tokens.count - 1, in: &tokens)
    default: break
    }
  }
}

extension UInt8 {
  /// Whether the byte may start a name; non-ASCII bytes count as letters.
  fileprivate var startsScriptName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), UInt8(ascii: "\\"), UInt8(ascii: "#"), 0x80...:
      true
    default: false
    }
  }

  fileprivate var continuesScriptName: Bool {
    startsScriptName && self != UInt8(ascii: "#") || isASCIIDigit
  }
}

/// Whitespace and comments between tokens (ECMAScript §12.2 to §12.4).
extension ScriptLexer {
  mutating func skipSpaceAndComments() {
    while position < end {
      switch source[position] {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        followsLineBreak = true
        position += 1
      case 0...0x20: position += 1
      // A no-break space or a byte order mark.
      case 0xC2 where byte(1) == 0xA0: position += 2
      case 0xEF where byte(1) == 0xBB && byte(2) == 0xBF: position += 3
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
      // HTML-like comments, which hide scripts from old browsers, are single-line comments (ECMAScript
      // §B.1.1).
      case UInt8(ascii: "<") where isNext("<!--"): skipLine()
      case UInt8(ascii: "-") where followsLineBreak && isNext("-->"): skipLine()
      case UInt8(ascii: "<") where isNext("<![CDATA["):
        isInSection = true
        position += 9
      case UInt8(ascii: "]") where isInSection && isNext("]]>"):
        isInSection = false
        position += 3
      default: return
      }
    }
  }

  private mutating func skipLine() {
    while position < end, source[position] != UInt8(ascii: "\n"), source[position] != UInt8(ascii: "\r") {
      position += 1
    }
  }

  private mutating func skipComment() {
    position += 2
    while position < end {
      if source[position] == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        position += 2
        return
      }
      if source[position] == UInt8(ascii: "\n") { followsLineBreak = true }
      position += 1
    }
  }
}
