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
