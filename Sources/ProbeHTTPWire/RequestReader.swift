internal import ProbeASCII

/// A whole HTTP/1 request.
package struct WireRequest: Hashable, Sendable {
  /// From the request line to the empty line, both included.
  package let head: [UInt8]
  /// What the head says.
  package let parts: RequestParts
  /// The content, the framing of chunks removed.
  package let body: [UInt8]
}

/// Cuts what a client sends into requests, strictly and however the bytes are split on their way.
///
/// It does no I/O: it is given bytes and says what they are.
package struct RequestReader: Sendable {
  /// What the bytes so far are.
  package enum Event: Sendable {
    /// A whole request.
    case request(WireRequest)
    /// A head whose client waits for `100 Continue` before it sends the content; asked once a request.
    case expectsContinue
    /// No whole request yet.
    case needsMore
  }

  private enum Part: Sendable {
    case head
    case body(missing: Int)
    case chunks(ChunkDecoder)
  }

  /// The longest head in bytes; a longer one is answered 431 (RFC 6585 §5).
  private let longestHead: Int
  /// The largest content in bytes; a larger one is answered 413 (RFC 9110 §15.5.14).
  private let largestBody: Int
  private var part = Part.head
  private var head: (bytes: [UInt8], parts: RequestParts)?
  private var body: [UInt8] = []
  private var hasAskedToContinue = false

  /// A reader of one connection.
  ///
  /// - Parameters:
  ///   - longestHead: The longest head in bytes; a longer one is answered 431 (RFC 6585 §5).
  ///   - largestBody: The largest content in bytes; a larger one is answered 413 (RFC 9110 §15.5.14).
  package init(longestHead: Int, largestBody: Int) {
    self.longestHead = longestHead
    self.largestBody = largestBody
  }

  /// What comes next in these bytes.
  ///
  /// - Parameters:
  ///   - bytes: Everything that was not taken before.
  ///   - scanned: How many of the bytes were here before and hold no end of a head.
  ///   - taken: How many of the bytes are done with, set also when it throws.
  /// - Returns: What they are.
  /// - Throws: ``WireFault``; what follows on the connection cannot be read.
  package mutating func next(
    _ bytes: Span<UInt8>, scanned: Int, taken: inout Int
  ) throws(WireFault) -> Event {
    taken = 0
    if head == nil {
      // Empty lines before a request are left out (RFC 9112 §2.2).
      while taken < bytes.count, bytes[taken] == 0x0D || bytes[taken] == 0x0A { taken += 1 }
      // Such as a ClientHello, whose client would wait for an answer to a head that never ends.
      if taken < bytes.count, !bytes[taken].isTokenCharacter {
        throw WireFault("the request line does not start with a method")
      }
      guard let end = HeadLines.end(in: bytes, from: max(taken, scanned - 3)) else {
        guard bytes.count - taken <= longestHead else { throw tooLong }
        return .needsMore
      }
      guard end - taken <= longestHead else { throw tooLong }
      let lines = Array(bytes, taken..<end)
      let parts = try RequestParts(lines.span)
      taken = end
      switch parts.framing {
      case .none, .close, .length(0): return .request(WireRequest(head: lines, parts: parts, body: []))
      case .length(let length):
        guard length <= largestBody else { throw tooLarge }
        part = .body(missing: length)
      case .chunked: part = .chunks(ChunkDecoder(.strict))
      }
      head = (lines, parts)
      hasAskedToContinue = !parts.expectsContinue
    }
    return try content(bytes, &taken)
  }

  private mutating func content(_ bytes: Span<UInt8>, _ taken: inout Int) throws(WireFault) -> Event {
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
          guard body.count + content.count <= largestBody else { throw tooLarge }
          body.append(bytes, content)
        case .lastChunk: continue
        case .end: return finish()
        case .needsMore: break reading
        }
      }
      part = .chunks(chunks)
    }
    if !hasAskedToContinue, taken == first, body.isEmpty {
      hasAskedToContinue = true
      return .expectsContinue
    }
    return .needsMore
  }

  private mutating func finish() -> Event {
    defer { (part, head, body) = (.head, nil, []) }
    guard let head else { return .needsMore }
    return .request(WireRequest(head: head.bytes, parts: head.parts, body: body))
  }

  private var tooLong: WireFault { WireFault("the head has more than \(longestHead) bytes", status: 431) }
  private var tooLarge: WireFault { WireFault("the content has more than \(largestBody) bytes", status: 413) }
}

extension Array where Element == UInt8 {
  /// A copy of some of the bytes of a span.
  package init(_ span: Span<UInt8>, _ range: Range<Int>) {
    self = unsafe span.extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Appends some of the bytes of a span.
  package mutating func append(_ span: Span<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    unsafe span.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
