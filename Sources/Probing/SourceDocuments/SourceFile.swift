import ProbeBase

/// A hand-written file: its bytes, and the offsets of its lines.
package struct SourceFile: Sendable {
  /// The path as given by the user.
  package let path: String
  /// All bytes.
  package let bytes: [UInt8]
  /// The offset of each line; a line ends in LF, CRLF or CR.
  private let lineStarts: [Int]
  /// The files whose bytes follow, each with its start.
  private let others: [(path: String, start: Int)]

  package init(path: String, bytes: [UInt8]) {
    self.init(path: path, bytes: bytes, others: [])
  }

  private init(path: String, bytes: [UInt8], others: [(path: String, start: Int)]) {
    self.path = path
    self.bytes = bytes
    self.others = others
    var starts = [0]
    // A file may have millions of bytes: each is compared with a line feed (0x0A) and a carriage return (0x0D).
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == 0x0A || byte == 0x0D && (index == bytes.count || bytes[index] != 0x0A) {
        starts.append(index)
      }
    }
    lineStarts = starts
  }

  /// The file followed by another one, so that one range of offsets covers both.
  ///
  /// - Returns: The file, and the offset at which the other one starts.
  func followed(by path: String, bytes other: [UInt8]) -> (file: SourceFile, start: Int) {
    let start = bytes.count + 1
    let all = bytes + [UInt8(ascii: "\n")] + other
    return (SourceFile(path: self.path, bytes: all, others: others + [(path, start)]), start)
  }

  /// The path of the file that has a byte.
  func path(at offset: Int) -> String { others.last { $0.start <= offset }?.path ?? path }

  /// Where a byte is, as `FILE:LINE:COLUMN`.
  package func locationText(at offset: Int) -> String {
    let location = location(at: offset)
    return "\(path(at: offset).escapedForDisplay):\(location.line):\(location.column)"
  }

  /// Converts a byte offset to a location; an offset out of bounds is clamped.
  package func location(at offset: Int) -> FileLocation {
    let offset = min(max(offset, 0), bytes.count)
    let fileStart = others.last { $0.start <= offset }?.start ?? 0
    let line = lineIndex(of: offset)
    var start = lineStarts[line]
    // A byte order mark does not count as a column.
    if start == fileStart, bytes[start...].hasByteOrderMark {
      start = min(start + 3, offset)
    }
    let columns = bytes[start..<offset].count { $0 & 0xC0 != 0x80 }
    return FileLocation(line: line - lineIndex(of: fileStart) + 1, column: columns + 1)
  }

  /// The range of the line that contains a byte, without the line end.
  func line(around offset: Int) -> Range<Int> {
    let offset = min(max(offset, 0), bytes.count)
    let index = lineIndex(of: offset)
    let start = lineStarts[index]
    var end = index + 1 < lineStarts.count ? lineStarts[index + 1] : bytes.count
    while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") {
      end -= 1
    }
    return start..<end
  }

  /// The zero-based line index, found by binary search.
  private func lineIndex(of offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

/// A location in a file.
public struct FileLocation: Hashable, Sendable {
  /// The line, counted from 1.
  public var line: Int
  /// The column in characters, counted from 1.
  public var column: Int

  /// Creates a location.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
