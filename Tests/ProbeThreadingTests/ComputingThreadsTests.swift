import Dispatch
import ProbeThreading
import TestSupport
import Testing

@Suite
struct ComputingThreadsTests {
  /// Thousands of jobs, each with its result, whichever thread runs it.
  @Test func everyJobRunsOnce() async {
    let numbers = await withTaskGroup(of: Int.self) { group in
      for number in 0..<3000 {
        group.addTask { await ComputingThreads.run { number } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(numbers.sorted() == Array(0..<3000))
  }

  /// While all of them are occupied, other tasks run.
  @Test func runTasksOnThreadsOfTheirOwn() async {
    let gate = DispatchSemaphore(value: 0)
    let tasks = (0..<32).map { _ in
      Task { await ComputingThreads.run { gate.wait(timeout: .now() + .seconds(60)) } }
    }
    await Task { await Task.yield() }.value
    for _ in tasks { gate.signal() }
    for task in tasks { #expect(await task.value == .success) }
  }

  /// A computation sees the cancellation of its task.
  @Test func computeInTheTaskOfTheCaller() async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await ComputingThreads.run { Task.isCancelled }
    }
    task.cancel()
    #expect(await task.value)
  }
}
