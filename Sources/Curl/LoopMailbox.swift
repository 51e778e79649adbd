import Locking

/// What other threads ask of the loop's thread.
enum LoopMessage: Sendable {
  case start(Transfer)
  case cancel(Transfer)
  case operate(ConnectionOperation)
  case cancelOperation(ConnectionOperation)
  case stop
}

/// The only thing the loop's thread shares with others: messages, and the means to wake it.
final class LoopMailbox: Sendable {
  private struct State: Sendable {
    var multi: MultiHandle?
    var messages: [LoopMessage] = []
    var isPolling = false
  }

  private let state = Guarded(State())

  /// Starts the loop's thread unless it runs.
  ///
  /// - Returns: false when the machine has no memory, descriptor or thread left for it.
  func startLoop(handles: EasyHandlePool) -> Bool {
    state.withLock { state in
      if state.multi != nil { return true }
      guard let multi = MultiHandle() else { return false }
      let loop = EventLoop(multi: multi, mailbox: self, handles: handles)
      guard startThread(named: "probekit-curl", { loop.run() }) else { return false }
      state.multi = multi
      return true
    }
  }

  func send(_ message: LoopMessage) {
    let sleeper = state.withLock { state -> MultiHandle? in
      state.messages.append(message)
      guard state.isPolling else { return nil }
      state.isPolling = false
      return state.multi
    }
    sleeper?.wake()
  }

  /// All messages so far, in order.
  func take() -> [LoopMessage] {
    state.withLock { state in
      guard !state.messages.isEmpty else { return [] }
      let messages = state.messages
      state.messages = []
      return messages
    }
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
