import ProbeCore
import ProbeCodecs

/// Decompresses a file with the magic number of gzip (RFC 1952) or Zstandard (RFC 8878); other files are left
/// unchanged.
///
/// A file can consist of several members or frames, as written by parallel compressors.
struct ScanUnpacking {
  private enum Format {
    /// The format is not known yet.
    case open
    case plain
    case gzip(Inflater)
    case zstd(ZstdDecoder)
  }

  /// The size of a decompressed piece.
  private static let pieceSize = 1 << 15

  private var format = Format.open
  /// The compressed data, which is still unread from `offset`.
  private var packed: [UInt8] = []
  private var offset = 0
  /// Whether the last piece filled its buffer, so that there may be more output without further input.
  private var hasMore = false
  /// Whether zeros follow the last gzip member, as on some tapes.
  private var isPadded = false

  /// Adds bytes of the file.
  mutating func add(_ bytes: [UInt8]) {
    packed = Array(packed[offset...]) + bytes
    offset = 0
    // The magic numbers have at most four bytes.
    if case .open = format, packed.count >= 4 { format = Self.format(of: packed) }
  }

  /// The next bytes of the content; nil if more of the file must be read.
  ///
  /// - Throws: `InvalidInput` if the file is damaged.
  mutating func next() throws(InvalidInput) -> [UInt8]? {
    switch format {
    case .open: return nil
    case .plain:
      guard !packed.isEmpty else { return nil }
      defer { packed = [] }
      return packed
    case .gzip(let inflater):
      if inflater.isWhole, offset < packed.count {
        // On some tapes, zeros are added as padding (gzip(1)).
        if isPadded || packed[offset] == 0 {
          isPadded = true
          guard packed[offset...].allSatisfy({ $0 == 0 }) else { throw Self.damaged }
          offset = packed.count
          return nil
        }
        guard inflater.restart() else { throw Self.damaged }
      }
      let bytes = try unpack(inflater)
      if inflater.hasWrongChecksum { throw InvalidInput("the checksum of the gzip data is wrong") }
      return bytes
    case .zstd(let decoder): return try unpack(decoder)
    }
  }

  /// The rest of the content at the end of the file.
  ///
  /// - Throws: `InvalidInput` if the file ends too early.
  mutating func finish() throws(InvalidInput) -> [UInt8] {
    switch format {
    case .open:
      defer { packed = [] }
      return packed
    case .plain: return []
    case .gzip(let inflater):
      guard inflater.isWhole else { throw Self.cut }
    case .zstd(let decoder):
      guard decoder.isWhole else { throw Self.cut }
    }
    return []
  }

  private mutating func unpack(_ unpacker: some Unpacker) throws(InvalidInput) -> [UInt8]? {
    while offset < packed.count || hasMore {
      var room = [UInt8](repeating: 0, count: Self.pieceSize)
      let before = offset
      let packed = packed
      let (count, state) = unpacker.unpack(packed.span, &offset, into: &room)
      hasMore = count == room.count
      switch state {
      case .running: break
      case .ended:
        // The data after the last frame is not a frame.
        if case .zstd = format { throw Self.damaged }
      case .broken: throw Self.damaged
      case .noMemory: throw InvalidInput("there is not enough memory to decompress it")
      }
      if count > 0 {
        room.removeLast(room.count - count)
        return room
      }
      // A member has ended, and the next one begins.
      if case .ended = state { return offset < packed.count ? [] : nil }
      if offset == before { return nil }
    }
    return nil
  }

  private static func format(of bytes: [UInt8]) -> Format {
    if bytes.starts(with: [0x1F, 0x8B]) { return Inflater(.gzip).map(Format.gzip) ?? .plain }
    // A skippable frame comes first in the files of pzstd (RFC 8878 §3.1.2).
    let isFrame =
      bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
      || bytes[0] & 0xF0 == 0x50 && bytes[1...].starts(with: [0x2A, 0x4D, 0x18])
    return isFrame ? ZstdDecoder().map(Format.zstd) ?? .plain : .plain
  }

  private static var damaged: InvalidInput {
    InvalidInput(
      "the compressed data is damaged, or of a kind that needs more than 8 MiB of memory",
      remedy: "test it with gzip -t or zstd -t; do not use zstd --long or --ultra")
  }
  private static var cut: InvalidInput {
    InvalidInput("the compressed data ends too early", remedy: "is the file complete?")
  }
}
