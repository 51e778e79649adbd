import ProbeLocking
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

  /// While its threads compute, other tasks run; the task that computes can be cancelled.
  @Test func runTasksOnThreadsOfTheirOwn() async {
    let tasks = (0..<64).map { _ in
      Task { await ComputingThreads.run { while !Task.isCancelled {} } }
    }
    // Runs on a thread that none of them occupies.
    await Task { await Task.yield() }.value
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
