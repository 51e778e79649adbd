internal import CProbeZlib

/// Compresses data.
package enum Deflation {
  /// The bytes as a gzip file (RFC 1952).
  ///
  /// It favors speed over size, and uses less than 300 KiB of memory in addition to the result.
  ///
  /// - Returns: nil if no memory is available.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    // The smallest window that fits all the bytes, because zlib clears its memory first. 16 selects gzip.
    let window = min(MAX_WBITS, max(9, Int32(clamping: Int.bitWidth - bytes.count.leadingZeroBitCount)))
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard
      unsafe deflateInit2_(
        stream, Z_BEST_SPEED, Z_DEFLATED, window + 16, max(1, window - 7), Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        size)
        == Z_OK
    else { return nil }
    defer { unsafe deflateEnd(stream) }
    let bound = unsafe Int(clamping: deflateBound(stream, UInt(bytes.count)))
    var isWhole = false
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { room, count in
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
        unsafe stream.pointee.next_out = room.baseAddress
        unsafe stream.pointee.avail_out = UInt32(clamping: room.count)
        isWhole = unsafe deflate(stream, Z_FINISH) == Z_STREAM_END && stream.pointee.avail_in == 0
        count = unsafe room.count - Int(clamping: stream.pointee.avail_out)
      }
    }
    return isWhole ? packed : nil
  }
}
