internal import ProbeCore
internal import ProbeHTTPWire

/// Sent or received bytes, split into the texts that can contain private values.
struct WireText {
  /// Represents a character of UTF-16 or UTF-32 beyond ASCII; it is not valid in UTF-8, and is never changed.
  static let foreign: UInt8 = 0xFF
  /// The maximum number of decompressed bytes to examine.
  static let unpackedLimit = 8 << 20

  /// A text, and the offsets of its bytes on the wire.
  struct Part {
    var bytes: [UInt8]
    /// The offset of each byte on the wire; nil if they are contiguous from `start` on.
    var offsets: [Int]?
    /// The offset of the first byte.
    var start: Int
    /// The parsed lines if the text is a head.
    var head: HeaderLines?
    /// The number of bytes that follow the head, up to the next message.
    var contentCount = 0
    /// Whether it may be a submitted form.
    var isForm = false
    /// Whether it is binary, so that what looks like a private value is there by chance.
    var isMedia = false
  }

  /// The texts, in the order of the wire.
  private(set) var parts: [Part] = []
  /// Compressed contents, and their ranges on the wire.
  private(set) var packed: [(data: PackedData, ranges: [Range<Int>])] = []
  /// The digits of a chunk size that announces more than was received.
  private(set) var unfinishedChunkSize: Range<Int>?

  /// The number of bytes that may still be decompressed.
  private var budget = WireText.unpackedLimit

  /// Splits the bytes of one direction.
  init(_ wire: [UInt8], isRequest: Bool) {
    var start = 0
    while start < wire.count, let end = Self.headEnd(in: wire, from: start, isRequest: isRequest) {
      let head = HeaderLines(Array(wire[start..<end]))
      parts.append(Part(bytes: Array(wire[start..<end]), start: start, head: head))
      start = end
      // An interim response has no content: the next head follows.
      if !head.isInterim { start = addContent(of: wire, from: start, head, isRequest: isRequest) }
    }
    add([start..<wire.count], of: wire, HeaderLines([]), isForm: isRequest)
  }

  /// Adds the content of a message.
  ///
  /// - Returns: The end of the content: the start of another message, or the end of the bytes.
  private mutating func addContent(of wire: [UInt8], from start: Int, _ head: HeaderLines, isRequest: Bool)
    -> Int
  {
    func startsMessage(_ offset: Int) -> Bool {
      offset < wire.count && Self.headEnd(in: wire, from: offset, isRequest: isRequest) != nil
    }
    // Such as the response to a CONNECT request.
    guard start < wire.count, !startsMessage(start) else { return start }
    var content = [start..<wire.count]
    var (end, next) = (wire.count, wire.count)
    var extensions: [Range<Int>] = []
    if head.isChunked {
      (content, end) = ChunkedContent.parts(of: wire, from: start)
      let lines = ChunkedContent.lines(between: content, from: start, to: end)
      extensions = lines.compactMap { line in
        wire[line].firstIndex(of: UInt8(ascii: ";")).map { ($0 + 1)..<line.upperBound }
      }
      unfinishedChunkSize = ChunkedContent.unfinishedChunkSize(before: content, from: start, in: wire)
      let trailerEnd = HeadLines.end(in: wire.span, from: end - 1)
      next = [end, trailerEnd ?? wire.count].first(where: startsMessage) ?? wire.count
    } else if let length = head.length, length < wire.count - start, startsMessage(start + length) {
      next = start + length
      (content, end) = ([start..<next], next)
    }
    parts[parts.count - 1].contentCount = next - start
    add(content, of: wire, head, isForm: isRequest)
    // The ends of their lines separate the extensions.
    addText(extensions, of: wire, label: nil, isForm: false)
    // What is behind the last chunk may be more of the content, or something else.
    var rest = HeaderLines([])
    rest.codings = head.codings
    add([end..<next], of: wire, rest, isForm: false)
    return next
  }

