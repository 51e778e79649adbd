import CYardsticks

/// A pattern matched by direct calls of the library.
@safe final class DirectPattern {
  private let pattern: OpaquePointer

  init(_ text: String) {
    let bytes = text.utf8.map { CChar(bitPattern: $0) }
    guard let pattern = unsafe yardstick_pattern_create(bytes, bytes.count) else {
      fatalError("the pattern \(text) cannot be compiled to machine code here")
    }
    unsafe self.pattern = unsafe pattern
  }

  deinit {
    unsafe yardstick_pattern_free(pattern)
  }

  func matches(_ subject: [UInt8]) -> Bool {
    unsafe subject.withUnsafeBytes {
      unsafe yardstick_pattern_matches(pattern, $0.baseAddress, $0.count) != 0
    }
  }
}

/// Whether the needle is in the haystack, by memmem(3).
func contains(_ haystack: [UInt8], _ needle: [UInt8]) -> Bool {
  unsafe haystack.withUnsafeBytes { haystack in
    unsafe needle.withUnsafeBytes { needle in
      unsafe yardstick_contains(haystack.baseAddress, haystack.count, needle.baseAddress, needle.count) != 0
    }
  }
}

/// Whether both are equal, by memcmp(3).
func equals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  unsafe left.withUnsafeBytes { left in
    unsafe right.withUnsafeBytes { right in
      unsafe left.count == right.count
        && yardstick_equals(left.baseAddress, right.baseAddress, left.count) != 0
    }
  }
}
