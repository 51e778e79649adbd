import Dispatch
import Glibc
import ProbeSystem
import TestSupport
import Testing

@Suite
struct ComputingThreadsTests {
  /// More than any of these computations takes.
  private static let plenty = Duration.seconds(600)

  /// Thousands of jobs, each with its result, whichever thread runs it.
  @Test func everyJobRunsOnce() async {
    let numbers = await withTaskGroup(of: Int.self) { group in
      for number in 0..<3000 {
        group.addTask { await ComputingThreads.run(within: Self.plenty) { number } ?? -1 }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(numbers.sorted() == Array(0..<3000))
  }

  /// While all of them are occupied, other tasks run.
  @Test func runTasksOnThreadsOfTheirOwn() async {
    let gate = DispatchSemaphore(value: 0)
    let tasks = (0..<32).map { _ in
      Task { await ComputingThreads.run(within: Self.plenty) { gate.wait(timeout: .now() + .seconds(60)) } }
    }
    await Task { await Task.yield() }.value
    for _ in tasks { gate.signal() }
    for task in tasks { #expect(await task.value == .success) }
  }

  /// A computation sees the cancellation of the caller.
  @Test func aCancelledComputationCanEnd() async {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      await ComputingThreads.run(within: Self.plenty) {
        begin.finish()
        while !Task.isCancelled { sched_yield() }
        return true
      }
    }
    for await _ in begun {}
    task.cancel()
    #expect(await task.value == true)
  }

  @Test func nothingBeginsInACancelledTask() async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await ComputingThreads.run(within: Self.plenty) { true }
    }
    task.cancel()
    #expect(await task.value == nil)
  }

  @Test func aComputationIsCancelledWhenItsTimeIsOver() async {
    let result = await ComputingThreads.run(within: .milliseconds(1)) {
      while !Task.isCancelled { sched_yield() }
      return true
    }
    #expect(result == true)
    #expect(!Task.isCancelled)
  }
}
