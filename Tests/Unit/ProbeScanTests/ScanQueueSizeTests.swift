import ProbeCore
import Testing

@testable import ProbePipeline
@testable import ProbeScan

/// The memory for waiting lines: limited in bytes, whatever the size of a line.
@Suite struct ScanQueueSizeTests {
  private static func line(_ number: Int, bytes: Int) throws -> ScanLine {
    let url = "https://slow.example/"
    var line = ScanLine(number: number, url: url, target: .success(try ProbeURL(url)))
    line.labels = ["text": String(repeating: "x", count: bytes)]
    return line
  }

  private static func limits(perAddress: Int? = nil) -> ScanLimits {
    var limits = ScanLimits(concurrency: 100, perHost: perAddress == nil ? 1 : 100)
    limits.perAddress = perAddress
    limits.waitingBytes = 100_000
    return limits
  }

  @Test func linesWaitingForAHostCountTowardTheLimit() throws {
    var queue = ScanQueue(Self.limits())
    var added = 0
    while queue.hasRoom, added < 1000 {
      queue.add(try Self.line(added, bytes: 10_000), host: "slow.example")
      added += 1
    }
    #expect(added == 10)
    // All of them are released again, and nothing remains.
    var taken = 0
    while let item = queue.next() {
      taken += 1
      queue.finished(item)
    }
    #expect(taken == added)
    #expect(queue.hasRoom && queue.isEmpty)
    queue.add(try Self.line(added, bytes: 99_000), host: "slow.example")
    #expect(queue.hasRoom)
  }

  @Test func linesWaitingForAnAddressCountTowardTheLimit() throws {
    var queue = ScanQueue(Self.limits(perAddress: 1))
    let address = try #require(IPAddress("192.0.2.1"))
    let other = try #require(IPAddress("192.0.2.2"))
    var entered: [ScanQueue.Item] = []
    var lookedUp = 0
    while queue.hasRoom, lookedUp < 1000 {
      queue.add(try Self.line(lookedUp, bytes: 10_000), host: "slow.example")
      let next = queue.next()
      var item = try #require(next)
      item.addresses = [address, other]
      if queue.takeAddressSlots(of: item) { entered.append(item) }
      lookedUp += 1
    }
    #expect(lookedUp == 11)
    #expect(queue.waitingCount == 10)
    var finished = 0
    while let item = entered.popLast() ?? queue.next() {
      queue.finished(item)
      finished += 1
    }
    #expect(finished == lookedUp)
    #expect(queue.waitingCount == 0 && queue.hasRoom && queue.isEmpty)
    queue.add(try Self.line(lookedUp, bytes: 99_000), host: "slow.example")
    #expect(queue.hasRoom)
  }
}
