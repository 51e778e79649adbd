internal import ProbeBase

/// The ranges of the name and the value of a header field.
package struct FieldPosition: Hashable, Sendable {
  package let name: Range<Int>
  /// The value without surrounding white space; a folded value contains its line breaks (RFC 9112 §5.2).
  package let value: Range<Int>

  package init(name: Range<Int>, value: Range<Int>) {
    self.name = name
    self.value = value
  }

  /// Parses the field in a line, including its folded lines, as browsers do.
  ///
  /// - Returns: nil for a line without a name and a colon, and for one with a CR inside, both of which
  ///   browsers ignore.
  package init?(_ line: Range<Int>, of bytes: Span<UInt8>) {
    guard !line.isEmpty, !bytes[line.lowerBound].isFieldSpace else { return nil }
    let first = bytes.lineEnd(from: line.lowerBound)
    var colon = line.lowerBound
    while colon < first, bytes[colon] != UInt8(ascii: ":") { colon += 1 }
    guard colon < first else { return nil }
    name = bytes.trimmed(line.lowerBound..<colon)
    let content = (colon + 1)..<bytes.content(ofLine: line).upperBound
    // The line breaks of folds are white space, too.
    value = bytes.trimmed(content) { $0.isFieldSpace || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    if name.isEmpty || bytes.hasBareCR(content) { return nil }
  }

  /// The violations of the standard in the field.
  func leniencies(of bytes: Span<UInt8>) -> Leniencies {
    var found: Leniencies = bytes[name.upperBound] == UInt8(ascii: ":") ? [] : .spaceBeforeColon
    for index in name.upperBound..<value.upperBound where bytes[index] == UInt8(ascii: "\n") {
      found.insert(.foldedLine)
    }
    return found
  }

  /// Parses the field in a line without its line break, strictly.
  ///
  /// - Throws: ``HTTPMessageError`` for anything that two parsers could interpret differently (RFC 9112 §5, §11).
  init(strict content: Range<Int>, of bytes: Span<UInt8>) throws(HTTPMessageError) {
    guard !bytes[content.lowerBound].isFieldSpace else {
      throw HTTPMessageError("a header field that is folded over two lines")
    }
    var end = content.lowerBound
    while end < content.upperBound, bytes[end].isTokenCharacter { end += 1 }
    guard end > content.lowerBound, end < content.upperBound, bytes[end] == UInt8(ascii: ":") else {
      throw HTTPMessageError("a header line that is no name and a colon")
    }
    name = content.lowerBound..<end
    value = bytes.trimmed((end + 1)..<content.upperBound)
  }

  /// Whether the field has this name, given in lower case.
  package func isNamed(_ name: StaticString, in bytes: Span<UInt8>) -> Bool {
    bytes.isWord(self.name, name)
  }
}

extension Span<UInt8> {
  /// Reads the line at a position, in which no byte may be a control character except the tab.
  ///
  /// A line may end with LF alone (RFC 9112 §2.2).
  ///
  /// - Parameter position: The start of the line; advanced past its line break.
  /// - Returns: The line without its line break.
  /// - Throws: ``HTTPMessageError`` for a control character, and for a line without an end.
  func strictLine(_ position: inout Int) throws(HTTPMessageError) -> Range<Int> {
    let start = position
    while position < count {
      switch self[position] {
      case 0x20..<0x7F, 0x80..., UInt8(ascii: "\t"): position += 1
      case UInt8(ascii: "\n"):
        position += 1
        return start..<(position - 1)
      case UInt8(ascii: "\r"):
        guard position + 1 < count, self[position + 1] == UInt8(ascii: "\n") else {
          throw HTTPMessageError("a carriage return inside a line")
        }
        position += 2
        return start..<(position - 2)
      case let byte: throw HTTPMessageError("the control byte \(byte) in the head")
      }
    }
    throw HTTPMessageError("the line at byte \(start) has no end")
  }

  /// Whether a line ends with LF without a preceding CR.
  func endsInBareLineFeed(_ line: Range<Int>) -> Bool {
    guard !line.isEmpty, self[line.upperBound - 1] == UInt8(ascii: "\n") else { return false }
    return line.count == 1 || self[line.upperBound - 2] != UInt8(ascii: "\r")
  }

  /// Whether a range contains a CR that is not followed by LF.
  fileprivate func hasBareCR(_ range: Range<Int>) -> Bool {
    // This loop visits each byte of a head.
    var index = range.lowerBound
    while index < range.upperBound {
      if self[index] == 0x0D, index + 1 == count || self[index + 1] != 0x0A { return true }
      index += 1
    }
    return false
  }

  /// Whether a range is this word, given in lower case, ignoring case.
  package func isWord(_ range: Range<Int>, _ word: StaticString) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { letters in
      let letters = unsafe letters.span
      for index in letters.indices {
        guard self[range.lowerBound + index].asciiLowercased == letters[index] else { return false }
      }
      return true
    }
  }

  /// Whether the bytes at a position are this text, including case.
  func hasText(_ text: StaticString, at start: Int) -> Bool {
    guard start + text.utf8CodeUnitCount <= count else { return false }
    return text.withUTF8Buffer { letters in
      let letters = unsafe letters.span
      for index in letters.indices {
        guard self[start + index] == letters[index] else { return false }
      }
      return true
    }
  }

  /// The elements of a comma-separated list, without surrounding white space (RFC 9110 §5.6.1); empty ones
  /// are omitted.
  package func listed(_ list: Range<Int>) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start = list.lowerBound
    while start < list.upperBound {
      var end = start
      while end < list.upperBound, self[end] != UInt8(ascii: ",") { end += 1 }
      let word = trimmed(start..<end)
      if !word.isEmpty { words.append(word) }
      start = end + 1
    }
    return words
  }
}
