internal import CZlib

/// Unpacks what was packed with gzip (RFC 1952) or zlib (RFC 1950).
public enum Inflation {
  /// Unpacks all members of a gzip file, or a zlib stream.
  ///
  /// - Parameters:
  ///   - bytes: The packed bytes.
  ///   - limit: How many unpacked bytes are kept at most; a beginning of so many is what a longer one gives.
  /// - Returns: The unpacked bytes, of broken ones as many as can be read; nil when not even the beginning is packed.
  public static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    // 15: the largest window; 32: gzip or zlib, as the header says.
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, size) == Z_OK else { return nil }
    defer { unsafe inflateEnd(&stream) }
    var unpacked: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 16 * 1024)
    var hasBegun = false
    unsafe bytes.withUnsafeBufferPointer { input in
      unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.avail_in = UInt32(clamping: input.count)
      while unpacked.count < limit {
        let (code, count) = unsafe room.withUnsafeMutableBufferPointer { output in
          unsafe stream.next_out = output.baseAddress
          unsafe stream.avail_out = UInt32(output.count)
          let code = unsafe inflate(&stream, Z_NO_FLUSH)
          return unsafe (code, output.count - Int(stream.avail_out))
        }
        guard code == Z_OK || code == Z_STREAM_END else { break }
        hasBegun = true
        unpacked += room.prefix(min(count, limit - unpacked.count))
        if code == Z_STREAM_END {
          // Behind a member may stand the next one.
          guard unsafe stream.avail_in > 0, unsafe inflateReset(&stream) == Z_OK else { break }
        } else if count == 0, unsafe stream.avail_in == 0 {
          break
        }
      }
    }
    return hasBegun ? unpacked : nil
  }
}
