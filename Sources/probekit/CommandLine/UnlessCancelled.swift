import ProbeLocking

/// Does long work that looks at nothing but itself, and gives it up when the running task is cancelled.
///
/// The work is told, but nobody waits until it notices: what it leaves behind must matter to nobody, because the process
/// may end in the midst of it.
///
/// - Parameter work: The work.
/// - Returns: What came of it, or nil when the task was cancelled before.
nonisolated(nonsending) func unlessCancelled<Product: Sendable>(
  _ work: @escaping @Sendable () async -> Product
) async -> Product? {
  let promise = Promise<Product?>()
  let task = Task.detached { promise.fulfill(await work()) }
  return await withTaskCancellationHandler {
    await promise.value()
  } onCancel: {
    promise.fulfill(nil)
    task.cancel()
  }
}
