internal import ProbeBase
package import ProbeSystem

/// Looks up the addresses of a host, for a connection that is established later.
///
/// It is set up on the caller's thread, and then used on the loop's thread only.
package final class LookupOperation {
  private enum State {
    case new, running, ended
  }

  private let destination: Destination
  private let deadline: ContinuousClock.Instant
  private let began: ContinuousClock.Instant
  private var state = State.new
  private var resolution: NameResolution
  /// A lookup by the C library, which would otherwise continue after the end.
  private var lookup: PendingLookup?
  private var timer: LoopTimer?
  private var waiter: CheckedContinuation<Void, Never>?
  private let fence = MemoryFence()
  /// The result, once it has ended, in the form of a connection's; it failed if it has no `resolved` time.
  package private(set) var outcome = ConnectOperation.Outcome()

  package init(
    of destination: Destination, since began: ContinuousClock.Instant, deadline: ContinuousClock.Instant
  ) {
    self.destination = destination
    self.began = began
    self.deadline = deadline
    resolution = NameResolution(destination.families)
  }

  /// Runs the lookup on a loop; must be called once.
  package func run(on loop: EventLoop) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiter = continuation
        loop.start(self)
      }
    } onCancel: {
      loop.cancel(self)
    }
    fence.acquire()
  }
}

// Safe because of the hand-over: the caller's thread stops using it before the loop's thread starts, with the
// mailbox's lock between the two.
extension LookupOperation: @unchecked Sendable {}

extension LookupOperation: LoopOperation, TimerReceiver {
  package func start(on thread: LoopThread) {
    guard state == .new else { return resume() }
    state = .running
    lookup = thread.part(Resolver.self)?.lookUp(
      destination.host, destination.families, at: destination.resolver
    ) {
      [weak self] families, result in
      guard let self, self.state == .running else { return }
      self.resolution.take(result, for: families, at: self.elapsed)
      self.advance(on: thread)
    }
    advance(on: thread)
  }

  package func cancel(on thread: LoopThread) {
    // Before the start it has no waiter yet.
    if state == .new { state = .ended } else { end(.cancelled, on: thread) }
  }

  package func timerFired(on thread: LoopThread) {
    timer = nil
    if deadline <= .now { end(.timedOut, on: thread) } else { advance(on: thread) }
  }

  private var elapsed: Duration { began.duration(to: .now) }

  private func advance(on thread: LoopThread) {
    guard state == .running else { return }
    switch resolution.next(at: elapsed) {
    case .wait(let moment):
      if let timer { thread.cancel(timer) }
      timer = thread.setTimer(at: moment.map { min(began + $0, deadline) } ?? deadline, for: self)
    case .found:
      outcome.resolved = elapsed
      end(.notConnected, on: thread)
    case .notFound(let error): end(.notFound(error), on: thread)
    }
  }

  private func end(_ ending: ConnectOperation.Ending, on thread: LoopThread) {
    guard state == .running else { return }
    state = .ended
    if let timer { thread.cancel(timer) }
    timer = nil
    lookup?.cancel()
    lookup = nil
    outcome.ending = ending
    outcome.names = resolution.names
    outcome.finished = elapsed
    resume()
  }

  private func resume() {
    fence.release()
    waiter?.resume()
    waiter = nil
  }
}
