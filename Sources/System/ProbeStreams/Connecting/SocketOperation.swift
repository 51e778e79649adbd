internal import ProbeBase
package import ProbeSystem

/// A receive or send operation that waits for its connection.
///
/// It is set up on the caller's thread, and then used on the loop's thread only.
package final class SocketOperation {
  package enum Kind {
    case receive(upTo: Int)
    /// If the rest may be left, it ends as soon as there is something to receive.
    case send([UInt8], leavesRest: Bool)
  }

  private enum State {
    /// The message that starts it has not arrived; until then the caller sets its waiter.
    case new
    case waiting
    case ended
  }

  private let socket: LoopSocket
  private let kind: Kind
  private let deadline: ContinuousClock.Instant
  private var sent: Int
  private var state = State.new
  private var timer: LoopTimer?
  // Only checked continuations: the thread sanitizer reports the runtime's hand-over of others as a race.
  private var waiter: CheckedContinuation<SocketOutcome, Never>?
  private let fence = MemoryFence()

  private init(_ kind: Kind, sent: Int, on socket: LoopSocket, deadline: ContinuousClock.Instant) {
    self.kind = kind
    self.sent = sent
    self.socket = socket
    self.deadline = deadline
  }

  /// Runs the operation on the socket's loop.
  package static func run(
    _ kind: Kind, on socket: LoopSocket, of loop: EventLoop, deadline: ContinuousClock.Instant
  ) async -> SocketOutcome {
    if Task.isCancelled { return .cancelled }
    // If bytes are always available, no timer is ever set.
    if deadline <= .now { return .timedOut }
    var sent = 0
    let isItsTurn = socket.takesTurn()
    // Almost everything that is sent fits at once, and much of what is received is available already.
    if isItsTurn, let thread = loop.current,
      let outcome = attempt(kind, on: socket, sent: &sent, thread)
    {
      return outcome
    }
    let operation = SocketOperation(kind, sent: sent, on: socket, deadline: deadline)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        operation.waiter = continuation
        if isItsTurn { loop.start(operation) } else { loop.startInTurn(operation) }
      }
    } onCancel: {
      loop.cancel(operation)
    }
    operation.fence.acquire()
    return outcome
  }
}

// Safe because of the hand-over: the caller's thread stops using it before the loop's thread starts, with the
// mailbox's lock between the two.
extension SocketOperation: @unchecked Sendable {}

extension SocketOperation: LoopOperation, TimerReceiver {
  package func start(on thread: LoopThread) {
    guard state == .new else { return resume(.cancelled) }
    state = .waiting
    if let outcome = Self.attempt(kind, on: socket, sent: &sent, thread) { return end(outcome, on: thread) }
    timer = thread.setTimer(at: deadline, for: self)
    socket.wait(self)
  }

  package func cancel(on thread: LoopThread) {
    // Before the start it has no waiter yet.
    if state == .new { state = .ended } else { end(.cancelled, on: thread) }
  }

  package func timerFired(on thread: LoopThread) {
    timer = nil
    end(.timedOut, on: thread)
  }

  /// Continues after an event on the connection.
  func resume(on thread: LoopThread) {
    if let outcome = Self.attempt(kind, on: socket, sent: &sent, thread) { end(outcome, on: thread) }
  }

  private static func attempt(
    _ kind: Kind, on socket: LoopSocket, sent: inout Int, _ thread: LoopThread
  ) -> SocketOutcome? {
    switch kind {
    case .receive(let limit): socket.receive(upTo: limit, on: thread)
    case .send(let bytes, let leavesRest): socket.send(bytes, from: &sent, leavesRest: leavesRest)
    }
  }

  private func end(_ outcome: SocketOutcome, on thread: LoopThread) {
    guard state == .waiting else { return }
    state = .ended
    socket.wait(nil)
    if let timer { thread.cancel(timer) }
    timer = nil
    resume(outcome)
  }

  private func resume(_ outcome: SocketOutcome) {
    fence.release()
    waiter?.resume(returning: outcome)
    waiter = nil
  }
}
