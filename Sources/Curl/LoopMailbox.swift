import Locking
internal import Synchronization
import Threading

/// What other threads ask of the loop's thread.
enum LoopMessage: Sendable {
  case start(Transfer)
  case cancel(Transfer)
  case operate(ConnectionOperation)
  case cancelOperation(ConnectionOperation)
  /// A piece of a task that prefers the loop; the reference keeps the loop until it has run.
  case run(UnownedJob, on: CurlLoop)
  case stop
}

/// The only thing the loop's thread shares with others: messages, and the means to wake it.
final class LoopMailbox: Sendable {
  private struct State: Sendable {
    var poller: Poller?
    var messages: [LoopMessage] = []
    var isPolling = false
  }

  private let state = Guarded(State())
  /// Whether the loop has a thread; it is asked with every transfer.
  private let hasThread = Atomic(false)

  /// Starts the loop's thread unless it runs.
  ///
  /// - Returns: false when the machine has no memory, descriptor or thread left for it.
  func startLoop(handles: EasyHandlePool) -> Bool {
    if hasThread.load(ordering: .relaxed) { return true }
    return state.withLock { state in
      if state.poller != nil { return true }
      guard let multi = MultiHandle(), let poller = Poller() else { return false }
      let loop = EventLoop(MultiDriver(multi, poller), mailbox: self, handles: handles)
      guard let thread = try? WorkerThread(named: "probekit-curl", { loop.run() }) else { return false }
      thread.detach()
      state.poller = poller
      hasThread.store(true, ordering: .relaxed)
      return true
    }
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
