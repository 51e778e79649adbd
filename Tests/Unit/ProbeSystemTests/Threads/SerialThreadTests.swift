import Glibc
import ProbeBase
import ProbeSystem
import TestRequirements
import Testing

/// One thread for work that blocks.
@Suite(.patience(minutes: 1)) struct SerialThreadTests {
  @Test func workIsDoneInOrderOnOneThread() async throws {
    let thread = try SerialThread(named: "probekit-test")
    let done = Guarded<[Int]>([])
    var threads: Set<pthread_t> = []
    for number in 0..<200 {
      let id = await thread.perform {
        done.withLock { $0.append(number) }
        return pthread_self()
      }
      threads.insert(try #require(id))
    }
    #expect(done.withLock(\.self) == Array(0..<200))
    #expect(threads.count == 1)
  }

  @Test func workOfSeveralTasksDoesNotOverlap() async throws {
    let thread = try SerialThread(named: "probekit-test")
    let state = Guarded((now: 0, most: 0, all: 0))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          _ = await thread.perform {
            state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
            sched_yield()
            state.withLock { $0.now -= 1 }
          }
        }
      }
    }
    #expect(state.withLock { $0.most == 1 && $0.all == 50 })
  }

  @Test func aCancelledTaskDoesNotWait() async throws {
    let thread = try SerialThread(named: "probekit-test")
    let isReleased = Guarded(false)
    let isDone = Guarded(false)
    let task = Task {
      await thread.perform {
        while !isReleased.withLock(\.self) { usleep(500) }
        isDone.withLock { $0 = true }
        return 7
      }
    }
    task.cancel()
    #expect(await task.value == nil)
    #expect(isDone.withLock(\.self) == false)
    isReleased.withLock { $0 = true }
    // Work in progress still completes before the next work starts.
    #expect(await thread.perform { isDone.withLock(\.self) } == true)
  }

  @Test func workIsReleasedAfterItsThreadsOwner() async throws {
    // The work holds a value that is released once its thread has no more work.
    final class Held: Sendable {}
    weak var held: Held?
    do {
      let thread = try SerialThread(named: "probekit-test")
      let value = Held()
      held = value
      _ = await thread.perform { [value] in _ = value }
    }
    while held != nil { await Task.yield() }
    #expect(held == nil)
  }
}
