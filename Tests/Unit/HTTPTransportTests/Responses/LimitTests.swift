import LoopbackServer
import ProbeCore
import TestSupport
import Testing

/// The resources that a server can make a probe use.
@Suite(.eachClient) struct LimitTests {
  @Test(arguments: [(4, true), (5, false), (6, false), (0, true)])
  func theBodyIsCutAtItsLimit(_ limit: Int, _ isCut: Bool) async throws {
    let server = try LoopbackServer.responding(
      with: Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8))
    let response = try await transport.probe(try request(server.url()) { $0.maxBody = limit })
    #expect(response.body == Array("hello".utf8.prefix(limit)))
    #expect(response.bodyIsCut == isCut)
    #expect(response.status == 200)
  }

  @Test(arguments: ["", "Transfer-Encoding: chunked\r\n"])
  func anEndlessBodyIsCut(_ framing: String) async throws {
    let piece =
      framing.isEmpty
      ? String(repeating: "x", count: 1000) : "3e8\r\n\(String(repeating: "x", count: 1000))\r\n"
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\n\(framing)\r\n")
      // Ends when the client hangs up.
      while true { try connection.send(piece) }
    }
    let response = try await transport.probe(try request(server.url()))
    #expect(response.body.count == 64 * 1024)
    #expect(response.bodyIsCut)
  }

  @Test func aGzipBombIsCutAfterDecoding() async throws {
    let bomb = ZerosInGzip.bytes
    let server = try LoopbackServer.http { _ in
      .response(headers: [(name: "Content-Encoding", value: "gzip")], bytes: bomb)
    }
    let response = try await transport.probe(try request(server.url()) { $0.maxBody = 1000 })
    #expect(response.body == [UInt8](repeating: 0, count: 1000))
    #expect(response.bodyIsCut)
  }

  @Test func anEndlessHeadFails() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\n")
      while true { try connection.send("X-More: \(String(repeating: "y", count: 500))\r\n") }
    }
    let failure = try await failure(of: try request(server.url()))
    #expect(failure?.reason == .httpHeadTooLarge)
    #expect(failure?.partial?.status == 200)
  }

  @Test func anEndlessHeaderLineFails() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\nX-More: ")
      while true { try connection.send(String(repeating: "y", count: 5000)) }
    }
    let failure = try await failure(of: try request(server.url()))
    #expect(failure?.reason == .httpHeadTooLarge)
  }

  @Test func endlessInterimResponsesFail() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      while true { try connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
    }
    let failure = try await failure(of: try request(server.url()))
    #expect(failure?.reason == .httpHeadTooLarge)
  }

  @Test func tenThousandHeaderFieldsAreAccepted() async throws {
    let fields = (0..<10_000).map { "a\($0): b\r\n" }.joined()
    let server = try LoopbackServer.responding(
      with: Array("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n".utf8))
    let response = try await transport.probe(try request(server.url()) { $0.maxHead = 1 << 20 })
    #expect(response.head?.fields.count == 10_001)
  }
}
