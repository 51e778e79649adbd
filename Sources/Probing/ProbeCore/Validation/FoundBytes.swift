import ProbeBase

/// The first bytes of some data, stored inline rather than in a separate allocation.
struct FoundBytes: Sendable {
  /// The maximum number of bytes to show in a message.
  private static let limit = 60

  private var storage: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0, 0, 0, 0, 0, 0, 0, 0
  )
  private let count: UInt8
  private let isCut: Bool

  init(_ bytes: Span<UInt8>) {
    let shown = min(bytes.count, Self.limit)
    count = UInt8(truncatingIfNeeded: shown)
    isCut = bytes.count > shown
    unsafe withUnsafeMutableBytes(of: &storage) { storage in
      unsafe bytes.extracting(first: shown).bytes.withUnsafeBytes { bytes in
        unsafe storage.copyMemory(from: bytes)
      }
    }
  }

  /// The bytes, quoted for a message, with an ellipsis if they were cut.
  var words: String {
    unsafe withUnsafeBytes(of: storage) { storage in
      unsafe "\(Excerpt(shown: storage.prefix(Int(widening: count)), isCut: isCut))"
    }
  }
}
