import Glibc
import LoopbackServer
import TestSupport
import Testing

/// Time on the wire: no data from a server or a proxy delays its own probe, or any other.
@Suite struct WireTimeAttackTests {
  private static let head = "HTTP/1.1 407 No\r\nContent-Length: 9000000000000\r\n\r\n"
  private static let headWithoutEnd = "HTTP/1.1 200 Yes\r\n"

  @Test(arguments: ["own", "curl"], [(head, "proxy.refused"), (headWithoutEnd, "proxy.failed")])
  func endlessCONNECTResponsesFail(
    _ client: String, _ response: (head: String, reason: String)
  ) async throws {
    let piece = [UInt8]("X: \(String(repeating: "y", count: 1019))\r\n".utf8)
    let junk = Array(repeatElement(piece, count: 1024).joined())
    let proxy = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send(response.head)
      while true { try connection.send(junk) }
    }
    let process = try Spawned(
      """
      exec "$0" check --timeout 1h --client \(client) --proxy http://127.0.0.1:\(proxy.port) --format=json \
        https://a.invalid/ https://b.invalid/
      """)
    let end = try await process.end()
    #expect(end.signal == nil)
    #expect(end.output.contains("\"\(response.reason)\""), "\(end.output)\(end.errors)")
    #expect(!end.output.contains("\"timeout"), "\(end.output)")
    #expect(end.processorTime < .seconds(10))
  }

  struct Flood: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var frames: [HostileFrame]
    var last: HostileFrame
  }

  static let floods: [Flood] = [
    Flood(testDescription: "empty data", frames: [.head], last: .emptyData),
    Flood(testDescription: "window updates", frames: [], last: .windowUpdate),
    Flood(testDescription: "priorities", frames: [.head], last: .priority),
    Flood(testDescription: "unknown frames", frames: [], last: .unknown),
  ]

  /// Floods end at their timeout; concurrent requests receive immediate responses.
  @Test(arguments: floods) func endlessFramesDelayNoOtherRequests(_ flood: Flood) async throws {
    let hostile = try HostileHTTP2(flood.frames, thenForEver: flood.last)
    let honest = try LoopbackServer.http { _ in .response(body: "fine") }
    func accepted(_ end: Spawned.End) -> Int { end.output.matches(of: /"outcome":"accepted"/).count }
    // If the floods delayed the others, it would be as long as they last.
    let end = try await withGrowingLimit(from: .seconds(2), while: { accepted($0) != 40 }) { limit in
      let pipeline = try TemporaryFile(
        """
        version: 1
        name: attacked
        request: { timeout: \(limit.components.seconds)s, client: curl }
        policy: { https: optional }
        run: { perHost: 64 }
        sets:
          - name: hostile
            urls: [\((0..<4).map { hostile.url("/\($0)") }.joined(separator: ", "))]
          - name: honest
            urls: [\((0..<40).map { honest.url("/\($0)") }.joined(separator: ", "))]
        """)
      let process = try Spawned(
        """
        exec "$0" run --all --cacert '\(hostile.authority.path)' --connect-to localhost::127.0.0.1: \
          --format=ndjson '\(pipeline.path)'
        """)
      return try await process.end()
    }
    #expect(end.signal == nil)
    #expect(end.output.matches(of: /"timeout\.[a-z]+"/).count == 4, "\(end.output)\(end.errors)")
    #expect(accepted(end) == 40, "\(end.output)\(end.errors)")
  }

  @Test func aSignalEndsAFlood() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let flood = Array(repeatElement(HostileFrame.unknown.bytes, count: 8000).joined())
    let hostile = try HostileHTTP2 { connection in
      try connection.send(HostileFrame.settings.bytes)
      begin.yield()
      while true { try connection.send(flood) }
    }
    let process = try Spawned(
      """
      exec "$0" check --cacert '\(hostile.authority.path)' --connect-to localhost::127.0.0.1: \
        --client curl --timeout 600s \(hostile.url())
      """)
    for await _ in begun { break }
    process.send(SIGINT)
    let end = try await process.end()
    #expect(end.signal == SIGINT)
  }

  @Test func aRefusedStreamIsRequestedOnce() async throws {
    let hostile = try HostileHTTP2 { connection in
      try connection.send([HostileFrame.settings, .refusal].flatMap(\.bytes))
      connection.hold()
    }
    let process = try Spawned(
      """
      exec "$0" check --cacert '\(hostile.authority.path)' --connect-to localhost::127.0.0.1: \
        --client curl --timeout 60s --format=json \(hostile.url())
      """)
    let end = try await process.end()
    #expect(hostile.server.connectionCount == 1)
    #expect(end.output.contains("\"http.noResponse\""), "\(end.output)\(end.errors)")
  }

  /// A capture of a request that the server never reads ends at its time limit, not after five seconds for
  /// each piece.
  @Test func aCaptureOfAnUnreadRequestTimesOut() async throws {
    let server = try UnreadPort()
    let folder = try TemporaryFolder()
    let pipeline = try TemporaryFile(
      """
      version: 1
      name: attacked
      policy: { https: optional }
      request: { timeout: 2s, method: POST, body: "\(String(repeating: "x", count: 1_000_000))" }
      sets:
        - name: all
          urls: ["http://127.0.0.1:\(server.port)/"]
      """)
    let process = try Spawned(
      "exec \"$0\" capture --no-page --pipeline '\(pipeline.path)' -o '\(folder.path(of: "out"))'")
    let end = try await process.end()
    #expect(end.signal == nil)
    #expect(end.output.contains("offline"), "\(end.output)\(end.errors)")
  }
}
