/// Divides text from outside at ASCII characters, such as those that separate values of a header field.
///
/// Code points are compared: an accent after a separator makes one `Character` of both, which is not equal to the
/// separator, although it is one in HTTP, in a path and in a shell.
extension Substring {
  /// The parts between the occurrences of an ASCII character; empty ones are kept.
  package func parts(between separator: Unicode.Scalar) -> [Substring] {
    let byte = UInt8(truncatingIfNeeded: separator.value)
    return utf8.split(separator: byte, omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// The text before the first occurrence of an ASCII character, and the text after it; nil if there is none.
  package func divided(at separator: Unicode.Scalar) -> (before: Substring, after: Substring)? {
    guard let index = utf8.firstIndex(of: UInt8(truncatingIfNeeded: separator.value)) else { return nil }
    return (Substring(utf8[..<index]), Substring(utf8[utf8.index(after: index)...]))
  }
}

extension String {
  /// The parts between the occurrences of an ASCII character; empty ones are kept.
  package func parts(between separator: Unicode.Scalar) -> [Substring] { self[...].parts(between: separator) }

  /// The text before the first occurrence of an ASCII character, and the text after it; nil if there is none.
  package func divided(at separator: Unicode.Scalar) -> (before: Substring, after: Substring)? {
    self[...].divided(at: separator)
  }
}
