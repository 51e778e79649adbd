import LoopbackServer
import ProbeCore
import CurlTransport
import ProbeSystem
import Testing

/// Cancelled transfers report what they have received.
@Suite struct CancelledTransferTests {
  /// Reports when a body reaches its limit.
  private final class Limit: FurtherReading {
    let maximumBytes = 1 << 20
    let (reached, reach) = AsyncStream.makeStream(of: Void.self)

    func begin(after redirects: [RedirectHop]) {}

    func room(after response: ProbeResponse) -> Int {
      reach.yield()
      return maximumBytes
    }
  }

  private static func http(maxBody: Int) -> TransferOptions.HTTP {
    .init(method: "GET", headers: [], body: nil, maxHead: 10_000, maxBody: maxBody)
  }

  /// libcurl starts a new transfer in its next call, which is often one for the socket of another transfer.
  @Test func aResponseIsKeptBesideABusyTransfer() async throws {
    let busy = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\n\r\n")
      while true { try connection.send("x") }
    }
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\n\r\nhello")
      connection.hold()
    }
    let (busyURL, url) = (busy.url(), server.url())
    let probeURL = try ProbeURL(url)
    let client = CurlClient(loops: EventLoops(count: 1))
    let other = Task {
      let http = Self.http(maxBody: 1 << 26)
      return await client.perform { (TransferOptions(url: busyURL, timeout: .seconds(60)), http) }
    }
    defer { other.cancel() }
    for _ in 0..<20 {
      let limit = Limit()
      var http = Self.http(maxBody: 1)
      http.furtherReading = limit
      http.makeResponse = { _ in ProbeResponse(url: probeURL) }
      let transfer = Task { [http] in
        await client.perform { (TransferOptions(url: url, timeout: .seconds(60)), http) }
      }
      for await _ in limit.reached { break }
      transfer.cancel()
      let result = await transfer.value
      #expect(result.code == .cancelled)
      #expect(result.response.headIsComplete)
    }
  }
}
