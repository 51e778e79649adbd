import Curl
import Dispatch
import Glibc
import LoopbackServer
import Testing

/// Connections that end as soon as they stand, while another one starts.
///
/// Once a second, when a transfer starts, libcurl looks whether the connections that it holds are alive. What it reads of
/// a reset is gone for whoever reads next, and a connection that has ended it closes.
@Suite struct KeptConnectionTests {
  typealias Ending = @Sendable (LoopbackConnection) throws -> Void

  @Test(.timeLimit(.minutes(5))) func aResetIsSeen() async throws {
    for outcome in try await outcomes(of: 20, { $0.reset() }) {
      #expect(outcome.words == "failed \(ECONNRESET)")
    }
  }

  @Test(.timeLimit(.minutes(5))) func anEndIsNoFailure() async throws {
    for outcome in try await outcomes(of: 20, { $0.shutdownWrite() }) {
      #expect(outcome.words == "received 0")
    }
  }

  @Test(.timeLimit(.minutes(5))) func whatCameBeforeAResetIsRead() async throws {
    let greeting = Array("hello".utf8)
    let outcomes = try await outcomes(of: 20) { connection in
      try connection.send(greeting)
      connection.reset()
    }
    for outcome in outcomes { #expect(outcome.words == "received \(greeting.count)") }
  }

  /// What the first read of each connection ends in when all of them end between the loop's last look at them and the
  /// start of another transfer; nil for one that did not stand.
  ///
  /// They go through a proxy, so that the test knows the moment from which on they stand.
  private func outcomes(of count: Int, _ end: @escaping Ending) async throws -> [CurlConnection.Outcome?] {
    let (ready, waiting) = AsyncStream.makeStream(of: Void.self)
    let (start, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let proxy = try LoopbackServer { connection in
      _ = try connection.readRequest()
      // libcurl has looked when this connection started, and does so again after a second.
      try connection.pause(for: .milliseconds(1200))
      waiting.yield()
      start.wait()
      try connection.send("HTTP/1.1 200 OK\r\n\r\n")
      try end(connection)
      ended.signal()
    }
    let holding = try LoopbackServer { $0.hold() }
    let loop = CurlLoop()
    var options = TransferOptions(url: "http://server.invalid:22", timeout: .seconds(200))
    options.proxy = .init(url: "http://127.0.0.1:\(proxy.port)", isEncrypted: false, login: nil)
    return await withTaskGroup(of: CurlConnection.Outcome?.self) { [options] group in
      for _ in 0..<count {
        group.addTask {
          let connection = await loop.connect { options }.connection
          return await connection?.receive(upTo: 100, deadline: .now + .seconds(200))
        }
      }
      var others = ready.makeAsyncIterator()
      for _ in 0..<count { await others.next() }
      // The loop takes both together, the end of all of them and the start of this one, and then sees to libcurl.
      let other = Task(executorPreference: loop) {
        Task(executorPreference: loop) {
          for _ in 0..<count { start.signal() }
          Self.wait(for: count, ended)
        }
        return await loop.connect { TransferOptions(url: holding.url(), timeout: .seconds(200)) }
      }
      _ = await other.value
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private static func wait(for count: Int, _ semaphore: DispatchSemaphore) {
    for _ in 0..<count { semaphore.wait() }
  }
}

extension CurlConnection.Outcome? {
  /// It in words, to compare it by.
  fileprivate var words: String {
    switch self {
    case .received(let bytes): "received \(bytes.count)"
    case .failed(let error): "failed \(error)"
    case let other: "\(other as Any)"
    }
  }
}
