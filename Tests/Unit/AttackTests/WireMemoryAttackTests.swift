import LoopbackServer
import TestSupport
import Testing

/// Memory: the data that a server sends between the parts of a response is kept only up to a limit.
@Suite struct WireMemoryAttackTests {
  struct Response: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var head: String
    var beginning: [UInt8]
    var piece: [UInt8]
    /// The expected message.
    var words = "is longer than the limit"
  }

  static let responses: [Response] = [
    Response(
      testDescription: "chunk extensions", head: "Transfer-Encoding: chunked", beginning: [],
      piece: Array("1;\(String(repeating: "x", count: 200))\r\ny\r\n".utf8),
      words: "verdict: inconclusive"),
    Response(
      testDescription: "chunks of a byte", head: "Transfer-Encoding: chunked", beginning: [],
      piece: Array("1\r\ny\r\n".utf8)),
    // RFC 1952 §2.3: the flag says that a name follows, up to a zero byte.
    Response(
      testDescription: "a name in gzip", head: "Content-Encoding: gzip",
      beginning: [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3], piece: [UInt8](repeating: 0x78, count: 1000)),
    // RFC 1951 §3.2.4: a stored block without content, repeated.
    Response(
      testDescription: "empty blocks of deflate", head: "Content-Encoding: deflate", beginning: [0x78, 0x9C],
      piece: Array(repeatElement([0, 0, 0, 0xFF, 0xFF], count: 200).joined())),
  ]

  @Test(arguments: responses) func dataOutsideTheContentIsBounded(_ response: Response) async throws {
    try requirePlainBuild()
    let flood = Array(repeatElement(response.piece, count: 100).joined())
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\n\(response.head)\r\n\r\n")
      try connection.send(response.beginning)
      while true { try connection.send(flood) }
    }
    let folder = try TemporaryFolder()
    let process = try Spawned(
      "exec \"$0\" capture --no-page --timeout 60s -o '\(folder.path(of: "out"))' \(server.url())")
    let end = try await process.end()
    #expect(end.signal == nil)
    #expect(end.code != 70, "\(end.errors)")
    #expect(end.output.contains(response.words), "\(end.output)\(end.errors)")
    #expect(end.peakMemory < 200_000_000)
    #expect(end.processorTime < .seconds(20))
  }

  @Test func headsAreNotKept() async throws {
    try requirePlainBuild()
    let field = "X-Field: \(String(repeating: "z", count: 1000))\r\n"
    let response = Array(
      ("HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 56) + "Content-Length: 2\r\n\r\nok").utf8)
    let server = try LoopbackServer.responding(with: response)
    let list = try TemporaryFile((0..<1500).map { "\(server.url("/\($0)"))\n" }.joined())
    let process = try Spawned(
      "exec \"$0\" check --allow-http --all --per-host 64 --timeout 10m --format=json - <'\(list.path)'")
    let end = try await process.end()
    #expect(end.code == 0, "\(end.errors)")
    // All heads together would take 86 MB in addition to the command's memory.
    #expect(end.peakMemory < 80_000_000)
  }
}
