internal import Dispatch

/// An executor with a thread of its own: what runs on it does not wait its turn among everything else that the tests
/// have to compute.
package final class OwnThread: TaskExecutor {
  private let queue = DispatchQueue(label: "own-thread")

  /// An executor whose thread starts with the first job.
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
