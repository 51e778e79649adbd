internal import CProbeZlib

/// Decompresses gzip (RFC 1952), zlib (RFC 1950) or deflate (RFC 1951) data.
package enum Inflation {
  package struct Result: Sendable {
    /// The decompressed bytes, as many as possible of invalid data.
    package var bytes: [UInt8] = []
    /// The position after the compressed bytes that were read.
    package var position: Int
    /// The reason why the rest cannot be decompressed; nil if everything is, or as much as wanted.
    package var dataError: DataError?
  }

  /// An error in compressed data.
  package enum DataError: Sendable {
    /// It ends before the end of a member.
    case cut
    case damaged
  }

  /// The bytes that every member of a gzip file starts with.
  package static let gzipStart: [UInt8] = [0x1F, 0x8B, 8]

  /// Whether two bytes are the head of a zlib stream (RFC 1950 §2.2), which raw deflate rarely begins with.
  package static func startsZlib(_ first: UInt8, _ second: UInt8) -> Bool {
    first & 0x0F == 8 && first >> 4 <= 7
      && (UInt16(clamping: first) << 8 | UInt16(clamping: second)).isMultiple(of: 31)
  }

  /// Decompresses the members of a gzip file that follow each other, or a stream of the coding "deflate".
  ///
  /// - Parameters:
  ///   - bytes: Bytes that contain the data.
  ///   - start: The position of the data.
  ///   - limit: The maximum number of decompressed bytes; the rest is dropped.
  /// - Returns: The bytes, the position after the data, and the error.
  package static func unpack(_ bytes: [UInt8], from start: Int = 0, limit: Int) -> Result {
    var result = Result(position: start)
    let isGzip = bytes[start...].starts(with: gzipStart.prefix(2))
    guard start < bytes.count, let inflater = Inflater(isGzip ? .gzip : .deflate) else {
      result.dataError = .damaged
      return result
    }
    var room = [UInt8](repeating: 0, count: 16 * 1024)
    while result.bytes.count < limit, result.dataError == nil {
      let (count, state) = inflater.unpack(bytes.span, &result.position, into: &room)
      result.bytes += room.prefix(min(count, limit - result.bytes.count))
      switch state {
      case .running:
        if result.position == bytes.count, count < room.count { result.dataError = .cut }
      case .ended where inflater.hasWrongChecksum: result.dataError = .damaged
      case .ended:
        guard isGzip, bytes[result.position...].starts(with: gzipStart) else { return result }
        if !inflater.restart() { result.dataError = .damaged }
      case .broken, .noMemory: result.dataError = .damaged
      }
    }
    return result
  }
}

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
