internal import ProbeBase
internal import ProbeCore
public import Dispatch

/// Monitors whether a host, an address, the Internet in general or a local Wi-Fi network can be reached.
///
/// It does so from this machine's interfaces and routes. Nothing is sent to the target: a reachable target
/// need not respond. Only names are resolved, by the observer's resolver: when monitoring starts, after each
/// change of the path, and again while lookups fail. Addresses, the Internet and Wi-Fi need no lookup. The
/// kernel itself is queried for the routes to addresses.
///
///     let observer = ReachabilityObserver(.host("example.com"), paths: try PathMonitor())
///     for await reachability in observer.changes() { print(reachability) }
public final class ReachabilityObserver: Sendable {
  /// The monitored target.
  public let target: ReachabilityTarget
  private let core: ReachabilityCore

  /// An observer, which monitors once it is started, or while its changes are read.
  ///
  /// - Parameters:
  ///   - target: The target to monitor.
  ///   - paths: The source of interfaces and routes, which may serve many observers.
  ///   - resolver: Resolves the host's name.
  public convenience init(
    _ target: ReachabilityTarget, paths: any PathSource, resolver: HostResolver = .system
  ) {
    self.init(target, paths: paths, resolver: resolver, clock: ContinuousClock())
  }

  /// An observer whose delays use the given clock.
  package init(
    _ target: ReachabilityTarget, paths: any PathSource, resolver: HostResolver, clock: any Clock<Duration>
  ) {
    self.target = target
    core = ReachabilityCore(
      ReachabilityParts(target: target, paths: paths, resolver: resolver, clock: clock))
  }

  deinit {
    core.stop()
  }

  /// Whether the target can be reached.
  ///
  /// While the observer is not running, each access determines this again; a host is then undetermined,
  /// because names are resolved only while the observer runs.
  public var reachability: Reachability { core.reachability }

  /// The current reachability of the target, and then each change of it.
  ///
  /// Reading starts the observer and keeps it alive; when the last reader has left, it stops unless it was
  /// started by ``start(queue:whenChanged:)``. A host is undetermined at first. A slow reader receives the
  /// newest value and misses those in between.
  public func changes() -> AsyncStream<Reachability> {
    core.changes(keeping: self)
  }

  /// Monitors until ``stop()``, or until the observer is released; a running observer calls back immediately.
  ///
  /// - Parameters:
  ///   - queue: The queue for callbacks, or nil for any.
  ///   - whenChanged: Receives the current reachability and then each change, one after the other. It
  ///     replaces that of an earlier call.
  public func start(
    queue: DispatchQueue? = nil, whenChanged: @escaping @Sendable (Reachability) -> Void = { _ in }
  ) {
    core.start { reachability in
      if let queue { queue.async { whenChanged(reachability) } } else { whenChanged(reachability) }
    }
  }

  /// Ends the monitoring started by ``start(queue:whenChanged:)``; a callback in progress completes.
  public func stop() {
    core.stop()
  }
}

/// What a ``ReachabilityObserver`` monitors, and with what.
struct ReachabilityParts: Sendable {
  let target: ReachabilityTarget
  let paths: any PathSource
  let resolver: HostResolver
  let clock: any Clock<Duration>
}

/// One run of a ``ReachabilityObserver``: follows the path, resolves names, and reports the results.
actor ReachabilityRun {
  private let parts: ReachabilityParts
  private let publish: @Sendable (Reachability) -> Void
  private var lookups = HostLookups()
  private var path: NetworkPath?
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var nextTask = 0
  private var hasEnded = false

  init(_ parts: ReachabilityParts, publish: @escaping @Sendable (Reachability) -> Void) {
    self.parts = parts
    self.publish = publish
  }

  /// Follows the path until it ends, or the task is cancelled.
  func follow() async {
    for await path in parts.paths.changes() {
      guard !Task.isCancelled else { break }
      self.path = path
      if parts.target.hostName != nil { perform(lookups.pathChanged()) }
      report()
    }
    hasEnded = true
    for task in tasks.values { task.cancel() }
  }

  private func report() {
    guard let path, !hasEnded else { return }
    publish(parts.target.reachability(on: path, addresses: lookups.addresses, from: parts.paths))
  }

  private func perform(_ action: HostLookups.Action?) {
    guard let action, let name = parts.target.hostName, !hasEnded else { return }
    nextTask += 1
    let task = nextTask
    tasks[task] = Task { [parts] in
      let next: HostLookups.Action?
      switch action {
      case .start(let number):
        let answer = await parts.resolver.resolve(name)
        next = lookups.finished(number, answer)
        report()
      case .wait(let pause, let number):
        try? await parts.clock.sleep(for: pause)
        next = lookups.pauseEnded(number)
      }
      tasks[task] = nil
      perform(next)
    }
  }
}

extension ReachabilityTarget {
  /// Whether the target can be reached on a path; queries the source for routes.
  func reachability(on path: NetworkPath, addresses: [IPAddress]?, from paths: any PathSource) -> Reachability
  {
    do throws(PathFailure) {
      return try reachability(on: path, addresses: addresses) { address throws(PathFailure) in
        try paths.route(to: address)
      }
    } catch {
      // Without a response to the query, nothing is known.
      return .undetermined
    }
  }
}

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

  private let parts: ReachabilityParts
  private let newest = ValueBroadcaster(Reachability.undetermined)
  private let state = Guarded(State())

  init(_ parts: ReachabilityParts) {
    self.parts = parts
  }

  var reachability: Reachability {
    let isRunning = state.withLock { $0.run != nil }
    return isRunning ? newest.value : present
  }

  /// The reachability as far as it is known without resolving a name.
  private var present: Reachability {
    parts.target.reachability(on: parts.paths.path, addresses: nil, from: parts.paths)
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
      let run = ReachabilityRun(parts) { [weak self] in self?.publish($0, of: number) }
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