  /// Adds content: compressed data and the texts before, between and after them.
  private mutating func add(_ pieces: [Range<Int>], of wire: [UInt8], _ head: HeaderLines, isForm: Bool) {
    let bytes = pieces.flatMap { wire[$0] }
    var (rest, position) = (pieces[...], 0)
    /// The ranges on the wire of the bytes up to a position, which are removed from the rest.
    func take(upTo end: Int) -> [Range<Int>] {
      var taken: [Range<Int>] = []
      while position < end, let first = rest.first {
        let count = min(first.count, end - position)
        if count > 0 { taken.append(first.prefix(count)) }
        rest[rest.startIndex] = first.dropFirst(count)
        if rest[rest.startIndex].isEmpty { rest.removeFirst() }
        position += count
      }
      return taken
    }
    for var data in PackedData.find(in: bytes, codings: head.codings, budget: &budget) {
      // Its texts would have to be read in that charset.
      if head.wideCharset != nil { data.isSearched = false }
      addText(
        take(upTo: data.range.lowerBound), of: wire, label: head.wideCharset, isForm: isForm,
        isMedia: head.isMedia)
      packed.append((data, take(upTo: data.range.upperBound)))
    }
    addText(take(upTo: bytes.count), of: wire, label: head.wideCharset, isForm: isForm, isMedia: head.isMedia)
  }

  /// Adds a text that consists of one or several ranges of the wire.
  private mutating func addText(
    _ pieces: [Range<Int>], of wire: [UInt8], label: String?, isForm: Bool, isMedia: Bool = false
  ) {
    guard let first = pieces.first else { return }
    var part = Part(
      bytes: pieces.flatMap { wire[$0] }, start: first.lowerBound, isForm: isForm, isMedia: isMedia)
    if pieces.count > 1 { part.offsets = pieces.flatMap { Array($0) } }
    if let (size, isBig) = Self.units(of: part.bytes, label) {
      let offsets = part.offsets ?? Array(first)
      var (bytes, indices): ([UInt8], [Int]) = ([], [])
      for start in stride(from: 0, through: part.bytes.count - size, by: size) {
        let low = isBig ? start + size - 1 : start
        let isASCII = (start..<(start + size)).allSatisfy { part.bytes[$0] == 0 || $0 == low }
        bytes.append(isASCII && part.bytes[low] < 0x80 ? part.bytes[low] : Self.foreign)
        indices.append(offsets[low])
      }
      part.bytes = bytes
      part.offsets = indices
    }
    parts.append(part)
  }

  /// The size of the units of UTF-16 or UTF-32, and their byte order, by the byte order mark or the label.
  private static func units(of bytes: [UInt8], _ label: String?) -> (size: Int, isBig: Bool)? {
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (4, true) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (4, false) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (2, true) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (2, false) }
    // Without a mark, RFC 2781 §4.3 assumes big-endian, browsers use little-endian (Encoding Standard,
    // "utf-16").
    return label.map { ($0.hasPrefix("utf-32") ? 4 : 2, $0.hasSuffix("be")) }
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
      wire[part.offsets?[index] ?? (part.start + index)] = byte
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
    var (chunks, offset) = (ChunkDecoder(.lenient), start)
    do throws(HTTPMessageError) {
      while true {
        switch try chunks.next(wire.span, &offset) {
        case .content(let bytes): content.append(bytes)
        case .lastChunk, .end: return (content, offset)
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
  static func unfinishedChunkSize(
    before content: [Range<Int>], from start: Int, in wire: [UInt8]
  ) -> Range<Int>? {
    let content = content.filter { !$0.isEmpty }
    guard let last = content.last, last.upperBound == wire.count else { return nil }
    let line = (content.dropLast().last?.upperBound ?? start)..<last.lowerBound
    let digits = wire[line].drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
      .prefix { $0.hexDigitValue != nil }
    let size = digits.reduce(0) { min($0 << 4 | Int(widening: $1.hexDigitValue ?? 0), 1 << 48) }
    return size > last.count ? digits.startIndex..<digits.endIndex : nil
  }
}
