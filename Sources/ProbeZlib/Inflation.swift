internal import ProbeUnpacking

/// Decompresses gzip (RFC 1952) or zlib (RFC 1950) data.
package enum Inflation {
  /// Decompresses all members of a gzip file, or a zlib stream.
  ///
  /// - Parameters:
  ///   - bytes: The compressed bytes.
  ///   - limit: The maximum number of decompressed bytes; the rest is dropped.
  /// - Returns: The decompressed bytes, as many as possible of invalid data; nil if not even the beginning is
  ///   valid.
  package static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    let isGzip = bytes.starts(with: [0x1F, 0x8B])
    guard !bytes.isEmpty, let inflater = Inflater(isGzip ? .gzip : .zlib) else { return nil }
    var (unpacked, room, place): ([UInt8], [UInt8], Int) = ([], [UInt8](repeating: 0, count: 16 * 1024), 0)
    while unpacked.count < limit {
      let (count, state) = inflater.unpack(bytes.span, &place, into: &room)
      unpacked += room.prefix(min(count, limit - unpacked.count))
      switch state {
      case .going:
        if place == bytes.count, count < room.count { return unpacked }
      case .ended:
        // Another member may follow.
        guard isGzip, place < bytes.count, inflater.restart() else { return unpacked }
      case .broken, .noMemory:
        return unpacked.isEmpty ? nil : unpacked
      }
    }
    return unpacked
  }
}
