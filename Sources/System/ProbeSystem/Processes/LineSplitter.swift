/// Splits the output of a program into lines.
struct LineSplitter {
  /// The maximum length of a line in bytes.
  let limit: Int
  private var partial: [UInt8] = []

  /// - Parameter limit: The maximum length of a line in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - report: Called with each line that is now complete, without its LF.
  /// - Returns: Whether all lines are within the limit, including the incomplete one.
  mutating func take(_ bytes: [UInt8], _ report: ([UInt8]) -> Void) -> Bool {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let piece = rest[..<end]
      guard partial.count + piece.count <= limit else { return false }
      report(partial + piece)
      partial = []
      rest = rest[(end + 1)...]
    }
    guard partial.count + rest.count <= limit else { return false }
    partial += rest
    return true
  }
}
