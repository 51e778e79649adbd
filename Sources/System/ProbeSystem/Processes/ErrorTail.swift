internal import ProbeBase

/// The end of a program's standard error.
struct ErrorTail {
  /// The number of bytes to keep.
  static let size = 4096
  /// The maximum length of a line for display, in bytes.
  private static let lineLimit = 200

  private var kept: [UInt8] = []

  /// The last bytes.
  var bytes: [UInt8] { kept.suffix(Self.size) }

  /// Adds bytes.
  mutating func add(_ bytes: some Collection<UInt8>) {
    kept += bytes.suffix(Self.size)
    if kept.count > 2 * Self.size { kept.removeFirst(kept.count - Self.size) }
  }

  /// The last line that is not blank, escaped for display.
  var lastLine: String {
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let line = lines.last(where: { $0.contains { $0 > 0x20 } }) else { return "" }
    var text = ""
    for character in String(wireBytes: line).escapedForDisplay {
      guard text.utf8.count + character.utf8.count <= Self.lineLimit else { break }
      text.append(character)
    }
    return text
  }
}
