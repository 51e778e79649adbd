internal import ProbeBase

/// The ranges of the lines of a head.
///
/// Lines are not validated: a line ends with LF, and a line that starts with white space belongs to the
/// previous one (RFC 9112 §5.2).
package struct HeadLines: Hashable, Sendable {
  /// The start line, including its line break.
  package let startLine: Range<Int>
  /// The lines after it up to the empty one, each including its line break and its folded lines.
  package let fields: [Range<Int>]
  /// The empty line; an empty range if the bytes end before it.
  package let emptyLine: Range<Int>

  /// The capacity to reserve, which is enough for the fields of most heads.
  private static let usualCount = 16

  /// Whether the head ends with an empty line.
  package var isWhole: Bool { !emptyLine.isEmpty }
  /// The position after the head.
  package var end: Int { emptyLine.upperBound }

  /// Finds the lines of the head that starts at a position.
  package init(_ bytes: Span<UInt8>, from start: Int = 0) {
    var position = bytes.lineEnd(from: start)
    startLine = start..<position
    var fields: [Range<Int>] = []
    fields.reserveCapacity(Self.usualCount)
    var emptyLine: Range<Int>?
    while emptyLine == nil, position < bytes.count {
      let line = position..<bytes.lineEnd(from: position)
      position = line.upperBound
      if bytes.isEmptyLine(line) {
        emptyLine = line
      } else if bytes[line.lowerBound].isFieldSpace, let last = fields.last {
        fields[fields.count - 1] = last.lowerBound..<line.upperBound
      } else {
        fields.append(line)
      }
    }
    self.fields = fields
    self.emptyLine = emptyLine ?? position..<position
  }

  /// Finds the end of a head.
  ///
  /// - Parameters:
  ///   - bytes: All bytes so far.
  ///   - start: The position to search from: at most three bytes before the first byte that was not searched.
  /// - Returns: The position after the empty line, or nil if there is none.
  package static func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var position = max(0, start)
    let count = bytes.count
    while position < count {
      // A line feed.
      if bytes[position] == 0x0A {
        var next = position + 1
        if next < bytes.count, bytes[next] == UInt8(ascii: "\r") { next += 1 }
        if next < bytes.count, bytes[next] == UInt8(ascii: "\n") { return next + 1 }
      }
      position += 1
    }
    return nil
  }
}

extension Span<UInt8> {
  /// The position after the LF of the line that starts at a position, or the end of the bytes.
  package func lineEnd(from start: Int) -> Int {
    var position = start
    let count = count
    while position < count {
      // A line feed.
      if self[position] == 0x0A { return position + 1 }
      position += 1
    }
    return count
  }

  /// A line without its CRLF or LF.
  package func content(ofLine line: Range<Int>) -> Range<Int> {
    var end = line.upperBound
    if end > line.lowerBound, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > line.lowerBound, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return line.lowerBound..<end
  }

  /// Whether a line consists only of its line break.
  func isEmptyLine(_ line: Range<Int>) -> Bool {
    !line.isEmpty && self[line.upperBound - 1] == UInt8(ascii: "\n") && content(ofLine: line).isEmpty
  }

  /// A range without surrounding white space, like `trimming` of a collection, which a span is not.
  package func trimmed(
    _ range: Range<Int>, of isSpace: (UInt8) -> Bool = { $0.isFieldSpace }
  ) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isSpace(self[start]) { start += 1 }
    while start < end, isSpace(self[end - 1]) { end -= 1 }
    return start..<end
  }
}
