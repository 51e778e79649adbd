extension InvalidInput {
  /// The line of the input that has the problem, and below it a caret that points at the position.
  ///
  /// - Parameter input: The value the error is about; its characters are escaped for display.
  /// - Returns: Two lines without a final line end, or nil when the error is about the whole value.
  public func caretLines(in input: String) -> String? {
    guard let offset else { return nil }
    let bytes = Array(input.utf8)
    let position = min(max(offset, 0), bytes.count)
    let start = bytes[..<position].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let shown = Self.window(of: start..<end, around: position, in: bytes)
    let before = String(decoding: bytes[shown.lowerBound..<position], as: UTF8.self).escapedForDisplay
    let after = String(decoding: bytes[position..<shown.upperBound], as: UTF8.self).escapedForDisplay
    let head = shown.lowerBound > start ? "…" : ""
    let tail = shown.upperBound < end ? "…" : ""
    let columns = (head + before).reduce(0) { $0 + $1.terminalColumns }
    return head + before + after + tail + "\n" + String(repeating: " ", count: columns) + "^"
  }

  /// The part of a long line to show, in whole characters.
  private static func window(of line: Range<Int>, around position: Int, in bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (max(line.lowerBound, position - 60), min(line.upperBound, position + 30))
    while start < position, bytes[start] & 0xC0 == 0x80 { start += 1 }
    while end > position, end < line.upperBound, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return start..<end
  }
}

extension Character {
  /// The number of columns a terminal uses for the character: approximately two for wide ones (Unicode UAX
  /// #11).
  fileprivate var terminalColumns: Int {
    guard let first = unicodeScalars.first, first.value >= 0x1100 else { return 1 }
    if first.properties.isEmojiPresentation { return 2 }
    let wide: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }
}
