/// Decompresses all members of a gzip file one after the other (RFC 1952 §2.2).
///
/// A member with a wrong checksum, of its head or its data, or with a wrong length is invalid (§2.3.1). Bytes after a
/// member that do not start another one are not part of the file: many programs pad with zeros.
package final class GzipFile: Unpacker {
  private static let magic: [UInt8] = [0x1F, 0x8B]

  private let inflater: Inflater
  /// The number of bytes of the next member's magic number that were read; nil inside a member.
  private var magicCount: Int?
  /// Whether a byte was found that does not start another member.
  private var hasEnded = false
  /// Whether the checksum or the length of a member does not match its data.
  package private(set) var hasWrongChecksum = false
  /// Whether bytes follow the last member, provided that no more are to come.
  package var hasBytesBehind: Bool { hasEnded || magicCount == 1 }

  package var isWhole: Bool { magicCount.map { $0 < Self.magic.count } ?? inflater.isWhole }

  /// A decompressor; nil if no memory is available.
  package init?() {
    guard let inflater = Inflater(.gzip) else { return nil }
    self.inflater = inflater
  }

  package func unpack(
    _ packed: Span<UInt8>, _ offset: inout Int, into room: inout [UInt8]
  ) -> (count: Int, state: UnpackingState) {
    if hasEnded { return (0, .ended) }
    if let failed = startMember(packed, &offset) { return (0, failed) }
    guard magicCount == nil else { return (0, .going) }
    let (count, state) = inflater.unpack(packed, &offset, into: &room)
    guard state == .ended else { return (count, state) }
    guard !inflater.hasWrongChecksum else {
      hasWrongChecksum = true
      return (count, .broken)
    }
    magicCount = 0
    return (count, .going)
  }

  /// Reads the magic number of the next member, and starts it.
  ///
  /// - Returns: The state if there is none; nil otherwise, also if more bytes are needed.
  private func startMember(_ packed: Span<UInt8>, _ offset: inout Int) -> UnpackingState? {
    guard var count = magicCount else { return nil }
    while count < Self.magic.count, offset < packed.count {
      guard packed[offset] == Self.magic[count] else {
        hasEnded = true
        return .ended
      }
      count += 1
      offset += 1
    }
    magicCount = count
    guard count == Self.magic.count else { return nil }
    guard inflater.restart() else { return .noMemory }
    magicCount = nil
    var (start, room) = (0, [UInt8](repeating: 0, count: 1))
    // They were checked, and nothing is decompressed yet.
    _ = inflater.unpack(Self.magic.span, &start, into: &room)
    return nil
  }
}
