/// A file that a person wrote: its bytes, and where its lines are.
public struct SourceFile: Sendable {
  /// The path as the user gave it.
  public let path: String
  /// All bytes.
  public let bytes: [UInt8]
  /// Where each line starts; a line ends in LF, CRLF or CR.
  private let lineStarts: [Int]

  /// A file.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var starts = [0]
    for (index, byte) in bytes.enumerated() {
      let endsLine =
        byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r") && (index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"))
      if endsLine { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  /// The place of a byte by its offset; one that is out of bounds is taken for the nearest that is not.
  public func place(at offset: Int) -> SourcePlace {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineIndex(of: offset)
    var start = lineStarts[line]
    // A byte order mark takes no column.
    if start == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = min(3, offset) }
    let columns = bytes[start..<offset].count { $0 & 0xC0 != 0x80 }
    return SourcePlace(line: line + 1, column: columns + 1)
  }

  /// The bytes of the line in which a byte stands, without the line's end.
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

  /// The line's number from 0, by bisection.
  private func lineIndex(of offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

/// A place in a file that a person wrote.
public struct SourcePlace: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The column in characters, from 1.
  public var column: Int

  /// A place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
