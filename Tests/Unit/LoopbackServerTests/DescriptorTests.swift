import LoopbackServer
import TestClients
import Testing

/// Only the server's own descriptors are counted, by their port: other tests run concurrently.
@Suite struct DescriptorTests {
  @Test func stoppingClosesAllSockets() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "x") }
    let port = server.port
    for _ in 0..<100 {
      let client = try RawClient(port: port)
      try client.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
      _ = try client.receiveToEnd()
    }
    let held = try RawClient(port: port)
    try held.send([0])
    while server.connectionCount < 101 { await Task.yield() }
    #expect(openSockets(port: port) >= 2)
    server.stop()
    #expect(openSockets(port: port) == 0)
  }
}
