extension [UInt8] {
  /// Appends bytes and a space.
  mutating func append(word bytes: borrowing Span<UInt8>) {
    append(copying: bytes)
    append(0x20)
  }

  mutating func append(copying bytes: borrowing Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Whether they contain other bytes without a gap; false for none.
  func contains(bytes other: some Collection<UInt8>) -> Bool {
    guard let first = other.first, count >= other.count else { return false }
    return (0...count - other.count).contains { start in
      self[start] == first && self[start...].starts(with: other)
    }
  }
}
