/// Validates aspects of a JSON text that libjansson does not check: the nesting depth, and NUL bytes.
struct JSONText {
  private let bytes: [UInt8]

  /// A text without the byte order mark that it may start with (RFC 8259 §8.1).
  init(_ bytes: [UInt8]) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
  }

  /// The bytes to parse.
  var content: [UInt8] { bytes }

  /// Refuses excessive nesting, and a NUL, which libjansson treats as the end.
  func check(depth limit: Int) throws(JSONError) {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for (index, byte) in bytes.enumerated() {
      if byte == 0 { throw error("a NUL byte", at: index) }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > limit { throw error("more than \(limit) levels of arrays and objects", at: index) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
  }

  private func error(_ problem: String, at index: Int) -> JSONError {
    let before = bytes[..<index]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Counts characters, not continuation bytes.
    let column = before[start...].count { $0 & 0xC0 != 0x80 }
    return JSONError(problem, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: column + 1)
  }
}
