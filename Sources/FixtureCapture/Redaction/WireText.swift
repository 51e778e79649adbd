internal import ProbeCore
internal import ProbeHTTPWire
internal import ProbeZlib

/// Sent or received bytes, split into the texts that can contain private values.
struct WireText {
  /// Represents a UTF-16 character beyond Latin-1; it is not valid in UTF-8, and is never changed.
  static let foreign: UInt8 = 0xFF
  /// The maximum number of decompressed bytes to examine.
  static let unpackedLimit = 8 << 20

  /// A text, and the places of its bytes on the wire.
  struct Part {
    /// The bytes of the text.
    var bytes: [UInt8]
    /// The offset of each byte on the wire; nil if they are contiguous from `start` on.
    var places: [Int]?
    /// The offset of the first byte.
    var start: Int
    /// The parsed lines if the text is a head.
    var head: HeaderLines?
    /// Whether it may be a submitted form.
    var isForm = false
    /// Whether it is binary, so that what looks like a private value is there by chance.
    var isMedia = false
  }

  /// The texts, in the order of the wire.
  private(set) var parts: [Part] = []
  /// Compressed contents: the coding, the decompressed bytes if possible, and their ranges on the wire.
  private(set) var packed: [(coding: String, bytes: [UInt8]?, places: [Range<Int>])] = []
  /// The number of bytes after the head.
  private(set) var contentCount = 0
  /// The digits of a chunk size that announces more than was received.
  private(set) var openSize: Range<Int>?

  /// Splits the bytes of one direction.
  init(_ wire: [UInt8], isRequest: Bool) {
    var start = 0
    while start < wire.count, let end = Self.headEnd(in: wire, from: start, isRequest: isRequest) {
      let head = HeaderLines(Array(wire[start..<end]))
      parts.append(Part(bytes: Array(wire[start..<end]), start: start, head: head))
      start = end
      // An interim response has no content: the next head follows.
      guard head.isInterim else {
        addContent(of: wire, from: start, head, isRequest: isRequest)
        return
      }
    }
    if start < wire.count { add([start..<wire.count], of: wire, label: nil, isForm: isRequest) }
  }

  private mutating func addContent(of wire: [UInt8], from start: Int, _ head: HeaderLines, isRequest: Bool) {
    guard start < wire.count else { return }
    contentCount = wire.count - start
    var content = [start..<wire.count]
    var end = wire.count
    var extensions: [Range<Int>] = []
    if head.isChunked {
      (content, end) = ChunkedContent.parts(of: wire, from: start)
      let lines = ChunkedContent.lines(between: content, from: start, to: end)
      extensions = lines.compactMap { line in
        wire[line].firstIndex(of: UInt8(ascii: ";")).map { ($0 + 1)..<line.upperBound }
      }
      openSize = ChunkedContent.openSize(before: content, from: start, in: wire)
    }
    let bytes = content.flatMap { wire[$0] }
    if let coding = Self.coding(of: bytes, head) {
      let isKnown = ["gzip", "x-gzip", "deflate"].contains(coding) && head.codings.count < 2
      let unpacked = isKnown ? Inflation.unpacked(bytes, limit: Self.unpackedLimit) : nil
      // Content that is declared as compressed and is not is treated as text.
      let isText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
      if unpacked != nil || !isText {
        packed.append((coding, unpacked, content))
        content = []
      }
    }
    if !content.isEmpty {
      add(content, of: wire, label: head.utf16, isForm: isRequest)
      if head.isMedia { parts[parts.count - 1].isMedia = true }
    }
    // The ends of their lines separate the extensions.
    if !extensions.isEmpty { add(extensions, of: wire, label: nil, isForm: false) }
    if end < wire.count { add([end..<wire.count], of: wire, label: nil, isForm: false) }
  }

  private static func coding(of bytes: [UInt8], _ head: HeaderLines) -> String? {
    if let coding = head.codings.last { return String(coding.prefix(20)) }
    // A compressed file that the head does not declare as such.
    return bytes.starts(with: [0x1F, 0x8B, 0x08]) ? "gzip" : nil
  }

