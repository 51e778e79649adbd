import ProbeASCII

extension String {
  /// The text with each of these ASCII characters replaced, for escaping.
  ///
  /// Code points are compared: an accent that follows a character makes one `Character` of both, which is not equal to
  /// the one that must be escaped, and so does a line feed after a carriage return.
  ///
  /// - Parameter replacements: What to write for a character; one beyond ASCII is not looked for.
  /// - Returns: The text with the replacements.
  package func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
    var table: [UInt8: String] = [:]
    for (scalar, replacement) in replacements where scalar.isASCII {
      table[UInt8(truncatingIfNeeded: scalar.value)] = replacement
    }
    guard utf8.contains(where: { table[$0] != nil }) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + utf8.count / 8)
    for byte in utf8 {
      if let replacement = table[byte] { bytes += replacement.utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with a backslash before each of these ASCII characters.
  package func withBackslashes(before characters: String) -> String {
    replacing(
      Dictionary(characters.unicodeScalars.map { ($0, "\\\($0)") }, uniquingKeysWith: { first, _ in first }))
  }

  /// The text as content of HTML and in attributes in quotes, where `&`, `<`, `>` and both quotes are references.
  package var withHTMLReferences: String {
    replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
  }
}
