import ProbeCore
import ProbeCodecs

/// The bytes of a recording from its start to its end, decompressed as they are read.
///
/// In addition to the file, only the bytes that were not taken yet are in memory.
struct RecordingBytes {
  private static let pieceLength = 64 * 1024

  private let file: [UInt8]
  /// The decompressor, or nil if the file is not compressed.
  private let unpacker: GzipFile?
  private var room: [UInt8]
  /// The offset of the first byte of the file that was not read.
  private var filePosition = 0
  /// The bytes that were read, and the position of the first that was not taken.
  private var pending: [UInt8] = []
  private var position = 0
  private var hasEnded = false

  /// The offset of the next byte in the decompressed recording.
  private(set) var offset = 0
  /// The reason why the compressed data after the bytes that were read cannot be decompressed, or nil.
  private(set) var decodingError: String?

  /// The bytes of a file, compressed with gzip or not.
  init(ofFile file: [UInt8]) {
    self.file = file
    unpacker = file.starts(with: [0x1F, 0x8B]) ? GzipFile() : nil
    room = [UInt8](repeating: 0, count: unpacker == nil ? 0 : Self.pieceLength)
  }

  /// Bytes as they are.
  init(_ bytes: [UInt8]) {
    file = bytes
    unpacker = nil
    room = []
  }

  /// The number of bytes that are in memory in addition to the file.
  var heldCount: Int { pending.capacity + room.count }

  /// The next bytes, which are not taken: fewer than `count` at the end.
  mutating func peek(_ count: Int) -> ArraySlice<UInt8> {
    while pending.count - position < count, readPiece() {}
    return pending[position...].prefix(count)
  }

  mutating func skipLineEnds() {
    while !peek(1).isEmpty {
      advance(pending[position...].prefix { $0 == 0x0D || $0 == 0x0A }.count)
      if position < pending.count { return }
    }
  }

  /// Takes the next line, whose end is not among the bytes returned.
  ///
  /// - Returns: nil if it has no end, or is longer than the limit.
  mutating func takeLine(limit: Int) -> [UInt8]? {
    var length = 0
    while true {
      let rest = pending[(position + length)...]
      if let end = rest.firstIndex(of: 0x0A) {
        let line = pending[position..<end]
        advance(line.count + 1)
        return Array(line.last == 0x0D ? line.dropLast() : line)
      }
      length = pending.count - position
      guard length <= limit, readPiece() else { return nil }
    }
  }

  /// Takes bytes.
  ///
  /// - Parameters:
  ///   - length: The number of bytes.
  ///   - keep: Whether to return them.
  /// - Returns: The bytes, and how many there were: fewer at the end.
  mutating func take(_ length: Int, keep: Bool) -> (bytes: [UInt8], count: Int) {
    var (bytes, count): ([UInt8], Int) = ([], 0)
    while count < length, position < pending.count || readPiece() {
      let piece = pending[position...].prefix(length - count)
      if keep {
        if bytes.isEmpty { bytes.reserveCapacity(length) }
        bytes += piece
      }
      count += piece.count
      advance(piece.count)
    }
    return (bytes, count)
  }

  /// The whole recording, of which nothing was taken yet; nil if it has more bytes than the limit.
  mutating func all(limit: Int) -> [UInt8]? {
    guard unpacker != nil else { return file.count <= limit ? file : nil }
    let all = take(limit + 1, keep: true).bytes
    return all.count <= limit ? all : nil
  }

  private mutating func advance(_ count: Int) {
    position += count
    offset += count
  }

  /// Reads more bytes.
  ///
  /// - Returns: Whether there are more.
  private mutating func readPiece() -> Bool {
    if position == pending.count {
      pending.removeAll(keepingCapacity: true)
      position = 0
    } else if position >= Self.pieceLength {
      pending.removeFirst(position)
      position = 0
    }
    guard let unpacker else {
      let piece = file[filePosition...].prefix(Self.pieceLength)
      pending += piece
      filePosition += piece.count
      return !piece.isEmpty
    }
    let file = file
    var count = 0
    while count == 0, !hasEnded {
      let result = unpacker.unpack(file.span, &filePosition, into: &room)
      count = result.count
      switch result.state {
      case .running:
        guard count == 0, filePosition == file.count else { break }
        hasEnded = true
        if !unpacker.isWhole { decodingError = "the compressed data ends too early, at byte \(filePosition)" }
      case .ended:
        hasEnded = true
        // Zeros are padding, as on some tapes (gzip(1)).
        if file[filePosition...].contains(where: { $0 != 0 }) { decodingError = damage }
      case .broken:
        hasEnded = true
        decodingError = damage
      case .noMemory:
        hasEnded = true
        decodingError = "there is not enough memory to decompress it"
      }
    }
    guard offset + pending.count - position + count <= CaptureImport.maximumUnpackedLength else {
      hasEnded = true
      decodingError =
        "the file has more than \(CaptureImport.maximumUnpackedLength >> 20) MiB after decompression"
      return false
    }
    pending += room.prefix(count)
    return count > 0
  }

  private var damage: String { "the compressed data is damaged before byte \(filePosition)" }
}
