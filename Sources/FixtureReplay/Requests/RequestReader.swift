internal import ProbeCore

/// Cuts what a client sends into requests, however the bytes are split on their way.
///
/// It does no I/O: it is given bytes and says what they are.
struct RequestReader {
  /// What the bytes so far are.
  enum Event {
    /// A whole request.
    case request(ReplayRequest)
    /// A head whose client waits for `100 Continue` before it sends the content; asked once a request.
    case expectsContinue
    /// No whole request yet.
    case needsMore
  }

  private enum Part {
    case head
    case body(RequestHead, missing: Int)
    case chunks(RequestHead, ChunkReader)
  }

  private let limits: RequestLimits
  private var part = Part.head
  private var body: [UInt8] = []
  private var hasAskedToContinue = false

  init(limits: RequestLimits) {
    self.limits = limits
  }

  /// What comes next in these bytes.
  ///
  /// - Parameters:
  ///   - bytes: Everything that was not taken before.
  ///   - scanned: How many of the bytes were here before and hold no end of a head.
  ///   - taken: How many of the bytes are done with, set also when it throws.
  /// - Returns: What they are.
  /// - Throws: ``MalformedRequest``; what follows on the connection cannot be read.
  mutating func next(
    _ bytes: Span<UInt8>, scanned: Int, taken: inout Int
  ) throws(MalformedRequest) -> Event {
    taken = 0
    if case .head = part {
      // Empty lines before a request are left out (RFC 9112 §2.2).
      while taken < bytes.count, bytes[taken] == 0x0D || bytes[taken] == 0x0A { taken += 1 }
      // Such as a ClientHello, whose client would wait for an answer to a head that never ends.
      if taken < bytes.count, !bytes[taken].isTokenCharacter {
        throw MalformedRequest("the request line does not start with a method")
      }
      guard let end = HeadEnd.find(in: bytes, from: max(taken, scanned - 3)) else {
        guard bytes.count - taken <= limits.head else { throw tooLong }
        return .needsMore
      }
      guard end - taken <= limits.head else { throw tooLong }
      let head = try RequestHeadReader.read(Array(bytes, taken..<end))
      taken = end
      guard head.isChunked || head.contentLength ?? 0 > 0 else {
        return .request(ReplayRequest(head: head, body: []))
      }
      guard head.contentLength ?? 0 <= limits.body else { throw tooLarge }
      hasAskedToContinue = !head.expectsContinue
      part = head.isChunked ? .chunks(head, ChunkReader()) : .body(head, missing: head.contentLength ?? 0)
    }
    return try content(bytes, &taken)
  }

  private mutating func content(_ bytes: Span<UInt8>, _ taken: inout Int) throws(MalformedRequest) -> Event {
    let first = taken
    switch part {
    case .head: return .needsMore
    case .body(let head, let missing):
      let count = min(missing, bytes.count - taken)
      body.append(bytes, taken..<(taken + count))
      taken += count
      if count == missing { return finish(head) }
      part = .body(head, missing: missing - count)
    case .chunks(let head, var chunks):
      while taken < bytes.count {
        let isDone = try chunks.take(bytes[taken], into: &body)
        taken += 1
        guard body.count <= limits.body else { throw tooLarge }
        if isDone { return finish(head) }
      }
      part = .chunks(head, chunks)
    }
    if !hasAskedToContinue, taken == first, body.isEmpty {
      hasAskedToContinue = true
      return .expectsContinue
    }
    return .needsMore
  }

  private mutating func finish(_ head: RequestHead) -> Event {
    defer { (part, body) = (.head, []) }
    return .request(ReplayRequest(head: head, body: body))
  }

  private var tooLong: MalformedRequest {
    MalformedRequest("the head has more than \(limits.head) bytes", status: 431)
  }

  private var tooLarge: MalformedRequest {
    MalformedRequest("the content has more than \(limits.body) bytes", status: 413)
  }
}

/// Finds the empty line that ends a head.
enum HeadEnd {
  /// The place behind the empty line, or nil when it is not there.
  static func find(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var place = max(0, start)
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\n") {
        var next = place + 1
        if next < bytes.count, bytes[next] == UInt8(ascii: "\r") { next += 1 }
        if next < bytes.count, bytes[next] == UInt8(ascii: "\n") { return next + 1 }
      }
      place += 1
    }
    return nil
  }
}

extension Array where Element == UInt8 {
  /// A copy of some of the bytes of a span.
  init(_ span: Span<UInt8>, _ range: Range<Int>) {
    self = unsafe span.extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Appends some of the bytes of a span.
  mutating func append(_ span: Span<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    unsafe span.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
