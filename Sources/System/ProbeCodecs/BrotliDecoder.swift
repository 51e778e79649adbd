internal import CProbeBrotli

/// Decompresses a Brotli stream (RFC 7932) incrementally.
///
/// It uses at most about 16 MiB of memory, the maximum size of a window of the format.
@safe
package final class BrotliDecoder: Unpacker {
  /// The version of Brotli that is running.
  package static var libraryVersion: String {
    let version = BrotliDecoderVersion()
    return "\(version >> 24).\(version >> 12 & 0xFFF).\(version & 0xFFF)"
  }

  /// The maximum number of bytes per library call, whose output is lost if they are invalid.
  private static let maximumPieceLength = 256

  private let decoder: OpaquePointer
  package private(set) var isWhole = false

  /// A decoder; nil if no memory is available.
  package init?() {
    guard let decoder = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
    unsafe self.decoder = unsafe decoder
  }

  deinit {
    unsafe BrotliDecoderDestroyInstance(decoder)
  }

  package func unpack(
    _ packed: Span<UInt8>, _ offset: inout Int, into room: inout [UInt8]
  ) -> (count: Int, state: UnpackingState) {
    var count = 0
    while true {
      switch unpackPiece(packed, &offset, &room, &count) {
      case BROTLI_DECODER_RESULT_SUCCESS:
        isWhole = true
        return (count, .ended)
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
        if offset == packed.count { return (count, .running) }
      case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
        return (count, .running)
      default:
        let code = unsafe BrotliDecoderGetErrorCode(decoder).rawValue
        let memory =
          BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES
          .rawValue...BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES.rawValue
        return (count, memory.contains(code) ? .noMemory : .broken)
      }
    }
  }

  /// Calls the library once, and advances the counts.
  private func unpackPiece(
    _ packed: Span<UInt8>, _ offset: inout Int, _ room: inout [UInt8], _ count: inout Int
  ) -> BrotliDecoderResult {
    let (start, filled) = (offset, count)
    var left = min(packed.count - start, Self.maximumPieceLength)
    var free = room.count - filled
    let (available, before) = (left, free)
    let result = unsafe packed.withUnsafeBufferPointer { input in
      unsafe room.withUnsafeMutableBufferPointer { output in
        var next = unsafe input.baseAddress.map { unsafe $0 + start }
        var end = unsafe output.baseAddress.map { unsafe $0 + filled }
        return unsafe BrotliDecoderDecompressStream(decoder, &left, &next, &free, &end, nil)
      }
    }
    offset += available - left
    count += before - free
    return result
  }
}
