internal import CProbeSystem
internal import ProbeBase

/// Threads for tasks that compute for long, such as to search a long body.
///
/// Neither loops nor Swift's own threads have to wait for them: the latter also handle signals. There are as many
/// as processors; each ends when nothing is left to do.
package final class ComputingThreads: TaskExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    var taken = 0
    var threads = 0

    mutating func next() -> UnownedJob? {
      guard taken < jobs.count else {
        (jobs, taken) = ([], 0)
        threads -= 1
        return nil
      }
      if taken == 1024 {
        jobs.removeFirst(taken)
        taken = 0
      }
      defer { taken += 1 }
      return jobs[taken]
    }
  }

  /// The threads of the process.
  package static let shared = ComputingThreads(maximum: Int(clamping: probe_usable_processors()))

  /// Computes on one of the threads of the process.
  ///
  /// The computation sees the cancellation of its task when the caller's is cancelled, and when its time is over.
  ///
  /// - Parameters:
  ///   - limit: The maximum time, which begins with the computation.
  ///   - body: The computation.
  /// - Returns: Its result; nil if it has not begun when the caller's task is cancelled.
  package static func run<Value: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable () -> Value
  ) async -> Value? {
    guard !Task.isCancelled else { return nil }
    let start = Promise<Void>()
    let computation = Task<Value?, Never>(executorPreference: shared) {
      guard !Task.isCancelled else { return nil }
      start.fulfill(())
      return body()
    }
    let timer = Task {
      await start.value()
      try await Task.sleep(for: limit)
      computation.cancel()
    }
    defer {
      timer.cancel()
      start.fulfill(())
    }
    return await withTaskCancellationHandler {
      await computation.value
    } onCancel: {
      computation.cancel()
    }
  }

  private let maximum: Int
  private let state = Guarded(State())

  init(maximum: Int) {
    self.maximum = maximum
  }

  /// Runs a job of a task on one of the threads.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isStarting = state.withLock { state in
      state.jobs.append(job)
      guard state.threads < maximum else { return false }
      state.threads += 1
      return true
    }
    guard isStarting else { return }
    do {
      try WorkerThread(named: "probekit-search") { self.work() }.detach()
    } catch {
      // Without a thread, Swift's own have to do it.
      let stranded = state.withLock { state in
        state.threads -= 1
        guard state.threads == 0 else { return ArraySlice<UnownedJob>() }
        defer { (state.jobs, state.taken) = ([], 0) }
        return state.jobs[state.taken...]
      }
      for job in stranded { globalConcurrentExecutor.enqueue(job) }
    }
  }

  private func work() {
    while let job = state.withLock({ $0.next() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
