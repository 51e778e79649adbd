internal import Curl
internal import Locking
import ProbeCore

extension CurlTransport {
  /// The answer as it is on the wire, where libcurl refuses it although browsers show it: for a header line without a
  /// colon, or a body that is not coded as it is labelled.
  ///
  /// Only a recorded exchange shows the bytes, so the request is sent once more, in HTTP/1.0, which has no chunks. A request
  /// that changes something or goes through a proxy is not sent twice, and of thousands of such answers at a time only
  /// some are looked at again: each takes a thread.
  ///
  /// - Returns: nil for other answers, and where the second one tells no more.
  func secondLook(at result: TransferResult, to request: ProbeRequest) async -> ProbeResponse? {
    guard result.code == .weirdReply || result.code == .badEncoding, request.url.scheme == .http,
      request.proxy == nil, request.http.method == "GET", request.http.body == nil
    else { return nil }
    var again = request
    again.http.version = .v1_0
    again.timeout -= .microseconds(result.moments.finished) + Self.lingering
    guard again.timeout > .zero, secondLooks.begin() else { return nil }
    defer { secondLooks.end() }
    guard let (second, wire) = try? await recorded(again), let bytes = wire?.received,
      let head = HTTPResponseHead(wireBytes: bytes),
      !(100..<200).contains(head.status)
    else { return nil }
    var response = ProbeResponse(second, for: request)
    response.head = head
    let body = bytes[Self.endOfHead(in: bytes)...]
    response.body = Array(body.prefix(request.maxBody))
    response.bodyIsCut = body.count > request.maxBody
    return response
  }

  /// How long a recording goes on at most behind the end of its exchange.
  private static var lingering: Duration { .seconds(1) }

  /// Where the first empty line ends; behind the last byte where there is none.
  private static func endOfHead(in bytes: [UInt8]) -> Int {
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = bytes[start..<end]
      if line.isEmpty || line.elementsEqual(CollectionOfOne(UInt8(ascii: "\r"))) { return end + 1 }
      start = end + 1
    }
    return bytes.count
  }
}

/// How many answers are looked at again at a time.
final class SecondLooks: Sendable {
  private static let limit = 8

  private let running = Guarded(0)

  /// Notes that one begins; false when there are too many.
  func begin() -> Bool {
    running.withLock { count in
      guard count < Self.limit else { return false }
      count += 1
      return true
    }
  }

  /// Notes that one has ended.
  func end() {
    running.withLock { $0 -= 1 }
  }
}
