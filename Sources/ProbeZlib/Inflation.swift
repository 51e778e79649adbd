internal import ProbeUnpacking

/// Decompresses gzip (RFC 1952) or zlib (RFC 1950) data.
package enum Inflation {
  /// The result of decompressing.
  package struct Result: Sendable {
    /// The decompressed bytes, as many as possible of invalid data.
    package var bytes: [UInt8] = []
    /// The number of compressed bytes that were read.
    package var position = 0
    /// The reason why the rest cannot be decompressed; nil if everything is, or as much as wanted.
    package var fault: Fault?
  }

  /// A fault of compressed data.
  package enum Fault: Sendable {
    /// It ends before the end of a member.
    case cut
    /// It is invalid.
    case damaged
  }

  /// Decompresses all members of a gzip file, or a zlib stream.
  ///
  /// - Parameters:
  ///   - bytes: The compressed bytes.
  ///   - limit: The maximum number of decompressed bytes; the rest is dropped.
  /// - Returns: The decompressed bytes, as many as possible of invalid data; nil if not even the beginning is
  ///   valid.
  package static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    let result = unpack(bytes, limit: limit)
    return result.bytes.isEmpty && result.fault == .damaged ? nil : result.bytes
  }

  /// Decompresses all members of a gzip file, or a zlib stream, and reports what is wrong with it.
  ///
  /// - Parameters:
  ///   - bytes: The compressed bytes.
  ///   - limit: The maximum number of decompressed bytes; the rest is dropped.
  /// - Returns: The bytes, and the fault.
  package static func unpack(_ bytes: [UInt8], limit: Int) -> Result {
    let isGzip = bytes.starts(with: [0x1F, 0x8B])
    var result = Result()
    guard !bytes.isEmpty, let inflater = Inflater(isGzip ? .gzip : .zlib) else {
      result.fault = .damaged
      return result
    }
    var room = [UInt8](repeating: 0, count: 16 * 1024)
    while result.bytes.count < limit, result.fault == nil {
      let (count, state) = inflater.unpack(bytes.span, &result.position, into: &room)
      result.bytes += room.prefix(min(count, limit - result.bytes.count))
      switch state {
      case .going:
        if result.position == bytes.count, count < room.count { result.fault = .cut }
      case .ended:
        if inflater.hasWrongChecksum { result.fault = .damaged }
        // Another member may follow, or zeros, as on some tapes (gzip(1)).
        let rest = bytes[result.position...]
        guard isGzip, !rest.allSatisfy({ $0 == 0 }), result.fault == nil else { return result }
        guard inflater.restart() else { result.fault = .damaged; return result }
      case .broken, .noMemory: result.fault = .damaged
      }
    }
    return result
  }
}
