internal import ProbeBase

/// The first line of a response (RFC 9112 §4).
package struct StatusLine: Hashable, Sendable {
  /// The range of the version: the `1.1` of `HTTP/1.1`.
  package let version: Range<Int>
  /// The status code.
  package let status: Int
  /// The range of the reason phrase; empty if there is none.
  package let reason: Range<Int>
  /// The violations of the standard in the line.
  package let leniencies: Leniencies

  /// Whether another head follows; 101 is the last response of its connection (RFC 9110 §15.2).
  package var isInterim: Bool { (100..<200).contains(status) && status != 101 }

  /// Parses a status line as leniently as browsers do.
  ///
  /// `HTTP` may be in any case, more than one space may precede the status, and the status may have fewer
  /// than three digits. The reason phrase may be missing. A missing status counts as 200.
  ///
  /// - Returns: nil if the line is not a status line.
  package init?(_ line: Range<Int>, of bytes: Span<UInt8>) {
    let line = bytes.content(ofLine: line)
    let start = line.lowerBound + 5
    guard start < line.upperBound, bytes.isWord(line.lowerBound..<start, "http/"), bytes[start].isASCIIDigit
    else { return nil }
    var gap = start
    while gap < line.upperBound, bytes[gap] != UInt8(ascii: " ") { gap += 1 }
    version = start..<gap
    while gap < line.upperBound, bytes[gap] == UInt8(ascii: " ") { gap += 1 }
    var leniencies: Leniencies = gap - version.upperBound > 1 ? .spacesBeforeStatus : []
    var (end, status) = (gap, 0)
    while end < line.upperBound, bytes[end].isASCIIDigit, end - gap < 4 {
      status = status * 10 + Int(widening: bytes[end] - UInt8(ascii: "0"))
      end += 1
    }
    guard end - gap < 4, end == line.upperBound || (end > gap && bytes[end] == UInt8(ascii: " ")) else {
      return nil
    }
    self.status = end == gap ? 200 : status
    let isUsual =
      version.count == 3 && bytes[start + 1] == UInt8(ascii: ".") && bytes[start + 2].isASCIIDigit
    if !isUsual { leniencies.insert(.oddVersion) }
    if end == gap { leniencies.insert(.noStatus) } else if end - gap < 3 { leniencies.insert(.shortStatus) }
    self.leniencies = leniencies
    reason = min(end + 1, line.upperBound)..<line.upperBound
  }

  /// Whether bytes may be the beginning of a status line of which the rest is missing.
  package static func mayBegin(with bytes: Span<UInt8>) -> Bool {
    let name: [UInt8] = Array("http/".utf8)
    guard bytes.count <= name.count else { return false }
    return bytes.indices.allSatisfy { bytes[$0] | 0x20 == name[$0] | 0x20 }
  }

  /// Whether a response starts at a position: with `HTTP/` and a digit.
  package static func starts(in bytes: Span<UInt8>, at start: Int) -> Bool {
    bytes.hasText("HTTP/", at: start) && start + 5 < bytes.count && bytes[start + 5].isASCIIDigit
  }
}
