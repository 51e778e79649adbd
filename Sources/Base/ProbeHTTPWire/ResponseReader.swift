internal import ProbeBase

/// The head of a response, parsed as leniently as browsers do.
package struct WireResponseHead: Hashable, Sendable {
  package let status: StatusLine
  /// The ranges of the fields, in order.
  package let fields: [FieldPosition]
  /// The way in which the end of the content is determined (RFC 9112 §6.3).
  package let framing: Framing
  /// The violations of the standard in the head.
  package internal(set) var leniencies: Leniencies

  /// Parses a head.
  ///
  /// - Parameters:
  ///   - bytes: The head from its status line; for a truncated head, its existing lines are parsed.
  ///   - isHEADRequest: Whether the request was HEAD, whose response has no content.
  /// - Throws: ``HTTPMessageError`` if browsers do not accept it as a response.
  package init(_ bytes: Span<UInt8>, isHEADRequest: Bool) throws(HTTPMessageError) {
    let lines = HeadLines(bytes)
    guard let status = StatusLine(lines.startLine, of: bytes) else {
      throw HTTPMessageError("an invalid status line")
    }
    for index in bytes.indices where bytes[index] == 0 {
      throw HTTPMessageError("a NUL at byte \(index) of the head")
    }
    var leniencies = status.leniencies
    if bytes.endsInBareLineFeed(lines.startLine) || bytes.endsInBareLineFeed(lines.emptyLine) {
      leniencies.insert(.bareLineFeed)
    }
    var (fields, framing): ([FieldPosition], FramingFields) = ([], FramingFields())
    fields.reserveCapacity(lines.fields.count)
    for line in lines.fields {
      if bytes.endsInBareLineFeed(line) { leniencies.insert(.bareLineFeed) }
      guard let field = FieldPosition(line, of: bytes) else {
        leniencies.insert(.noField)
        continue
      }
      leniencies.formUnion(field.leniencies(of: bytes))
      fields.append(field)
      framing.note(field, of: bytes)
    }
    self.status = status
    self.fields = fields
    self.framing = try Self.framing(framing, of: bytes, status.status, isHEADRequest: isHEADRequest)
    leniencies.formUnion(framing.leniencies(of: bytes))
    if self.framing == .chunked, bytes.isWord(status.version, "1.0") {
      leniencies.insert(.chunksBeforeHTTP11)
    }
    self.leniencies = leniencies
  }

  private static func framing(
    _ fields: FramingFields, of bytes: Span<UInt8>, _ status: Int, isHEADRequest: Bool
  ) throws(HTTPMessageError) -> Framing {
    // 205 has no content either (RFC 9110 §15.3.6), and browsers read none.
    if isHEADRequest || (100..<200).contains(status) || [204, 205, 304].contains(status) { return .none }
    if fields.hasChunks(in: bytes) { return .chunked }
    // Ignore values that are not a length; of two different ones, one may be smuggled.
    return try fields.length(in: bytes, .lenient).map(Framing.length) ?? .close
  }
}

/// Parses one response as leniently as browsers do, however its bytes are split on arrival.
///
/// It does no I/O and stores no bytes: it receives bytes and returns events. The response is the last one of
/// its connection, so data after it is ignored.
package struct ResponseReader: Sendable {
  /// The contents of the bytes so far.
  package enum Event: Hashable, Sendable {
    /// The head of an interim response (RFC 9110 §15.2); another head follows.
    case interim(WireResponseHead, Range<Int>)
    /// The head of the response, at this range; the ranges in its parts are relative to it.
    case head(WireResponseHead, Range<Int>)
    case content(Range<Int>)
    case end
    case needsMore
  }

  private enum Part: Sendable {
    case head
    case length(missing: Int)
    case chunks(ChunkDecoder)
    case rest
    case done
  }

  /// The maximum number of bytes before a status line that browsers ignore.
  private static let maximumJunk = 4

  private let isHEADRequest: Bool
  private var part = Part.head

  /// Creates a reader for the response to one request.
  ///
  /// - Parameter isHEADRequest: Whether the request was HEAD, whose response has no content.
  package init(isHEADRequest: Bool = false) {
    self.isHEADRequest = isHEADRequest
  }

  /// A description of the missing part if the connection ends here; nil if the
  /// response is complete.
  package var missing: String? {
    switch part {
    case .head: "no end of its head"
    case .length(let missing):
      missing == 1 ? "1 byte less than announced" : "\(missing) bytes less than announced"
    case .chunks(let chunks): chunks.missing
    case .rest, .done: nil
    }
  }

  /// Parses the next event in the bytes.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of the connection, from the first one that was not consumed.
  ///   - scanned: The number of these bytes that were already searched for the end of a head.
  ///   - position: The first byte that was not consumed; advanced past those that are.
  ///   - isEnded: Whether the connection has ended; a truncated head is then accepted, as browsers do.
  /// - Returns: The event.
  /// - Throws: ``HTTPMessageError`` if browsers do not accept the data as a response.
  package mutating func next(
    _ bytes: Span<UInt8>, scanned: Int = 0, _ position: inout Int, isEnded: Bool = false
  ) throws(HTTPMessageError) -> Event {
    switch part {
    case .head: return try head(bytes, scanned, &position, isEnded)
    case .length(0), .done:
      part = .done
      return .end
    case .length(let missing):
      let content = position..<(position + min(missing, bytes.count - position))
      part = .length(missing: missing - content.count)
      return take(content, &position)
    case .rest:
      if position == bytes.count, isEnded { part = .done }
      return isEnded && position == bytes.count ? .end : take(position..<bytes.count, &position)
    case .chunks(var chunks):
      defer { if case .chunks = part { part = .chunks(chunks) } }
      while true {
        switch try chunks.next(bytes, &position) {
        case .content(let content): return .content(content)
        case .lastChunk: continue
        case .needsMore: return .needsMore
        case .end:
          part = .done
          return .end
        }
      }
    }
  }

  private func take(_ content: Range<Int>, _ position: inout Int) -> Event {
    position = content.upperBound
    return content.isEmpty ? .needsMore : .content(content)
  }

  private mutating func head(
    _ bytes: Span<UInt8>, _ scanned: Int, _ position: inout Int, _ isEnded: Bool
  ) throws(HTTPMessageError) -> Event {
    guard let start = try start(bytes, position, isEnded) else { return .needsMore }
    let end = HeadLines.end(in: bytes, from: max(start, scanned - 3)) ?? (isEnded ? bytes.count : nil)
    guard let end else { return .needsMore }
    var parts = try WireResponseHead(bytes.extracting(start..<end), isHEADRequest: isHEADRequest)
    if start > position { parts.leniencies.insert(.bytesBeforeStatusLine) }
    position = end
    if parts.status.isInterim { return .interim(parts, start..<end) }
    switch parts.framing {
    case .none: part = .done
    case .length(let length): part = .length(missing: length)
    case .chunked: part = .chunks(ChunkDecoder(.lenient))
    case .close: part = .rest
    }
    return .head(parts, start..<end)
  }

  /// The start of the status line, after no more bytes than browsers ignore; nil if more bytes are needed.
  private func start(_ bytes: Span<UInt8>, _ first: Int, _ isEnded: Bool) throws(HTTPMessageError) -> Int? {
    let name: StaticString = "http/"
    for start in first...(first + Self.maximumJunk) {
      let length = min(5, max(0, bytes.count - start))
      if length == 5 {
        if bytes.isWord(start..<(start + 5), name) { return start }
      } else if !isEnded {
        return nil
      }
    }
    throw HTTPMessageError.noStatusLine
  }
}

