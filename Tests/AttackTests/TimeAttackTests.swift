import Glibc
import LoopbackServer
import TestSupport
import Testing

/// Time: a time limit, a deadline or a signal ends everything, whatever is under way.
@Suite struct TimeAttackTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsAProbe(_ signal: Int32) async throws {
    let (asked, question) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      question.yield()
      connection.hold()
    }
    let process = try Spawned("exec \"$0\" check --allow-http --timeout 600s \(server.url())")
    for await _ in asked { break }
    process.send(signal)
    let end = try await process.end(within: .seconds(30))
    #expect(end.signal == signal)
  }
}
