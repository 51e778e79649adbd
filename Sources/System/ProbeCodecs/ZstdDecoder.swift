internal import CProbeZstd

/// Decompresses Zstandard frames (RFC 8878) incrementally.
///
/// Windows have at most 8 MiB, the maximum in HTTP (RFC 9659), so it uses little more memory than that.
@safe
package final class ZstdDecoder: Unpacker {
  /// The version of Zstandard that is running.
  package static var libraryVersion: String { unsafe String(cString: ZSTD_versionString()) }

  /// The maximum number of bytes per library call, whose output is lost if they are invalid.
  private static let maximumPieceLength = 256
  /// The maximum size of a window as a power of 2.
  private static let windowLog: Int32 = 23

  private let decoder: OpaquePointer
  /// The number of bytes read of the frame's magic number, and whether it is that of a skippable frame.
  private var magic = (count: 0, isSkipped: false)
  private var hasWholeFrame = false
  package private(set) var isWhole = false

  /// A decoder; nil if no memory is available.
  package init?() {
    guard let decoder = unsafe ZSTD_createDCtx() else { return nil }
    unsafe self.decoder = unsafe decoder
    guard unsafe ZSTD_isError(ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, Self.windowLog)) == 0
    else {
      return nil
    }
  }

  deinit {
    unsafe ZSTD_freeDCtx(decoder)
  }

  package func unpack(
    _ packed: Span<UInt8>, _ offset: inout Int, into room: inout [UInt8]
  ) -> (count: Int, state: UnpackingState) {
    var count = 0
    repeat {
      var length = min(packed.count - offset, Self.maximumPieceLength)
      if magic.count < 4 {
        guard length > 0 else { break }
        guard takeMagic(packed[offset]) else {
          isWhole = hasWholeFrame
          return (count, hasWholeFrame ? .ended : .broken)
        }
        length = 1
      }
      let result = unpackPiece(packed, &offset, length, &room, &count)
      if ZSTD_isError(result) != 0 {
        return (count, ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ? .noMemory : .broken)
      }
      isWhole = result == 0
      if isWhole {
        hasWholeFrame = true
        magic.count = 0
      }
    } while offset < packed.count && count < room.count
    return (count, .running)
  }

  /// Checks a byte of a frame's magic number; returns false if it is invalid.
  ///
  /// The library also accepts legacy frames, whose windows have any size.
  private func takeMagic(_ byte: UInt8) -> Bool {
    if magic.count == 0 { magic.isSkipped = byte & 0xF0 == 0x50 }
    let isRight =
      switch magic.count {
      case 0: magic.isSkipped || byte == 0x28
      case 1: byte == (magic.isSkipped ? 0x2A : 0xB5)
      case 2: byte == (magic.isSkipped ? 0x4D : 0x2F)
      default: byte == (magic.isSkipped ? 0x18 : 0xFD)
      }
    magic.count += 1
    return isRight
  }

  /// Calls the library once, and advances the counts.
  private func unpackPiece(
    _ packed: Span<UInt8>, _ offset: inout Int, _ length: Int, _ room: inout [UInt8], _ count: inout Int
  ) -> Int {
    let (start, filled) = (offset, count)
    let (taken, unpacked, result) = unsafe packed.withUnsafeBufferPointer { input in
      unsafe room.withUnsafeMutableBufferPointer { output in
        var source = unsafe ZSTD_inBuffer(
          src: input.baseAddress.map { unsafe $0 + start }, size: length, pos: 0)
        var target = unsafe ZSTD_outBuffer(
          dst: output.baseAddress.map { unsafe $0 + filled }, size: output.count - filled, pos: 0)
        let result = unsafe ZSTD_decompressStream(decoder, &target, &source)
        return unsafe (source.pos, target.pos, result)
      }
    }
    offset += taken
    count += unpacked
    return result
  }
}
