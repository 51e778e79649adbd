/// The start of some bytes, kept where it stands rather than in an allocation of its own.
struct FoundBytes: Sendable {
  /// How many bytes a message shows.
  private static let limit = 60

  private var storage: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0, 0, 0, 0, 0, 0, 0, 0
  )
  private let count: UInt8
  private let isCut: Bool

  init(_ bytes: Span<UInt8>) {
    let shown = min(bytes.count, Self.limit)
    count = UInt8(shown)
    isCut = bytes.count > shown
    unsafe withUnsafeMutableBytes(of: &storage) { storage in
      unsafe bytes.extracting(first: shown).bytes.withUnsafeBytes { bytes in
        unsafe storage.copyMemory(from: bytes)
      }
    }
  }

  /// The bytes quoted for a message, with an ellipsis where there were more.
  var words: String {
    unsafe withUnsafeBytes(of: storage) { storage in
      unsafe "\(Excerpt(shown: storage.prefix(Int(count)), isCut: isCut))"
    }
  }
}
