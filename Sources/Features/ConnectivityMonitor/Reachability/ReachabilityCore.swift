internal import ProbeBase

/// The implementation of a ``ReachabilityObserver``: counts its users, and runs while there are any.
///
/// It does not keep the observer alive.
final class ReachabilityCore: Sendable {
  private struct State: Sendable {
    var users = 0
    var run: Task<Void, Never>?
    /// Distinguishes runs: results of a stopped run do not count.
    var number = 0
    var callback: Task<Void, Never>?
  }

  private let target: ReachabilityTarget
  private let paths: any PathSource
  private let resolver: HostResolver
  private let clock: any Clock<Duration>
  private let newest = NewestValue(Reachability.undetermined)
  private let state = Guarded(State())

  init(
    _ target: ReachabilityTarget, paths: any PathSource, resolver: HostResolver, clock: any Clock<Duration>
  ) {
    self.target = target
    self.paths = paths
    self.resolver = resolver
    self.clock = clock
  }

  var reachability: Reachability {
    let isRunning = state.withLock { $0.run != nil }
    return isRunning ? newest.value : present
  }

  /// The reachability as far as it is known without resolving a name.
  private var present: Reachability {
    target.reachability(on: paths.path, addresses: nil, from: paths)
  }

  /// The current reachability and each change; monitors meanwhile.
  ///
  /// - Parameter source: Kept alive until the last listener of this stream is gone.
  /// - Returns: A stream that keeps the newest state only.
  func changes(keeping source: some AnyObject & Sendable) -> AsyncStream<Reachability> {
    enter()
    return newest.changes(keeping: source) { [self] in leave() }
  }

  /// Starts monitoring with a callback, which replaces an earlier one.
  func start(_ callback: @escaping @Sendable (Reachability) -> Void) {
    let stream = changes(keeping: self)
    let task = Task {
      for await reachability in stream {
        guard !Task.isCancelled else { return }
        callback(reachability)
      }
    }
    state.withLock { state in
      let old = state.callback
      state.callback = task
      return old
    }?.cancel()
  }

  /// Stops monitoring for the callback.
  func stop() {
    state.withLock { state in
      defer { state.callback = nil }
      return state.callback
    }?.cancel()
  }

  private func enter() {
    let first = present
    state.withLock { state in
      state.users += 1
      guard state.run == nil else { return }
      state.number += 1
      let number = state.number
      newest.set(first)
      let run = ReachabilityRun(target, paths: paths, resolver: resolver, clock: clock) { [weak self] in
        self?.publish($0, of: number)
      }
      state.run = Task { await run.follow() }
    }
    newest.notify()
  }

  private func leave() {
    state.withLock { state -> Task<Void, Never>? in
      state.users -= 1
      guard state.users == 0 else { return nil }
      defer { state.run = nil }
      return state.run
    }?.cancel()
  }

  private func publish(_ reachability: Reachability, of number: Int) {
    state.withLock { state in
      guard state.number == number, state.run != nil else { return }
      newest.set(reachability)
    }
    // Not under the lock, which the cancellation of a listener needs.
    newest.notify()
  }
}
