internal import ProbeBase

/// A complete HTTP/1 request.
package struct WireRequest: Hashable, Sendable {
  /// The bytes from the request line to the empty line, both included.
  package let head: [UInt8]
  /// The parsed head.
  package let parts: RequestParts
  /// The content, without the framing of chunks.
  package let body: [UInt8]
}

/// Splits the data from a client into requests, strictly and however the bytes are split on arrival.
///
/// It does no I/O: it receives bytes and returns events.
package struct RequestReader: Sendable {
  /// The contents of the bytes so far.
  package enum Event: Sendable {
    case request(WireRequest)
    /// A head whose client waits for `100 Continue` before it sends the content; returned once for each
    /// request.
    case expectsContinue
    /// No complete request yet.
    case needsMore
  }

  private enum Part: Sendable {
    case head
    case body(missing: Int)
    case chunks(ChunkDecoder)
  }

  /// The maximum length of a head in bytes; the response to a longer one is 431 (RFC 6585 §5).
  private let maximumHead: Int
  /// The maximum length of content in bytes; the response to more is 413 (RFC 9110 §15.5.14).
  private let maximumBody: Int
  private var part = Part.head
  private var head: (bytes: [UInt8], parts: RequestParts)?
  private var body: [UInt8] = []
  private var hasReportedExpectation = false

  /// Creates a reader for one connection.
  ///
  /// - Parameters:
  ///   - maximumHead: The maximum length of a head in bytes; the response to a longer one is 431 (RFC 6585
  ///     §5).
  ///   - maximumBody: The maximum length of content in bytes; the response to more is 413 (RFC 9110
  ///     §15.5.14).
  package init(maximumHead: Int, maximumBody: Int) {
    self.maximumHead = maximumHead
    self.maximumBody = maximumBody
  }

  /// The head of the request whose content is being received, without content, or nil.
  var unfinishedHead: WireRequest? {
    head.map { WireRequest(head: $0.bytes, parts: $0.parts, body: []) }
  }

  /// Parses the next event in the bytes.
  ///
  /// - Parameters:
  ///   - bytes: All bytes that were not consumed before.
  ///   - scanned: The number of these bytes that were already searched for the end of a head.
  ///   - taken: The number of bytes that are consumed, set even if this method throws.
  /// - Returns: The event.
  /// - Throws: ``HTTPMessageError``; any further data on the connection cannot be read.
  package mutating func next(
    _ bytes: Span<UInt8>, scanned: Int, taken: inout Int
  ) throws(HTTPMessageError) -> Event {
    taken = 0
    if head == nil {
      // Empty lines before a request are ignored (RFC 9112 §2.2).
      while taken < bytes.count, bytes[taken] == 0x0D || bytes[taken] == 0x0A { taken += 1 }
      // For example a TLS ClientHello; its client would wait for a response to a head that never ends.
      if taken < bytes.count, !bytes[taken].isTokenCharacter {
        throw HTTPMessageError("the request line does not start with a method")
      }
      guard let end = HeadLines.end(in: bytes, from: max(taken, scanned - 3)) else {
        guard bytes.count - taken <= maximumHead else { throw tooLong }
        return .needsMore
      }
      guard end - taken <= maximumHead else { throw tooLong }
      let lines = Array(bytes, taken..<end)
      let parts = try RequestParts(lines.span)
      taken = end
      switch parts.framing {
      case .none, .close, .length(0): return .request(WireRequest(head: lines, parts: parts, body: []))
      case .length(let length):
        guard length <= maximumBody else { throw tooLarge }
        part = .body(missing: length)
      case .chunked: part = .chunks(ChunkDecoder(.strict))
      }
      head = (lines, parts)
      hasReportedExpectation = !parts.expectsContinue
    }
    return try content(bytes, &taken)
  }

  private mutating func content(_ bytes: Span<UInt8>, _ taken: inout Int) throws(HTTPMessageError) -> Event {
    let first = taken
    switch part {
    case .head: return .needsMore
    case .body(let missing):
      let count = min(missing, bytes.count - taken)
      body.append(bytes, taken..<(taken + count))
      taken += count
      if count == missing { return finish() }
      part = .body(missing: missing - count)
    case .chunks(var chunks):
      reading: while true {
        switch try chunks.next(bytes, &taken) {
        case .content(let content):
          guard body.count + content.count <= maximumBody else { throw tooLarge }
          body.append(bytes, content)
        case .lastChunk: continue
        case .end: return finish()
        case .needsMore: break reading
        }
      }
      part = .chunks(chunks)
    }
    if !hasReportedExpectation, taken == first, body.isEmpty {
      hasReportedExpectation = true
      return .expectsContinue
    }
    return .needsMore
  }

  private mutating func finish() -> Event {
    defer { (part, head, body) = (.head, nil, []) }
    guard let head else { return .needsMore }
    return .request(WireRequest(head: head.bytes, parts: head.parts, body: body))
  }

  private var tooLong: HTTPMessageError {
    HTTPMessageError("the head has more than \(maximumHead) bytes", status: 431)
  }
  private var tooLarge: HTTPMessageError {
    HTTPMessageError("the content has more than \(maximumBody) bytes", status: 413)
  }
}

extension Array where Element == UInt8 {
  package init(_ span: Span<UInt8>, _ range: Range<Int>) {
    self = unsafe span.extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
  }

  package mutating func append(_ span: Span<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    unsafe span.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

/// Splits received bytes into requests, and keeps the bytes that belong to no request yet.
package struct BufferedRequestReader: Sendable {
  private var reader: RequestReader
  /// A slice, so that a request can be removed from its start without moving the rest.
  private var unread: ArraySlice<UInt8> = []
  /// The number of unread bytes that have been searched for the end of a head.
  private var scanned = 0

  /// Creates a reader for one connection, with the limits of ``RequestReader``.
  package init(maximumHead: Int, maximumBody: Int) {
    reader = RequestReader(maximumHead: maximumHead, maximumBody: maximumBody)
  }

  /// The number of received bytes that belong to no request yet.
  package var count: Int { unread.count }

  /// The head of the request whose content is being received, or nil.
  package var unfinishedHead: WireRequest? { reader.unfinishedHead }

  package mutating func receive(_ bytes: [UInt8]) {
    if unread.isEmpty { unread = bytes[...] } else { unread += bytes }
  }

  /// Reads the next event from the received bytes.
  ///
  /// - Throws: ``HTTPMessageError``; the rest of the connection cannot be read, and is dropped.
  package mutating func next() throws(HTTPMessageError) -> RequestReader.Event {
    guard !unread.isEmpty else { return .needsMore }
    do throws(HTTPMessageError) {
      let (bytes, searched) = (unread, scanned)
      var taken = 0
      let event = try reader.next(bytes.span, scanned: searched, taken: &taken)
      unread = taken == unread.count ? [] : unread.dropFirst(taken)
      scanned = 0
      if case .needsMore = event { scanned = unread.count }
      return event
    } catch {
      (unread, scanned) = ([], 0)
      throw error
    }
  }
}
