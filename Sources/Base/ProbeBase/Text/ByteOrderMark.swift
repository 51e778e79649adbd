extension Collection<UInt8> {
  /// Whether the bytes begin with the byte order mark of UTF-8 (RFC 3629 §6), which some editors write.
  @inlinable package var hasByteOrderMark: Bool { starts(with: [0xEF, 0xBB, 0xBF]) }

  /// The bytes after the byte order mark of UTF-8, or all of them if they have none.
  @inlinable package var withoutByteOrderMark: SubSequence { dropFirst(hasByteOrderMark ? 3 : 0) }
}
