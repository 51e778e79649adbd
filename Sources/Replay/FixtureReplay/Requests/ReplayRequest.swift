internal import ProbeHTTPWire

/// A complete HTTP request.
public struct ReplayRequest: Hashable, Sendable {
  /// The head.
  public var head: RequestHead
  /// The content, with the chunked coding removed.
  public var body: [UInt8]
}

/// The reason why received bytes are not a valid request, and the status of the response.
public struct MalformedRequest: Error, Hashable, Sendable {
  /// The status of the response, such as 400.
  public var status: Int
  /// The reason, in words.
  public var reason: String

  package init(_ reason: String, status: Int = 400) {
    self.status = status
    self.reason = reason
  }
}

/// The limits on the size of a request.
package struct RequestLimits: Hashable, Sendable {
  /// The maximum size of a head in bytes; the status for a larger one is 431 (RFC 6585 §5).
  package var head = 64 * 1024
  /// The maximum size of content in bytes; the status for a larger one is 413 (RFC 9110 §15.5.14).
  package var body = 16 * 1024 * 1024

  package init() {}
}

/// Splits received bytes into requests within limits, regardless of their segmentation.
struct ReplayRequestReader {
  /// The result of reading.
  enum Event {
    case request(ReplayRequest)
    /// A head whose client waits for `100 Continue` before it sends the content; reported once per request.
    case expectsContinue
    /// No complete request yet.
    case needsMore
  }

  private var reader: BufferedRequestReader

  init(limits: RequestLimits) {
    reader = BufferedRequestReader(maximumHead: limits.head, maximumBody: limits.body)
  }

  /// The number of received bytes that belong to no request yet.
  var count: Int { reader.count }

  mutating func receive(_ bytes: [UInt8]) { reader.receive(bytes) }

  /// Reads the next request from the received bytes.
  ///
  /// - Throws: ``MalformedRequest``; the rest of the connection cannot be read, and is dropped.
  mutating func next() throws(MalformedRequest) -> Event {
    do throws(HTTPMessageError) {
      switch try reader.next() {
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
