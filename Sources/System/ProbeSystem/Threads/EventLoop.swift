import ProbeBase
internal import CProbeSystem
internal import Glibc
internal import Synchronization

/// An operation that is started on a loop's thread, continues there, and can be cancelled.
package protocol LoopOperation: AnyObject, Sendable {
  /// Starts the operation; called once.
  func start(on thread: LoopThread)
  /// Ends it early; may be called before the start, and after the end.
  func cancel(on thread: LoopThread)
}

/// One thread that waits for many descriptors and timers, and runs tasks in between.
///
/// The thread starts on demand and ends with the last reference to the loop.
package final class EventLoop: Sendable {
  private let mailbox: LoopMailbox
  private let underway = Atomic(0)

  /// A loop; its thread starts on demand.
  ///
  /// - Parameter name: The name of the thread in debuggers, at most 15 bytes.
  package init(named name: String) {
    mailbox = LoopMailbox(threadName: name)
  }

  deinit {
    mailbox.stopThread(waiting: false)
  }

  /// Ends the thread once it has done everything requested so far, and waits for it; must not be called on
  /// it.
  ///
  /// Nothing can be started afterwards.
  package func end() {
    mailbox.stopThread(waiting: true)
  }

  /// The number of operations in progress.
  package var load: Int { underway.load(ordering: .relaxed) }

  /// Records that an operation starts, or has ended.
  package func addLoad(_ count: Int) {
    underway.add(count, ordering: .relaxed)
  }

  /// Starts the thread unless it is running.
  ///
  /// - Returns: false if no memory, descriptor or thread is available.
  package func start() -> Bool { mailbox.startThread() }

  /// The loop's thread if it is the calling one, or else nil.
  package var current: LoopThread? { mailbox.current }

  /// Starts an operation: immediately on the loop's thread, by a message from others.
  package func start(_ operation: any LoopOperation) {
    if let thread = current { return operation.start(on: thread) }
    mailbox.send(.start(operation))
  }

  /// Starts an operation after all pending work of the loop's thread.
  package func startInTurn(_ operation: any LoopOperation) {
    mailbox.send(.start(operation))
  }

  /// Cancels an operation, in the order of messages: one that was started before has started by then.
  package func cancel(_ operation: any LoopOperation) {
    mailbox.send(.cancel(operation))
  }
}

/// Tasks that prefer the loop run on its thread: no other thread has to be woken when an operation starts or
/// ends.
extension EventLoop: TaskExecutor {
  /// Runs a job of a task on the loop's thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if start() {
      mailbox.send(.run(job, on: self))
    } else {
      // Without a thread the loop starts nothing else either; the task has to continue to report that.
      globalConcurrentExecutor.enqueue(job)
    }
  }
}

/// A request from another thread to the loop's thread.
enum LoopMessage: Sendable {
  case start(any LoopOperation)
  case cancel(any LoopOperation)
  /// A job of a task that prefers the loop; the reference retains the loop until it has run.
  case run(UnownedJob, on: EventLoop)
  case stop
}

/// The only state that the loop's thread shares with others: messages, and the means to wake it.
@safe final class LoopMailbox: Sendable {
  private struct State: Sendable {
    var poller: Poller?
    var messages: [LoopMessage] = []
    var isPolling = false
    /// Must be joined or detached.
    var thread: WorkerThread?
  }

  private let threadName: String
  private let state = Guarded(State())
  /// Whether the loop has a thread; read for every operation.
  private let hasThread = Atomic(false)
  /// The loop's thread as returned by pthread_self(3); 0 before it runs.
  private let identity = Atomic<UInt>(0)
  // Written and read only by the loop's thread, and cleared before that thread releases it.
  private nonisolated(unsafe) unowned(unsafe) var thread: LoopThread?

  init(threadName: String) {
    self.threadName = threadName
  }

  /// Starts the loop's thread unless it is running.
  ///
  /// - Returns: false if no memory, descriptor or thread is available.
  func startThread() -> Bool {
    if hasThread.load(ordering: .relaxed) { return true }
    return state.withLock { state in
      if state.poller != nil { return true }
      guard let poller = Poller() else { return false }
      let loop = LoopThread(poller, self)
      let body: @Sendable () -> Void = { [self] in
        unsafe thread = loop
        identity.store(UInt(clamping: pthread_self()), ordering: .relaxed)
        loop.run()
        identity.store(0, ordering: .relaxed)
        unsafe thread = nil
      }
      guard let thread = try? WorkerThread(named: threadName, body) else { return false }
      state.thread = thread
      state.poller = poller
      hasThread.store(true, ordering: .relaxed)
      return true
    }
  }

  /// Ends the thread, unless it has been ended already.
  func stopThread(waiting: Bool) {
    guard let thread = state.withLock({ $0.thread.take() }) else { return }
    send(.stop)
    if waiting { thread.join() } else { thread.detach() }
  }

  /// The loop's thread if it is the calling one.
  var current: LoopThread? {
    identity.load(ordering: .relaxed) == UInt(clamping: pthread_self()) ? unsafe thread : nil
  }

  func send(_ message: LoopMessage) {
    let sleeper = state.withLock { state -> Poller? in
      state.messages.append(message)
      guard state.isPolling else { return nil }
      state.isPolling = false
      return state.poller
    }
    sleeper?.wake()
  }

  /// Exchanges an empty array for all messages so far, in order; both arrays keep their capacity.
  func take(into messages: inout [LoopMessage]) {
    state.withLock { swap(&$0.messages, &messages) }
  }

  /// Whether the loop may poll: from now on a message wakes it.
  func preparePolling() -> Bool {
    state.withLock { state in
      state.isPolling = state.messages.isEmpty
      return state.isPolling
    }
  }

  func endPolling() {
    state.withLock { $0.isPolling = false }
  }
}

/// Loops for all processors available to the process, among which operations are distributed.
///
/// An unused loop costs nothing, because its thread starts on demand. A few operations share one loop.
package final class EventLoops: Sendable {
  /// The number of concurrent operations up to which no further loop is used.
  ///
  /// One or two TLS handshakes keep a processor busy, but for a handful of probes another thread costs more
  /// than it gains.
  private static let usualLoad = 8

  /// The loops, in the order in which they are used.
  package let all: [EventLoop]
  private let first: EventLoop

  /// Loops whose threads start on demand.
  ///
  /// - Parameter count: The number of loops, at least one; the default is the number of processors.
  package init(count: Int? = nil) {
    let count = count ?? Int(clamping: probe_usable_processors())
    first = EventLoop(named: "probekit-loop")
    all = [first] + (1..<max(1, count)).map { _ in EventLoop(named: "probekit-loop") }
  }

  /// The loop for an operation of the current task: the one on which the task prefers to run, or else a less
  /// busy one.
  package func forThisTask() -> EventLoop {
    let loop = preferred ?? leastBusy
    // If no thread is available for another loop, there is at least the first.
    return loop.start() ? loop : first
  }

  private var preferred: EventLoop? {
    guard all.count > 1 else { return first }
    let executor = unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor }
    guard let executor = unsafe executor else { return nil }
    return all.first { unsafe $0.asUnownedTaskExecutor() == executor }
  }

  private var leastBusy: EventLoop {
    var chosen = first
    var least = Int.max
    for loop in all {
      let load = loop.load
      if load < Self.usualLoad { return loop }
      if load < least { (chosen, least) = (loop, load) }
    }
    return chosen
  }
}
