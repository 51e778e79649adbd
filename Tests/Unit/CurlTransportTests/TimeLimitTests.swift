import CurlTransport
import LoopbackServer
import TestRequirements
import Testing

/// Time limits are met, whatever happens just before them.
@Suite struct TimeLimitTests {
  /// Longer than the 200 ms after which libcurl checks a new connection again.
  private static let timeout = Duration.milliseconds(300)

  /// libcurl loses a limit if something happens within the millisecond before it; such a transfer never
  /// ended.
  @Test(.patience(minutes: 2)) func bytesJustBeforeTheLimitDoNotCancelIt() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      // A part of the time has passed already; with this many connections, some are in the last millisecond.
      try connection.pause(for: Self.timeout - .microseconds(connection.number % 80 * 500))
      try connection.send("H")
      connection.hold()
    }
    let client = CurlClient()
    for _ in 0..<5 {
      let codes = await withTaskGroup(of: CurlCode.self) { group in
        for _ in 0..<80 {
          group.addTask { await exchange(over: client, server.url(), timeout: Self.timeout).code }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes == Array(repeating: .timedOut, count: 80))
    }
  }

  /// libcurl last read the clock 200 ms after the connection was established.
  @Test func aCancelledTransferReportsItsEntireTime() async throws {
    let (requests, request) = AsyncStream<Void>.makeStream()
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      request.yield()
      connection.hold()
    }
    let client = CurlClient()
    let transfer = Task { await exchange(over: client, server.url(), timeout: .seconds(60)) }
    for await _ in requests { break }
    try await Task.sleep(for: .milliseconds(500))
    transfer.cancel()
    let result = await transfer.value
    #expect(result.code == .cancelled)
    #expect(result.moments.finished >= 500_000)
  }
}