  /// Adds a text that consists of one or several ranges of the wire.
  private mutating func add(_ pieces: [Range<Int>], of wire: [UInt8], label: String?, isForm: Bool) {
    guard let first = pieces.first else { return }
    var part = Part(bytes: pieces.flatMap { wire[$0] }, start: first.lowerBound, isForm: isForm)
    if pieces.count > 1 { part.places = pieces.flatMap { Array($0) } }
    if let order = Self.byteOrder(of: part.bytes, label) {
      let places = part.places ?? Array(first)
      var (bytes, indices): ([UInt8], [Int]) = ([], [])
      for unit in stride(from: 0, to: part.bytes.count - 1, by: 2) {
        let (low, high) = order == .big ? (unit + 1, unit) : (unit, unit + 1)
        bytes.append(part.bytes[high] == 0 && part.bytes[low] < 0x80 ? part.bytes[low] : Self.foreign)
        indices.append(places[low])
      }
      part.bytes = bytes
      part.places = indices
    }
    parts.append(part)
  }

  private enum ByteOrder {
    case big
    case little
  }

  /// The byte order of a UTF-16 text, by its byte order mark or its label.
  private static func byteOrder(of bytes: [UInt8], _ label: String?) -> ByteOrder? {
    if bytes.starts(with: [0xFE, 0xFF]) { return .big }
    if bytes.starts(with: [0xFF, 0xFE]) { return .little }
    // Without a mark, RFC 2781 §4.3 says big-endian, browsers use little-endian (Encoding Standard,
    // "utf-16").
    return label.map { $0 == "utf-16be" ? .big : .little }
  }

  /// The end of the head that starts here, including its empty line; nil if no head starts here.
  private static func headEnd(in wire: [UInt8], from start: Int, isRequest: Bool) -> Int? {
    let line = wire[start...].prefix(16_384).prefix { $0 != UInt8(ascii: "\n") }
    let isHead =
      isRequest ? line.count > 12 && line.text.contains(" HTTP/") : line.starts(with: "HTTP/".utf8)
    return isHead ? HeadLines(wire.span, from: start).end : nil
  }

  /// Writes the replaced bytes of a part to the wire.
  static func write(_ bytes: [UInt8], of part: Part, to wire: inout [UInt8]) {
    for (index, byte) in bytes.enumerated() where byte != part.bytes[index] {
      wire[part.places?[index] ?? (part.start + index)] = byte
    }
  }
}

/// Content in chunks (RFC 9112 §7.1): locates the data between the chunk sizes.
enum ChunkedContent {
  /// The ranges of the content's bytes, in order.
  ///
  /// - Parameters:
  ///   - wire: All bytes.
  ///   - start: The offset of the first chunk's size.
  /// - Returns: The ranges of the content, and the offset after the last chunk. From a framing error on,
  ///   everything is content.
  static func parts(of wire: [UInt8], from start: Int) -> (content: [Range<Int>], end: Int) {
    var content: [Range<Int>] = []
    // An invalid or truncated size may be a word.
    var rest: Range<Int> { (content.last?.upperBound ?? start)..<wire.count }
    var (chunks, place) = (ChunkDecoder(.lenient), start)
    do throws(WireFault) {
      while true {
        switch try chunks.next(wire.span, &place) {
        case .content(let bytes): content.append(bytes)
        case .lastChunk, .end: return (content, place)
        case .needsMore: return (content + [rest], wire.count)
        }
      }
    } catch {
      return (content + [rest], wire.count)
    }
  }

  /// The ranges around the content, each of which has a line with a chunk's size, up to the end of the last one.
  static func lines(between content: [Range<Int>], from start: Int, to end: Int) -> [Range<Int>] {
    let starts = [start] + content.map(\.upperBound)
    let ends = content.map(\.lowerBound) + [end]
    return zip(starts, ends).filter { $0 < $1 }.map { $0..<$1 }
  }

  /// The digits of the last chunk's size if it announces more bytes than there are.
  static func openSize(before content: [Range<Int>], from start: Int, in wire: [UInt8]) -> Range<Int>? {
    let content = content.filter { !$0.isEmpty }
    guard let last = content.last, last.upperBound == wire.count else { return nil }
    let line = (content.dropLast().last?.upperBound ?? start)..<last.lowerBound
    let digits = wire[line].drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
      .prefix { $0.hexDigitValue != nil }
    let size = digits.reduce(0) { min($0 << 4 | Int(widening: $1.hexDigitValue ?? 0), 1 << 48) }
    return size > last.count ? digits.startIndex..<digits.endIndex : nil
  }
}
