internal import ProbeBase

/// A thread for blocking work, such as reading a pipe: it runs one piece of work after another, and tasks
/// wait for the results.
package final class SerialThread: Sendable {
  private typealias Work = @Sendable () -> Void

  /// The state of the thread, which does not retain its owner.
  private final class Mailbox: Sendable {
    let work = Guarded<(queue: [Work], isClosed: Bool)>((queue: [], isClosed: false))
    let signal = ThreadSignal()

    func run() {
      while true {
        let (queue, isClosed) = work.withLock { work in
          defer { work.queue = [] }
          return work
        }
        for piece in queue { piece() }
        if queue.isEmpty {
          if isClosed { return }
          signal.wait()
        }
      }
    }
  }

  private let mailbox = Mailbox()

  /// Starts the thread.
  ///
  /// - Parameter name: The name in debuggers, at most 15 bytes.
  /// - Throws: `WorkerThread.ThreadStartFailure` if no thread is available.
  package init(named name: String) throws(WorkerThread.ThreadStartFailure) {
    try WorkerThread(named: name) { [mailbox] in mailbox.run() }.detach()
  }

  deinit {
    mailbox.work.withLock { $0.isClosed = true }
    mailbox.signal.send()
  }

  /// Starts a piece of work on the thread, without waiting for it.
  package func start(_ body: @escaping @Sendable () -> Void) {
    mailbox.work.withLock { $0.queue.append(body) }
    mailbox.signal.send()
  }

  /// Performs a piece of work on the thread.
  ///
  /// - Parameter body: The work.
  /// - Returns: Its result; nil if the task is cancelled first. The work then still runs to completion.
  package func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result? {
    let promise = Promise<Result?>()
    start { promise.fulfill(body()) }
    return await withTaskCancellationHandler {
      await promise.value()
    } onCancel: {
      promise.fulfill(nil)
    }
  }
}
