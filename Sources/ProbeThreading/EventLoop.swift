import ProbeLocking
internal import Glibc
internal import Synchronization

/// Something that is begun on a loop's thread, goes on there, and can be cancelled.
package protocol LoopOperation: AnyObject, Sendable {
  /// Begins; called once.
  func start(on thread: LoopThread)
  /// Ends early; it may come before the start, and after the end.
  func cancel(on thread: LoopThread)
}

/// One thread that waits for many descriptors and moments, and runs tasks in between.
///
/// The thread starts when it is first needed and ends with the last reference to the loop.
package final class EventLoop: Sendable {
  private let mailbox: LoopMailbox
  private let underway = Atomic(0)

  /// A loop; its thread starts when it is first used.
  ///
  /// - Parameter name: What debuggers call the thread, at most 15 bytes.
  package init(named name: String) {
    mailbox = LoopMailbox(threadName: name)
  }

  deinit {
    mailbox.stopThread(waiting: false)
  }

  /// Ends the thread when it has done what was asked for so far, and waits for it; not to be called on it.
  ///
  /// Nothing can be begun any more.
  package func end() {
    mailbox.stopThread(waiting: true)
  }

  /// How many operations are under way.
  package var load: Int { underway.load(ordering: .relaxed) }

  /// Notes that an operation begins, or has ended.
  package func addLoad(_ count: Int) {
    underway.add(count, ordering: .relaxed)
  }

  /// Starts the thread unless it runs.
  ///
  /// - Returns: false when the machine has no memory, descriptor or thread left for it.
  package func start() -> Bool { mailbox.startThread() }

  /// The loop's thread when it is the calling one, or else nil.
  package var current: LoopThread? { mailbox.current }

  /// Begins an operation: at once on the loop's thread, by a message to it from others.
  package func start(_ operation: any LoopOperation) {
    if let thread = current { return operation.start(on: thread) }
    mailbox.send(.start(operation))
  }

  /// Begins an operation after what else the loop's thread has to do.
  package func startInTurn(_ operation: any LoopOperation) {
    mailbox.send(.start(operation))
  }

  /// Cancels an operation, in the order of messages: one that was begun before has begun by then.
  package func cancel(_ operation: any LoopOperation) {
    mailbox.send(.cancel(operation))
  }
}

/// Tasks that prefer the loop run on its thread: no thread has to be woken when one of them begins something there, nor
/// when that ends.
extension EventLoop: TaskExecutor {
  /// Runs a piece of a task on the loop's thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if start() {
      mailbox.send(.run(job, on: self))
    } else {
      // Without a thread of its own the loop begins nothing else either; the task has to go on to say so.
      globalConcurrentExecutor.enqueue(job)
    }
  }
}

/// What other threads ask of the loop's thread.
enum LoopMessage: Sendable {
  case start(any LoopOperation)
  case cancel(any LoopOperation)
  /// A piece of a task that prefers the loop; the reference keeps the loop until it has run.
  case run(UnownedJob, on: EventLoop)
  case stop
}

/// The only thing the loop's thread shares with others: messages, and the means to wake it.
@safe final class LoopMailbox: Sendable {
  private struct State: Sendable {
    var poller: Poller?
    var messages: [LoopMessage] = []
    var isPolling = false
    /// To be joined or let go.
    var thread: WorkerThread?
  }

  private let threadName: String
  private let state = Guarded(State())
  /// Whether the loop has a thread; it is asked with every operation.
  private let hasThread = Atomic(false)
  /// The loop's thread, as pthread_self(3) has it there; 0 before it runs.
  private let identity = Atomic<UInt>(0)
  // Written and read by the loop's thread alone, and gone before that thread lets it go.
  private nonisolated(unsafe) unowned(unsafe) var thread: LoopThread?

  init(threadName: String) {
    self.threadName = threadName
  }

  /// Starts the loop's thread unless it runs.
  ///
  /// - Returns: false when the machine has no memory, descriptor or thread left for it.
  func startThread() -> Bool {
    if hasThread.load(ordering: .relaxed) { return true }
    return state.withLock { state in
      if state.poller != nil { return true }
      guard let poller = Poller() else { return false }
      let loop = LoopThread(poller, self)
      let body: @Sendable () -> Void = { [self] in
        unsafe thread = loop
        identity.store(UInt(pthread_self()), ordering: .relaxed)
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

  /// Ends the thread, if there is one that nobody has ended.
  func stopThread(waiting: Bool) {
    guard let thread = state.withLock({ $0.thread.take() }) else { return }
    send(.stop)
    if waiting { thread.join() } else { thread.detach() }
  }

  /// The loop's thread when it is the calling one.
  var current: LoopThread? {
    identity.load(ordering: .relaxed) == UInt(pthread_self()) ? unsafe thread : nil
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

  /// Exchanges an empty array for all messages so far, in order; both arrays keep their room.
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
