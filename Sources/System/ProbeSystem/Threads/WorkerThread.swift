internal import CProbeSystem
internal import Glibc
internal import ProbeBase

/// A thread with all signals blocked, which must be joined once or detached.
///
/// OpenSSL uses write(2), and a closed connection must be an error, not a SIGPIPE that ends the program. With
/// blocked signals, the program's own handlers run on its own threads only.
package struct WorkerThread: Sendable {
  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// The reason why a thread could not be started.
  package struct ThreadStartFailure: Error, Hashable, Sendable {
    /// The system error number, such as EAGAIN.
    package let systemCode: Int32
  }

  private let thread: pthread_t

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: The name in debuggers, at most 15 bytes.
  ///   - body: The body of the thread.
  /// - Throws: ``ThreadStartFailure`` if no thread is available.
  package init(named name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadStartFailure) {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    let start = unsafe Unmanaged.passRetained(Start(name, body))
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        unsafe probe_name_this_thread(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    guard result == 0 else {
      unsafe start.release()
      throw ThreadStartFailure(systemCode: result)
    }
    self.thread = thread
  }

  /// Waits for the thread to end; must be called once, from another thread, and not after ``detach()``.
  package func join() {
    pthread_join(thread, nil)
  }

  /// Detaches the thread: it ends on its own, and is not joined.
  package func detach() {
    pthread_detach(thread)
  }

  /// Blocks the calling thread, which must be one that nothing else runs on.
  package static func sleep(for time: Duration) {
    let (seconds, attoseconds) = time.components
    var rest = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(clamping: attoseconds / 1_000_000_000))
    unsafe nanosleep(&rest, nil)
  }
}

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
