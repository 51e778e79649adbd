/// The lines of a head: where each of them starts and ends.
///
/// Nothing is judged here: a line is what ends in LF, and a line that starts with white space belongs to the one before
/// it (RFC 9112 §5.2).
package struct HeadLines: Hashable, Sendable {
  /// The start line, with its line end.
  package let startLine: Range<Int>
  /// The lines behind it up to the empty one, each with its line end and with the lines folded to it.
  package let fields: [Range<Int>]
  /// The empty line; without a byte where the bytes end before it.
  package let emptyLine: Range<Int>

  /// Room for the fields of most heads.
  private static let usualCount = 16

  /// Whether the empty line is there.
  package var isWhole: Bool { !emptyLine.isEmpty }
  /// The place behind the head.
  package var end: Int { emptyLine.upperBound }

  /// The lines of the head that starts at a place.
  package init(_ bytes: Span<UInt8>, from start: Int = 0) {
    var place = bytes.lineEnd(from: start)
    startLine = start..<place
    var fields: [Range<Int>] = []
    fields.reserveCapacity(Self.usualCount)
    var emptyLine: Range<Int>?
    while emptyLine == nil, place < bytes.count {
      let line = place..<bytes.lineEnd(from: place)
      place = line.upperBound
      if bytes.isEmptyLine(line) {
        emptyLine = line
      } else if bytes[line.lowerBound].isFieldSpace, let last = fields.last {
        fields[fields.count - 1] = last.lowerBound..<line.upperBound
      } else {
        fields.append(line)
      }
    }
    self.fields = fields
    self.emptyLine = emptyLine ?? place..<place
  }

  /// Finds the end of a head.
  ///
  /// - Parameters:
  ///   - bytes: All bytes so far.
  ///   - start: Where to look from: at most three bytes before the first byte that was not looked at.
  /// - Returns: The place behind the empty line, or nil when it is not there.
  package static func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var place = max(0, start)
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\n") {
        var next = place + 1
        if next < bytes.count, bytes[next] == UInt8(ascii: "\r") { next += 1 }
        if next < bytes.count, bytes[next] == UInt8(ascii: "\n") { return next + 1 }
      }
      place += 1
    }
    return nil
  }
}

extension Span<UInt8> {
  /// The place behind the LF of the line that starts at a place, or the end of the bytes.
  package func lineEnd(from start: Int) -> Int {
    var place = start
    while place < count {
      if self[place] == UInt8(ascii: "\n") { return place + 1 }
      place += 1
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

  /// Whether a line has a line end and nothing else.
  func isEmptyLine(_ line: Range<Int>) -> Bool {
    !line.isEmpty && self[line.upperBound - 1] == UInt8(ascii: "\n") && content(ofLine: line).isEmpty
  }

  /// A range without the white space around it.
  package func trimmed(
    _ range: Range<Int>, of isSpace: (UInt8) -> Bool = { $0.isFieldSpace }
  ) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isSpace(self[start]) { start += 1 }
    while start < end, isSpace(self[end - 1]) { end -= 1 }
    return start..<end
  }
}

extension UInt8 {
  /// Whether it is white space inside a line: a space or a tab (RFC 9110 §5.6.3).
  package var isFieldSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
