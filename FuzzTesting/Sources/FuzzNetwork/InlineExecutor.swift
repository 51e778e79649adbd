import Dispatch
import Synchronization

/// Runs a task on the thread that waits for its result, so that an input costs no switches of threads and its order of
/// events is the same each time.
///
/// Work that the code under test moves elsewhere, such as long bodies, runs on the threads of the system as usual.
public final class InlineExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let signal = DispatchSemaphore(value: 0)

  /// Creates an executor without work.
  public init() {}

  /// Adds a job.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    signal.signal()
  }

  /// Runs a body as a task, and waits for its result.
  public func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
    let outcome = Mutex<Result?>(nil)
    Task(executorPreference: self) {
      let result = await body()
      outcome.withLock { $0 = result }
    }
    while true {
      signal.wait()
      let next = jobs.withLock { $0.removeFirst() }
      unsafe next.runSynchronously(on: asUnownedTaskExecutor())
      if let result = outcome.withLock({ $0 }) { return result }
    }
  }
}
