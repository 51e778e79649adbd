@testable import FixtureReplay
import Testing

/// Requests are read identically however their bytes are split, and malformed ones are rejected.
@Suite struct ReplayRequestReaderTests {
  /// The result of reading bytes in pieces of a size: the requests, and why the reader stopped.
  private static func read(
    _ text: String, part: Int, limits: RequestLimits = RequestLimits()
  ) -> (requests: [ReplayRequest], refusal: MalformedRequest?, expectations: Int) {
    var reader = ReplayRequestReader(limits: limits)
    var (requests, expectations): ([ReplayRequest], Int) = ([], 0)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: part) {
      reader.receive(Array(bytes[start..<min(start + part, bytes.count)]))
      var isWaiting = false
      while !isWaiting {
        do throws(MalformedRequest) {
          switch try reader.next() {
          case .request(let request): requests.append(request)
          case .expectsContinue: expectations += 1
          case .needsMore: isWaiting = true
          }
        } catch {
          return (requests, error, expectations)
        }
      }
    }
    return (requests, nil, expectations)
  }

  private static let three =
    "\r\nGET /a?b=c HTTP/1.1\r\nHost: one.example:8080\r\nX: y\r\n\r\n"
    + "POST /login HTTP/1.1\nhost: two.example\ncontent-length: 5\nExpect: 100-Continue\n\nhello"
    + "POST http://three.example/x HTTP/1.0\r\nHost: other\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n"
    + "PUT / HTTP/1.1\r\nHost: [2001:db8::1]:81\r\nTransfer-Encoding: CHUNKED\r\n\r\n"
    + "5;ext=1\r\nhello\r\n1\r\n!\r\n0\r\nTrailer: t\r\n\r\n"
    + "HEAD * HTTP/1.1\r\nHost:\r\nConnection: x, close\r\n\r\n"

  @Test(arguments: Array(1...80) + [1000])
  func splittingChangesNothing(part: Int) throws {
    let (requests, refusal, expectations) = Self.read(Self.three, part: part)
    #expect(refusal == nil)
    #expect(requests.map(\.head.method) == ["GET", "POST", "POST", "PUT", "HEAD"])
    #expect(requests.map { String(decoding: $0.body, as: UTF8.self) } == ["", "hello", "", "hello!", ""])
    #expect(requests.map(\.head.host) == ["one.example", "two.example", "three.example", "2001:db8::1", nil])
    #expect(requests.map(\.head.port) == [8080, nil, nil, 81, nil])
    #expect(requests.map(\.head.endsConnection) == [false, false, false, false, true])
    #expect(
      requests.map { String(decoding: $0.head.path, as: UTF8.self) } == ["/a", "/login", "/x", "/", "*"])
    #expect(try #require(requests.first).head.values(of: "x") == ["y"])
    // Whether `100 Continue` is needed depends on whether the content is available; at most once.
    #expect(expectations <= 1)
  }

  @Test func aWaitingClientReceivesOneContinue() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
    #expect(Self.read(head, part: 1000).expectations == 1)
    #expect(Self.read(head + "abc", part: head.utf8.count).expectations == 1)
    #expect(Self.read(head + "abc", part: 1000).expectations == 0)
  }

  @Test(arguments: [
    (
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\n", 400,
      "Content-Length fields"
    ),
    ("GET / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "both"),
    ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 501, "coding"),
    ("GET / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501, "coding"),
    ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "HTTP/1.0"),
    ("GET / HTTP/1.1\r\nContent-Length: +3\r\n\r\n", 400, "no length"),
    ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400, "no length"),
    ("GET / HTTP/1.1\r\nContent-Length: 3, 3\r\n\r\n", 400, "no length"),
    ("GET / HTTP/1.1\r\nContent-Length:\r\n\r\n", 400, "no length"),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 16777217\r\n\r\n", 413, "content"),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "two Host"),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400, "colon"),
    ("GET / HTTP/1.1\r\n\r\n", 400, "no Host"),
    ("GET http://a/ HTTP/1.1\r\n\r\n", 400, "no Host"),
    ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "names no host"),
    ("GET / HTTP/1.1\r\nHost: a\u{E9}\r\n\r\n", 400, "names no host"),
    ("GET / HTTP/1.1\r\nTransfer-Encoding:\r\n\r\n", 501, "coding"),
    ("GET / HTTP/1.1\r\nX: a\r\n b\r\n\r\n", 400, "folded"),
    ("GET / HTTP/1.1\r\nX: a\u{0}b\r\n\r\n", 400, "control byte 0"),
    ("GET / HTTP/1.1\r\nX: a\rb\r\n\r\n", 400, "carriage return"),
    ("GET /\u{0} HTTP/1.1\r\n\r\n", 400, "control byte 0"),
    ("GET  / HTTP/1.1\r\n\r\n", 400, "target"),
    ("GET / HTTP/1.1 \r\n\r\n", 400, "version"),
    ("GET /\r\n\r\n", 400, "version"),
    ("GET / HTTP/2.0\r\n\r\n", 505, "HTTP/2.0"),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "HTTP/2.0"),
    ("G{T / HTTP/1.1\r\n\r\n", 400, "method"),
    (" / HTTP/1.1\r\n\r\n", 400, "method"),
    ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400, "colon"),
    ("GET / HTTP/1.1\r\n: empty\r\n\r\n", 400, "colon"),
    ("GET / HTTP/1.1\r\nExpect: tea\r\n\r\n", 417, "expectation"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "chunk"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd", 400, "not as long"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffff\r\n", 400, "too large"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400, "without a size"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 1\r\nx", 400, "hexadecimal"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\r\n", 400, "carriage return"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n: b\r\n\r\n", 400, "trailer line"),
  ])
  func refused(text: String, status: Int, reason: String) {
    for part in [1, 7, 10_000] {
      let refusal = Self.read(text, part: part).refusal
      #expect(refusal?.status == status, "\(refusal?.reason ?? "nothing wrong") in parts of \(part)")
      #expect(refusal?.reason.contains(reason) == true, "\(refusal?.reason ?? "nothing wrong")")
    }
  }

  @Test func aTooLongHeadIsRefusedBeforeItsEnd() {
    var limits = RequestLimits()
    limits.head = 100
    let endless = "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 200)
    #expect(Self.read(endless, part: 10, limits: limits).refusal?.status == 431)
    #expect(Self.read(endless + "\r\n\r\n", part: 10_000, limits: limits).refusal?.status == 431)
  }

  @Test(arguments: [1, 10, 10_000])
  func leadingEmptyLinesDoNotCountTowardsTheHead(part: Int) {
    var limits = RequestLimits()
    limits.head = 100
    // Without its end it fits; with it, it would not.
    let start = "GET / HTTP/1.1\r\nHost: a\r\nX: "
    let maximumHead = start + String(repeating: "x", count: 100 - start.utf8.count)
    #expect(Self.read("\r\n\n" + maximumHead, part: part, limits: limits).refusal == nil)
    #expect(Self.read("\r\n\n" + maximumHead + "x", part: part, limits: limits).refusal?.status == 431)
  }

  @Test func chunkedContentIsLimitedToo() {
    var limits = RequestLimits()
    limits.body = 10
    let chunks = String(repeating: "4\r\nabcd\r\n", count: 5)
    let text = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
    #expect(Self.read(text, part: 3, limits: limits).refusal?.status == 413)
  }
}
