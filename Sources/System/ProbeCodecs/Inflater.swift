internal import CProbeZlib

/// Decompresses one gzip member, zlib stream or deflate stream incrementally.
///
/// It uses about 40 KiB of memory, regardless of the input.
@safe
package final class Inflater: Unpacker {
  /// The version of zlib that is running.
  package static var libraryVersion: String { unsafe String(cString: zlibVersion()) }

  package enum Format: Sendable {
    /// A member of a gzip file (RFC 1952).
    case gzip
    /// A zlib stream (RFC 1950).
    case zlib
    /// The "deflate" coding of HTTP, determined by the first two bytes.
    ///
    /// It is a zlib stream or, as many servers send it, raw deflate data without header and checksum (RFC
    /// 1951).
    case deflate
  }

  private enum Part {
    /// It is not known yet whether there is a header; one byte may be pending.
    case undecided(first: UInt8?)
    case head
    case data
    /// The checksum and the length of gzip, with the number of bytes read.
    case trailer(Int)
    case ended
  }

  private let format: Format
  private let checksHead: Bool
  private let stream: UnsafeMutablePointer<z_stream>
  private var part: Part
  private var checksum: UInt = 0
  private var length: UInt32 = 0
  /// Whether the checksum or the length at the end of a gzip member does not match the data.
  package private(set) var hasWrongChecksum = false

  package var isWhole: Bool {
    if case .ended = part { true } else { false }
  }

  /// A decompressor; nil if no memory is available.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - checksHead: Whether a gzip header with a wrong checksum is invalid; browsers ignore it.
  package init?(_ format: Format, checksHead: Bool = true) {
    self.format = format
    self.checksHead = checksHead
    part = .undecided(first: nil)
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(stream, MAX_WBITS, ZLIB_VERSION, size) == Z_OK, restart() else { return nil }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Starts over, for instance with the next member of a gzip file.
  ///
  /// - Returns: Whether it succeeded.
  @discardableResult
  package func restart() -> Bool {
    (checksum, length, hasWrongChecksum) = (0, 0, false)
    switch format {
    case .gzip:
      part = .head
      // 16: gzip.
      return unsafe inflateReset2(stream, MAX_WBITS + 16) == Z_OK
        && inflateValidate(stream, checksHead ? 1 : 0) == Z_OK
    case .zlib:
      part = .data
      return unsafe inflateReset2(stream, MAX_WBITS) == Z_OK
    case .deflate:
      part = .undecided(first: nil)
      return true
    }
  }

  package func unpack(
    _ packed: Span<UInt8>, _ offset: inout Int, into room: inout [UInt8]
  ) -> (count: Int, state: UnpackingState) {
    var (count, code) = (0, Z_OK)
    if case .undecided(let first) = part { code = decide(packed, &offset, first, &room) }
    if case .head = part, code == Z_OK {
      // Z_BLOCK: only the header, up to the first block.
      (count, code) = inflate(packed, &offset, &room, Z_BLOCK)
      if code == Z_OK, unsafe stream.pointee.data_type & 128 != 0 {
        // The rest is read as raw deflate data, so that an invalid trailer can be distinguished from invalid
        // data.
        code = unsafe inflateReset2(stream, -MAX_WBITS)
        part = .data
      }
    }
    if case .data = part, code == Z_OK {
      (count, code) = inflate(packed, &offset, &room, Z_NO_FLUSH)
      if format == .gzip { add(room, count) }
      if code == Z_STREAM_END {
        part = format == .gzip ? .trailer(0) : .ended
        code = Z_OK
      }
    }
    if case .trailer(let read) = part { takeTrailer(packed, &offset, read) }
    let state: UnpackingState =
      switch code {
      // Not an error: there were not enough bytes.
      case Z_OK, Z_BUF_ERROR: isWhole ? .ended : .running
      case Z_MEM_ERROR: .noMemory
      default: .broken
      }
    return (count, state)
  }

  /// Calls the library once; returns the number of decompressed bytes, and the result code.
  private func inflate(
    _ packed: Span<UInt8>, _ offset: inout Int, _ room: inout [UInt8], _ flush: Int32
  ) -> (count: Int, code: Int32) {
    let start = offset
    let (taken, count, code) = unsafe packed.withUnsafeBufferPointer { input in
      unsafe room.withUnsafeMutableBufferPointer { output in
        let available = UInt32(clamping: input.count - start)
        unsafe stream.pointee.next_in = input.baseAddress.map {
          unsafe UnsafeMutablePointer(mutating: $0 + start)
        }
        unsafe stream.pointee.avail_in = available
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(clamping: output.count)
        let code = unsafe CProbeZlib.inflate(stream, flush)
        let count = unsafe UInt32(clamping: output.count) - stream.pointee.avail_out
        return unsafe (Int(clamping: available - stream.pointee.avail_in), Int(clamping: count), code)
      }
    }
    offset += taken
    return (count, code)
  }

  /// Decides by two bytes whether a zlib stream starts (RFC 1950 §2.2); the first one is passed to the
  /// library later.
  private func decide(
    _ packed: Span<UInt8>, _ offset: inout Int, _ first: UInt8?, _ room: inout [UInt8]
  ) -> Int32 {
    guard offset < packed.count else { return Z_OK }
    guard let first else {
      part = .undecided(first: packed[offset])
      offset += 1
      return decide(packed, &offset, packed[offset - 1], &room)
    }
    let isZlib = Inflation.startsZlib(first, packed[offset])
    guard unsafe inflateReset2(stream, isZlib ? MAX_WBITS : -MAX_WBITS) == Z_OK else { return Z_STREAM_ERROR }
    part = .data
    var start = 0
    return inflate([first].span, &start, &room, Z_NO_FLUSH).code
  }

  private func add(_ room: [UInt8], _ count: Int) {
    checksum = unsafe room.withUnsafeBufferPointer {
      unsafe crc32(checksum, $0.baseAddress, UInt32(truncatingIfNeeded: count))
    }
    length &+= UInt32(truncatingIfNeeded: count)
  }

  /// Compares the trailer of a gzip member with the decompressed data (RFC 1952 §2.3.1).
  private func takeTrailer(_ packed: Span<UInt8>, _ offset: inout Int, _ read: Int) {
    let expected = UInt64(clamping: checksum) | UInt64(clamping: length) << 32
    var read = read
    while read < 8, offset < packed.count {
      if packed[offset] != UInt8(truncatingIfNeeded: expected >> (8 * read)) { hasWrongChecksum = true }
      read += 1
      offset += 1
    }
    part = read == 8 ? .ended : .trailer(read)
  }
}

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
  package var hasTrailingBytes: Bool { hasEnded || magicCount == 1 }

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
    guard magicCount == nil else { return (0, .running) }
    let (count, state) = inflater.unpack(packed, &offset, into: &room)
    guard state == .ended else { return (count, state) }
    guard !inflater.hasWrongChecksum else {
      hasWrongChecksum = true
      return (count, .broken)
    }
    magicCount = 0
    return (count, .running)
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
