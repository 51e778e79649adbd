import ProbeCore
import TestSupport
import Testing

@testable import ProbePipeline
@testable import ProbeScan

/// The order in which the lines of a scan start.
@Suite struct ScanQueueTests {
  private static func line(_ number: Int) -> ScanLine {
    ScanLine(number: number, url: "\(number)", target: .failure(InvalidInput("not probed here")))
  }

  private static func queue(
    concurrency: Int = 4, perHost: Int = 2, waitingLines: Int = 8
  ) -> ScanQueue {
    var limits = ScanLimits(concurrency: concurrency, perHost: perHost)
    limits.waitingLines = waitingLines
    return ScanQueue(limits)
  }

  private static func next(_ queue: inout ScanQueue) throws -> ScanQueue.Item {
    let item = queue.next()
    return try #require(item)
  }

  @Test func linesStartInOrder() {
    var queue = Self.queue()
    for number in 1...4 { queue.add(Self.line(number), host: "h\(number)") }
    #expect(!queue.hasRoom)
    #expect((1...4).allSatisfy { queue.next()?.line.number == $0 })
    #expect(queue.next() == nil)
    #expect(queue.isEmpty && queue.hasRoom)
  }

  @Test func otherHostsOvertakeABusyHost() throws {
    var queue = Self.queue(perHost: 1)
    for (number, host) in [(1, "slow"), (2, "slow"), (3, "slow"), (4, "fast")] {
      queue.add(Self.line(number), host: host)
    }
    let first = try Self.next(&queue)
    #expect(first.line.number == 1)
    #expect(queue.next()?.line.number == 4)
    #expect(queue.next() == nil)
    #expect(queue.waitingCount == 2)
    queue.finished(first)
    let second = try Self.next(&queue)
    #expect((second.line.number, queue.waitingCount) == (2, 1))
    queue.finished(second)
    #expect(queue.next()?.line.number == 3)
    #expect(queue.isEmpty)
  }

  @Test func theWaitingLinesAreBounded() {
    var queue = Self.queue(perHost: 1, waitingLines: 3)
    var added = 0
    while queue.hasRoom {
      added += 1
      queue.add(Self.line(added), host: "one")
      _ = queue.next()
    }
    // One runs, three wait.
    #expect((added, queue.waitingCount) == (4, 3))
  }

  /// Checks the guarantees of the queue with random lines.
  @Test(arguments: 0..<12) func randomEventOrdersKeepTheGuarantees(_ seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    let limits = (
      concurrency: Int.random(in: 1...6, using: &random), perHost: Int.random(in: 1...3, using: &random),
      waitingLines: Int.random(in: 1...9, using: &random)
    )
    var queue = Self.queue(
      concurrency: limits.concurrency, perHost: limits.perHost, waitingLines: limits.waitingLines)
    let hosts = (0..<400).map { _ in "h\(min(Int.random(in: 0...9, using: &random), 6) % 7)" }
    var (added, running, started): (Int, [ScanQueue.Item], [Int]) = (0, [], [])
    var lastOfHost: [String: Int] = [:]
    while added < hosts.count || !running.isEmpty || !queue.isEmpty {
      let choice = Int.random(in: 0...2, using: &random)
      if choice == 0, added < hosts.count, queue.hasRoom {
        queue.add(Self.line(added), host: hosts[added])
        added += 1
      } else if choice == 1 || running.isEmpty, running.count < limits.concurrency, let item = queue.next() {
        running.append(item)
        started.append(item.line.number)
        // The lines of a host start in their order.
        #expect(lastOfHost[item.host, default: -1] < item.line.number)
        lastOfHost[item.host] = item.line.number
        #expect(running.count { $0.host == item.host } <= limits.perHost)
      } else if !running.isEmpty {
        queue.finished(running.remove(at: Int.random(in: running.indices, using: &random)))
      } else if added < hosts.count, !queue.hasRoom {
        // Nothing runs and nothing can start or be added: a scan would hang.
        Issue.record("stuck after \(added) lines with seed \(seed)")
        return
      }
      #expect(queue.waitingCount <= limits.waitingLines)
    }
    // Nothing is lost, and nothing starts twice.
    #expect(started.sorted() == Array(hosts.indices))
  }

  /// A waiting line starts once its host is free, however many lines of other hosts arrive.
  @Test func waitingLinesDoNotStarve() throws {
    var queue = Self.queue(concurrency: 2, perHost: 1, waitingLines: 4)
    queue.add(Self.line(0), host: "a")
    queue.add(Self.line(1), host: "a")
    let first = try Self.next(&queue)
    var others: [ScanQueue.Item] = []
    for number in 2..<1000 {
      queue.add(Self.line(number), host: "b\(number)")
      others.append(try Self.next(&queue))
      if number == 500 { queue.finished(first) }
      if number == 502 {
        #expect(others.contains { $0.line.number == 1 })
        return
      }
      queue.finished(others[others.count - 1])
    }
  }
}

@Suite struct ScanPaceTests {
  @Test func withoutARateNothingWaits() {
    var pace = ScanPace(nil)
    #expect((0..<100).allSatisfy { _ in pace.take(at: .zero) == .zero })
  }

  @Test func startsAreSpreadEvenly() {
    var pace = ScanPace(.milliseconds(20))
    #expect((0..<5).map { _ in pace.take(at: .zero) } == (0..<5).map { .milliseconds(20) * $0 })
  }

  @Test func timeWithoutProbesIsNotCredited() {
    var pace = ScanPace(.milliseconds(20))
    #expect(pace.take(at: .zero) == .zero)
    #expect(pace.take(at: .seconds(9)) == .zero)
    #expect(pace.take(at: .seconds(9)) == .milliseconds(20))
    #expect(pace.take(at: .seconds(9) + .milliseconds(25)) == .milliseconds(15))
  }

  /// Consecutive starts are never closer than the interval.
  @Test(arguments: 0..<4) func startsNeverExceedTheRate(_ seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    var pace = ScanPace(.milliseconds(10))
    var now = Duration.zero
    var starts: [Duration] = []
    for _ in 0..<500 {
      now += .milliseconds(Int.random(in: 0...15, using: &random))
      starts.append(now + pace.take(at: now))
    }
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(10) })
  }
}
