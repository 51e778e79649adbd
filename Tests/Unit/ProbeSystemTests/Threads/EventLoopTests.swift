import Glibc
import ProbeBase
import Testing
import ProbeSystem

/// The work of a loop's thread: descriptors, timers, operations and parts.
@Suite struct EventLoopTests {
  @Test func anOperationBeginsOnTheLoopsThread() async {
    let loop = EventLoop(named: "probekit-test")
    #expect(loop.start())
    #expect(loop.current == nil)
    let isThere = await onThread(of: loop) { [weak loop] thread in loop?.current === thread }
    #expect(isThere)
  }

  @Test func timersFireInOrderAndNotEarly() async {
    let loop = EventLoop(named: "probekit-test")
    #expect(loop.start())
    let (firings, firing) = AsyncStream.makeStream(of: (Int, Bool).self)
    let start = ContinuousClock.now
    _ = await onThread(of: loop) { thread in
      for (number, milliseconds) in [(2, 40), (1, 5), (3, 90)] {
        let moment = start + .milliseconds(milliseconds)
        _ = thread.setTimer(at: moment, for: TimerHandler { _ in firing.yield((number, moment <= .now)) })
      }
      return true
    }
    var heard: [Int] = []
    for await (number, isInTime) in firings {
      #expect(isInTime)
      heard.append(number)
      if heard.count == 3 { break }
    }
    #expect(heard == [1, 2, 3])
  }

  @Test func aCancelledTimerDoesNotFire() async {
    let loop = EventLoop(named: "probekit-test")
    #expect(loop.start())
    let (firings, firing) = AsyncStream.makeStream(of: Int.self)
    _ = await onThread(of: loop) { thread in
      let start = ContinuousClock.now
      let time = start + .milliseconds(5)
      let first = thread.setTimer(at: time, for: TimerHandler { _ in firing.yield(1) })
      let second = thread.setTimer(at: time, for: TimerHandler { _ in firing.yield(2) })
      _ = thread.setTimer(
        at: start,
        for: TimerHandler { thread in
          thread.cancel(first)
          thread.cancel(first)
        })
      // Only the second timer fires, although the cancelled one has the same time.
      _ = second
      return true
    }
    for await number in firings {
      #expect(number == 2)
      break
    }
  }

  @Test func eventsOfADescriptorAreReported() async throws {
    let loop = EventLoop(named: "probekit-test")
    #expect(loop.start())
    let pipe = try Pipe()
    let (reports, report) = AsyncStream.makeStream(of: Poller.Events.self)
    let isWatched = await onThread(of: loop) { thread in
      thread.watch(pipe.reading, .readable, Watcher { _, events, _ in report.yield(events) })
    }
    #expect(isWatched)
    pipe.write()
    for await events in reports {
      #expect(events.contains(.readable))
      break
    }
    let isGone = await onThread(of: loop) { thread in
      thread.unwatch(pipe.reading)
      return !thread.change(pipe.reading, .readable)
    }
    #expect(isGone)
  }

  /// Both descriptors are ready when the loop wakes up; the first one's handler closes the other, and a new
  /// one receives its number.
  @Test func staleEventsAreNotReportedForAReusedDescriptor() async throws {
    let loop = EventLoop(named: "probekit-test")
    #expect(loop.start())
    let (done, end) = AsyncStream.makeStream(of: Int.self)
    let pipes = [try Pipe(), try Pipe()]
    let fresh = try Pipe()
    let calls = Guarded(0)
    _ = await onThread(of: loop) { thread in
      for (position, pipe) in pipes.enumerated() {
        let other = pipes[1 - position].reading
        _ = thread.watch(
          pipe.reading, .readable,
          Watcher { _, _, thread in
            thread.unwatch(pipe.reading)
            let count = calls.withLock { calls in
              calls += 1
              return calls
            }
            guard count == 1 else { return }
            thread.unwatch(other, isClosing: true)
            dup2(fresh.reading, other)
            _ = thread.watch(other, .readable, Watcher { _, _, _ in calls.withLock { $0 += 100 } })
            _ = thread.setTimer(at: .now + .milliseconds(30), for: TimerHandler { _ in end.yield(1) })
          })
      }
      for pipe in pipes { pipe.write() }
      return true
    }
    for await _ in done { break }
    let count = calls.withLock { $0 }
    #expect(count == 1)
  }

  @Test func aPartIsCreatedOnceAndReleasedWithTheLoop() async {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    var loop: EventLoop? = EventLoop(named: "probekit-test")
    #expect(loop?.start() == true)
    if let loop {
      let isSame = await onThread(of: loop) { thread in
        let part = thread.part(CountingPart.self)
        part?.end = { end.yield() }
        return part != nil && part === thread.part(CountingPart.self)
      }
      #expect(isSame)
      // The first of these may run in the turn that created the part; the next one runs after that turn.
      while !(await onThread(of: loop) { ($0.part(CountingPart.self)?.turns ?? 0) > 0 }) {}
    }
    loop = nil
    for await _ in ends { break }
  }

  @Test func tasksRunOnTheirPreferredLoop() async {
    let loop = EventLoop(named: "probekit-test")
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 0..<500 {
        group.addTask(executorPreference: loop) {
          await Task.yield()
          return loop.current == nil ? 1_000_000 : number
        }
      }
      return await group.reduce(0, +)
    }
    #expect(sum == 500 * 499 / 2)
  }
}

/// The result of a closure on a loop's thread.
private func onThread(of loop: EventLoop, _ body: @escaping (LoopThread) -> Bool) async -> Bool {
  await withCheckedContinuation { continuation in
    loop.start(Once { continuation.resume(returning: body($0)) })
  }
}

private final class Once: LoopOperation {
  private let body: (LoopThread) -> Void

  init(_ body: @escaping (LoopThread) -> Void) {
    self.body = body
  }

  func start(on thread: LoopThread) { body(thread) }
  func cancel(on thread: LoopThread) {}
}

// Safe because the mailbox's lock synchronizes the two threads.
extension Once: @unchecked Sendable {}

private final class TimerHandler: TimerReceiver {
  private let body: (LoopThread) -> Void

  init(_ body: @escaping (LoopThread) -> Void) {
    self.body = body
  }

  func timerFired(on thread: LoopThread) { body(thread) }
}

private final class Watcher: DescriptorWatcher {
  private let body: (Int32, Poller.Events, LoopThread) -> Void

  init(_ body: @escaping (Int32, Poller.Events, LoopThread) -> Void) {
    self.body = body
  }

  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    body(descriptor, events, thread)
  }
}

private final class CountingPart: LoopPart {
  var turns = 0
  var end = {}
  let isDue = false

  init?(on thread: LoopThread) {}

  deinit { end() }

  func endTurn(on thread: LoopThread) { turns += 1 }
}

/// The two ends of a pipe.
private final class Pipe: Sendable {
  let reading: Int32
  private let writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  func write() {
    _ = unsafe Glibc.write(writing, "x", 1)
  }
}
