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

/// Text without the white space around it.
///
/// What counts as white space differs: every caller names it.
extension BidirectionalCollection {
  /// The elements without those at the start and the end for which the closure returns true; if it is all of them,
  /// the empty part at the end.
  @inlinable package func trimming(where isSpace: (Element) -> Bool) -> SubSequence {
    drop(while: isSpace).trimmingEnd(where: isSpace)
  }

  /// The elements without those at the end for which the closure returns true.
  @inlinable package func trimmingEnd(where isSpace: (Element) -> Bool) -> SubSequence {
    guard let last = lastIndex(where: { !isSpace($0) }) else { return self[..<startIndex] }
    return self[...last]
  }
}

extension UInt8 {
  /// Whether it is white space inside a line: a space or a tab (RFC 9110 §5.6.3).
  @inlinable package var isFieldSpace: Bool { self == 0x20 || self == 0x09 }

  /// Whether it is white space in HTML, CSS and labels (WHATWG Infra §4.6): a space, a tab, a line feed, a form feed
  /// or a carriage return.
  @inlinable package var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0B }

  /// Whether it is white space in C: ``isASCIISpace`` or a vertical tab.
  @inlinable package var isSpaceInC: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension Substring {
  /// The text without spaces and tabs at its start and its end.
  @inlinable package var withoutOuterSpace: Substring { Substring(utf8.trimming(where: \.isFieldSpace)) }
}

extension Collection<UInt8> {
  /// Whether the bytes begin with the byte order mark of UTF-8 (RFC 3629 §6), which some editors write.
  @inlinable package var hasByteOrderMark: Bool { starts(with: [0xEF, 0xBB, 0xBF]) }

  /// The bytes after the byte order mark of UTF-8, or all of them if they have none.
  @inlinable package var withoutByteOrderMark: SubSequence { dropFirst(hasByteOrderMark ? 3 : 0) }
}

extension String {
  /// The folder of the file with this path, such as `a` for `a/b`, `.` for `b` and `/` for `/b`; a slash at the end counts.
  package var folderOfPath: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}

extension Range<Int> {
  package func moved(by distance: Int) -> Range<Int> { (lowerBound + distance)..<(upperBound + distance) }
}
