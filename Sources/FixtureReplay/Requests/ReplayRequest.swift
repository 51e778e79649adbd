internal import ProbeHTTPWire

/// A whole HTTP request.
public struct ReplayRequest: Hashable, Sendable {
  /// Its head.
  public var head: RequestHead
  /// Its content, the framing of chunks removed.
  public var body: [UInt8]
}

/// Why bytes of a client are no request that can be answered, and with which status it is told so.
public struct MalformedRequest: Error, Hashable, Sendable {
  /// The status of the answer, such as 400.
  public var status: Int
  /// What is wrong, in words.
  public var reason: String

  /// A request that cannot be answered.
  public init(_ reason: String, status: Int = 400) {
    self.status = status
    self.reason = reason
  }
}

/// How much of a request is read.
public struct RequestLimits: Hashable, Sendable {
  /// The longest head in bytes; a longer one is answered 431 (RFC 6585 §5).
  public var head = 64 * 1024
  /// The largest content in bytes; a larger one is answered 413 (RFC 9110 §15.5.14).
  public var body = 16 * 1024 * 1024

  /// The default limits.
  public init() {}
}

/// Cuts what a client sends into requests, within limits and however the bytes are split.
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
  /// A slice, from whose start a request is taken without moving what follows.
  private var unread: ArraySlice<UInt8> = []
  /// How many of the unread bytes were searched for the end of a head.
  private var scanned = 0

  init(limits: RequestLimits) {
    reader = RequestReader(longestHead: limits.head, largestBody: limits.body)
  }

  /// How many bytes have come that no request has taken.
  var count: Int { unread.count }

  /// Takes what the client sent.
  mutating func receive(_ bytes: [UInt8]) {
    if unread.isEmpty { unread = bytes[...] } else { unread += bytes }
  }

  /// What comes next, taken from what is here.
  ///
  /// - Throws: ``MalformedRequest``; what follows on the connection cannot be read, and is dropped.
  mutating func next() throws(MalformedRequest) -> Event {
    guard !unread.isEmpty else { return .needsMore }
    do throws(WireFault) {
      let (bytes, searched) = (unread, scanned)
      var taken = 0
      let event = try reader.next(bytes.span, scanned: searched, taken: &taken)
      unread = taken == unread.count ? [] : unread.dropFirst(taken)
      scanned = 0
      switch event {
      case .request(let request):
        let head = RequestHead(bytes: request.head, parts: request.parts)
        return .request(ReplayRequest(head: head, body: request.body))
      case .expectsContinue: return .expectsContinue
      case .needsMore:
        scanned = unread.count
        return .needsMore
      }
    } catch {
      (unread, scanned) = ([], 0)
      throw MalformedRequest(error.reason, status: error.status)
    }
  }
}
