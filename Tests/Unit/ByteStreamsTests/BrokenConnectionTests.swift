import ByteStreams
import Glibc
import LoopbackServer
import ProbeCore
import Testing

/// Connections that end as soon as they are established.
@Suite struct BrokenConnectionTests {
  @Test func aResetIsDetected() async throws {
    for outcome in try await outcomes(of: 50, { $0.reset() }) {
      #expect(outcome == "connect.reset")
    }
  }

  @Test func anEndIsNotAFailure() async throws {
    for outcome in try await outcomes(of: 50, { $0.shutdownWrite() }) {
      #expect(outcome == "")
    }
  }

  @Test func bytesBeforeAResetAreRead() async throws {
    let outcomes = try await outcomes(of: 50) { connection in
      try connection.send("hello")
      connection.reset()
    }
    for outcome in outcomes { #expect(outcome == "hello connect.reset") }
  }

  /// The data received on each connection until it ends, and how it ended.
  private func outcomes(
    of count: Int, _ end: @escaping @Sendable (LoopbackConnection) throws -> Void
  ) async throws -> [String] {
    let server = try LoopbackServer { connection in
      try end(connection)
    }
    let connector = StreamConnector()
    var request = ProbeRequest(try ProbeURL("tcp://127.0.0.1:\(server.port)"))
    request.timeout = .seconds(600)
    return await withTaskGroup(of: String.self) { [request] group in
      for _ in 0..<count {
        group.addTask {
          var read = ""
          do throws(ProbeFailure) {
            let stream = try await connector.connect(for: request)
            while true {
              let bytes = try await stream.read(upTo: 100)
              if bytes.isEmpty { return read }
              read += String(decoding: bytes, as: UTF8.self) + " "
            }
          } catch {
            return read + error.reason.rawValue
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }
}
