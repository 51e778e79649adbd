import LoopbackServer
import TestClients
import Testing

/// The client on which other tests rely distinguishes a FIN, an RST and silence.
@Suite struct RawClientTests {
  @Test func finResetAndSilenceAreDistinguished() throws {
    let server = try LoopbackServer { connection in
      try connection.send("abc")
      let order = try connection.read()
      switch order {
      case Array("fin".utf8): connection.shutdownWrite()
      case Array("rst".utf8): connection.reset()
      default: break
      }
      connection.hold()
    }
    for (order, ending) in [("fin", RawClient.Ending.fin), ("rst", .reset), ("hold", .silence)] {
      let client = try RawClient(port: server.port)
      #expect(client.receive(upTo: 2) == RawClient.Reception(Array("ab".utf8), .enough))
      #expect(client.receive(upTo: 1).text == "c")
      try client.send(Array(order.utf8))
      let limit = Duration.milliseconds(ending == .silence ? 20 : 10_000)
      #expect(client.receive(within: limit) == RawClient.Reception([], ending))
      // Half-closed is not closed: the server still accepts input.
      if ending == .fin {
        try client.send([1])
        #expect(!client.isReset(within: .milliseconds(20)))
      }
    }
  }

  @Test func aResetAfterTheEndIsDetected() throws {
    let server = try LoopbackServer { connection in
      connection.shutdownWrite()
      _ = try connection.read()
      connection.reset()
    }
    let client = try RawClient(port: server.port)
    #expect(client.receive() == RawClient.Reception([], .fin))
    try client.send([2])
    #expect(client.isReset())
  }

  @Test func sendingToAServerThatDoesNotReadTimesOut() throws {
    let server = try LoopbackServer { try $0.pause(for: .seconds(3600)) }
    let client = try RawClient(port: server.port)
    let much = [UInt8](repeating: 0, count: 32 << 20)
    #expect(throws: RawClient.Failure.timedOut) { try client.send(much, within: .milliseconds(20)) }
    client.resetAtEnd()
  }
}
