import LoopbackServer
import Testing

/// Only the server's own descriptors are counted, by their port: other tests run beside this one.
@Suite struct DescriptorTests {
  @Test func stopLeavesNothingBehind() throws {
    let server = try LoopbackServer.http { _ in .response(body: "x") }
    let port = server.port
    for _ in 0..<100 {
      let client = try TestClient(port: port)
      try client.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
      _ = try client.receiveToEnd()
    }
    let held = try TestClient(port: port)
    try held.send([0])
    TestClient.wait { server.connectionCount == 101 }
    #expect(TestClient.serverDescriptors(port: port) >= 2)
    server.stop()
    #expect(TestClient.serverDescriptors(port: port) == 0)
  }
}