/// The first line of a response (RFC 9112 §4).
package struct StatusLine: Hashable, Sendable {
  /// The range of the version: the `1.1` of `HTTP/1.1`.
  package let version: Range<Int>
  package let status: Int
  /// The range of the reason phrase; empty if there is none.
  package let reason: Range<Int>
  /// The violations of the standard in the line.
  package let leniencies: Leniencies

  /// Whether another head follows; 101 is the last response of its connection (RFC 9110 §15.2).
  package var isInterim: Bool { (100..<200).contains(status) && status != 101 }

  /// Parses a status line as leniently as browsers do.
  ///
  /// `HTTP` may be in any case, more than one space may precede the status, and the status may have fewer
  /// than three digits. The reason phrase may be missing. A missing status counts as 200.
  ///
  /// - Returns: nil if the line is not a status line.
  package init?(_ line: Range<Int>, of bytes: Span<UInt8>) {
    let line = bytes.content(ofLine: line)
    let start = line.lowerBound + 5
    guard start < line.upperBound, bytes.isWord(line.lowerBound..<start, "http/"), bytes[start].isASCIIDigit
    else { return nil }
    var gap = start
    while gap < line.upperBound, bytes[gap] != UInt8(ascii: " ") { gap += 1 }
    version = start..<gap
    while gap < line.upperBound, bytes[gap] == UInt8(ascii: " ") { gap += 1 }
    var leniencies: Leniencies = gap - version.upperBound > 1 ? .spacesBeforeStatus : []
    var (end, status) = (gap, 0)
    while end < line.upperBound, bytes[end].isASCIIDigit, end - gap < 4 {
      status = status * 10 + Int(widening: bytes[end] - UInt8(ascii: "0"))
      end += 1
    }
    guard end - gap < 4, end == line.upperBound || (end > gap && bytes[end] == UInt8(ascii: " ")) else {
      return nil
    }
    self.status = end == gap ? 200 : status
    let isUsual =
      version.count == 3 && bytes[start + 1] == UInt8(ascii: ".") && bytes[start + 2].isASCIIDigit
    if !isUsual { leniencies.insert(.oddVersion) }
    if end == gap { leniencies.insert(.noStatus) } else if end - gap < 3 { leniencies.insert(.shortStatus) }
    self.leniencies = leniencies
    reason = min(end + 1, line.upperBound)..<line.upperBound
  }

  /// Whether bytes may be the beginning of a status line of which the rest is missing.
  package static func mayBegin(with bytes: Span<UInt8>) -> Bool {
    let name: [UInt8] = Array("http/".utf8)
    guard bytes.count <= name.count else { return false }
    return bytes.indices.allSatisfy { bytes[$0] | 0x20 == name[$0] | 0x20 }
  }

  /// Whether a response starts at a position: with `HTTP/` and a digit.
  package static func starts(in bytes: Span<UInt8>, at start: Int) -> Bool {
    bytes.hasText("HTTP/", at: start) && start + 5 < bytes.count && bytes[start + 5].isASCIIDigit
  }
}

/// A text instead of a response: it has no status line, as in HTTP/0.9.
extension Span<UInt8> {
  /// Whether a text in UTF-16 begins here, with its byte order mark (RFC 2781 §3.2).
  package var hasUTF16Mark: Bool {
    count >= 2 && (self[0] == 0xFE && self[1] == 0xFF || self[0] == 0xFF && self[1] == 0xFE)
  }

  /// Whether a byte occurs that no text has; NUL is a half of each ASCII character in UTF-16.
  package var hasBinaryData: Bool {
    for index in indices where self[index].isBinaryData && self[index] != 0 { return true }
    return false
  }
}
