internal import ProbeCore

/// Parses status codes in a pipeline file.
enum StatusRange {
  /// The valid codes: three digits (RFC 9112 §4), the first of them not zero.
  private static let possible = 100...999

  /// The codes that the texts of a list represent.
  ///
  /// - Throws: `InvalidInput` if a text is not a status, or if the list is empty.
  static func parseAll(_ texts: [String]) throws(InvalidInput) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    for (index, text) in texts.enumerated() {
      ranges.append(try InvalidInput.at("\(index)") { () throws(InvalidInput) in try parse(text) })
    }
    guard !ranges.isEmpty else {
      throw InvalidInput("the list of statuses is empty", remedy: "give at least one, such as 204 or 2xx")
    }
    return ranges
  }

  /// The codes that a text represents: `204`, `2xx` or `200-299`.
  static func parse(_ text: String) throws(InvalidInput) -> ClosedRange<Int> {
    let bytes = Array(text.utf8)
    if bytes.count == 3, bytes[1...].allSatisfy({ $0 | 0x20 == UInt8(ascii: "x") }),
      let hundreds = Int(text: text.prefix(1)), hundreds > 0
    {
      return (hundreds * 100)...(hundreds * 100 + 99)
    }
    // A hyphen at the start is a sign, not a range.
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, !text.hasPrefix("-") else {
      let code = try code(text[...], in: text)
      return code...code
    }
    let (lower, upper) = (try code(parts[0], in: text), try code(parts[1], in: text))
    guard lower <= upper else {
      throw InvalidInput("the range \(text) of statuses runs backwards", remedy: "write \(upper)-\(lower)")
    }
    return lower...upper
  }

  private static func code(_ digits: Substring, in text: String) throws(InvalidInput) -> Int {
    guard !digits.hasPrefix("+"), let code = Int(text: digits) else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a status", remedy: "write a code (204), a class (2xx) or a range (200-299)"
      )
    }
    guard possible.contains(code) else {
      throw InvalidInput("the status \(code) does not exist", remedy: "codes are from 100 to 999")
    }
    return code
  }
}
