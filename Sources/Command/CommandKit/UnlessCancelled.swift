import ProbeBase

/// Runs long work that does not check for cancellation, and abandons it when the current task is cancelled.
///
/// The work is cancelled, but not awaited: it must have no important side effects, because the process may
/// end first.
///
/// - Parameter work: The work.
/// - Returns: The result, or nil if the task was cancelled first.
package nonisolated(nonsending) func unlessCancelled<Product: Sendable>(
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
