extension SourceNode {
  /// The file offset of a byte in a scalar's text, after escapes are resolved; nil if it cannot be
  /// determined.
  func offset(ofTextByte offset: Int, in file: SourceFile) -> Int? {
    if let start = textStart(in: file) { return start + offset }
    guard let scalar, !scalar.isPlain else { return nil }
    let text = Array(scalar.text.utf8)
    let end = min(span.upperBound, file.bytes.count)
    // After an anchor or a tag, the quote is not at the start.
    guard span.lowerBound < end else { return nil }
    switch file.bytes[span.lowerBound] {
    case UInt8(ascii: "'"):
      return QuotedText(file.bytes[(span.lowerBound + 1)..<end], isDouble: false).offset(of: offset, in: text)
    case UInt8(ascii: "\""):
      return QuotedText(file.bytes[(span.lowerBound + 1)..<end], isDouble: true).offset(of: offset, in: text)
    default: return nil
    }
  }

  /// The offset of a scalar's text in the file if it appears there unchanged, or nil.
  private func textStart(in file: SourceFile) -> Int? {
    guard let scalar else { return nil }
    let text = Array(scalar.text.utf8)
    // After an anchor or a tag, the text does not start where the node starts.
    for start in [span.lowerBound, span.lowerBound + 1] where start + text.count <= span.upperBound {
      if file.bytes[start..<(start + text.count)].elementsEqual(text) { return start }
    }
    return nil
  }
}

/// Maps a quoted text in the file to the text it represents.
private struct QuotedText {
  let source: ArraySlice<UInt8>
  let isDouble: Bool

  init(_ source: ArraySlice<UInt8>, isDouble: Bool) {
    self.source = source
    self.isDouble = isDouble
  }

  /// The offset of a byte of the text, or nil if the two cannot be mapped, for instance with folded lines.
  func offset(of offset: Int, in text: [UInt8]) -> Int? {
    var index = source.startIndex
    var done = 0
    while done < offset {
      guard index < source.endIndex, done < text.count else { return nil }
      let (read, made) = step(at: index, making: text[done])
      guard read > 0 else { return nil }
      index += read
      done += made
    }
    // Inside the result of an escape, the start of the escape is returned.
    return done == offset && index < source.endIndex ? index : nil
  }

  /// The number of bytes that the next part has in the file, and in the text; both 0 if they do not match.
  private func step(at index: Int, making byte: UInt8) -> (read: Int, made: Int) {
    let next = index + 1 < source.endIndex ? source[index + 1] : 0
    switch source[index] {
    case UInt8(ascii: "\\") where isDouble:
      let digits = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8][next] ?? 0
      // The text determines the length of the character that a numeric escape represents (RFC 3629 §3); a
      // surrogate pair is two escapes.
      let made =
        digits == 0 ? Self.length(ofNamed: next) : byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      return (made == 4 && digits == 4 ? 12 : 2 + digits, made)
    case UInt8(ascii: "'") where !isDouble:
      return next == UInt8(ascii: "'") ? (2, 1) : (0, 0)
    case byte:
      return (1, 1)
    default:
      return (0, 0)
    }
  }

  /// The length of the character of a single-letter escape (YAML 1.1 §5.6): 1 if it is ASCII, otherwise 0.
  private static func length(ofNamed letter: UInt8) -> Int {
    "0abtnvfre \"/\\\t".utf8.contains(letter) ? 1 : 0
  }
}
