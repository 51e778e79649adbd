/// What stands between tokens (ECMAScript §12.2 to §12.4).
extension ScriptLexer {
  /// Passes over white space and comments.
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
      // What hides scripts from old browsers is a comment of one line (ECMAScript §B.1.1).
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
