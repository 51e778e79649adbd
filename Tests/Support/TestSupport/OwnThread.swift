internal import Dispatch

/// An executor with its own thread: its jobs do not wait for the work of other tests.
package final class OwnThread: TaskExecutor {
  private let queue = DispatchQueue(label: "own-thread")

  /// An executor whose thread starts with the first job.
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
