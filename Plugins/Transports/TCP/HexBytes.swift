internal import ProbeCore

/// Bytes written as hexadecimal digits, as in `16 03 01` or `160301`.
enum HexBytes {
  /// Parses bytes, given as two hexadecimal digits each, with or without white space between them.
  ///
  /// - Throws: ``InvalidInput`` with the position of the first error.
  static func read(_ text: String) throws(InvalidInput) -> [UInt8] {
    var bytes: [UInt8] = []
    var half: (value: UInt8, offset: Int)?
    for (offset, character) in text.utf8.enumerated() {
      if isSpace(character) {
        if let half { throw oneDigit(at: half.offset) }
        continue
      }
      guard let digit = character.hexDigitValue else {
        throw InvalidInput(
          "not a hexadecimal digit", remedy: "write two of 0-9 and a-f for each byte, as in 16 03 01",
          offset: offset)
      }
      if let first = half {
        bytes.append(first.value << 4 | digit)
        half = nil
      } else {
        half = (digit, offset)
      }
    }
    if let half { throw oneDigit(at: half.offset) }
    return bytes
  }

  private static func oneDigit(at offset: Int) -> InvalidInput {
    InvalidInput(
      "a byte with only one digit", remedy: "write two digits for each byte, as in 0a", offset: offset)
  }

  /// Whether a character may be between bytes.
  static func isSpace(_ character: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D].contains(character)
  }

  /// Formats bytes with spaces between them, truncated with an ellipsis if there are many.
  static func text(of bytes: [UInt8]) -> String {
    let shown = bytes.prefix(20).map { $0.hexText(atLeast: 2) }
    return shown.joined(separator: " ") + (bytes.count > 20 ? " …" : "")
  }
}
