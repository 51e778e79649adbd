internal import HTTPWire

/// Cuts what a client sends into requests, within limits.
struct ReplayRequestReader {
  /// What the bytes so far are.
  enum Event {
    /// A whole request.
    case request(ReplayRequest)
    /// A head whose client waits for `100 Continue` before it sends the content; asked once a request.
    case expectsContinue
    /// No whole request yet.
    case needsMore
  }

  private var reader: RequestReader

  init(limits: RequestLimits) {
    reader = RequestReader(longestHead: limits.head, largestBody: limits.body)
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
    do throws(WireFault) {
      switch try reader.next(bytes, scanned: scanned, taken: &taken) {
      case .request(let request):
        let head = RequestHead(bytes: request.head, parts: request.parts)
        return .request(ReplayRequest(head: head, body: request.body))
      case .expectsContinue: return .expectsContinue
      case .needsMore: return .needsMore
      }
    } catch {
      throw MalformedRequest(error.reason, status: error.status)
    }
  }
}
