public import Dispatch
internal import ProbeCore

/// Watches whether a host, an address, the Internet in general or a local Wi-Fi network can be reached, as far as this
/// machine's interfaces and routes tell.
///
/// Nothing is sent to the target: that something is reachable does not mean that it answers. Only names are looked up, by
/// the observer's resolver: when watching starts, after each change of the path, and again while nobody can tell. Addresses,
/// the Internet and Wi-Fi are known without. For the ways to addresses the kernel itself is asked.
///
///     let observer = ReachabilityObserver(.host("example.com"), paths: try PathMonitor())
///     for await reachability in observer.changes() { print(reachability) }
public final class ReachabilityObserver: Sendable {
  /// What is watched.
  public let target: ReachabilityTarget
  private let core: ReachabilityCore

  /// An observer; it watches when it is started, or when its changes are read.
  ///
  /// - Parameters:
  ///   - target: What to watch.
  ///   - paths: What tells of interfaces and routes; it may serve many observers.
  ///   - resolver: Looks the host's name up.
  public convenience init(
    _ target: ReachabilityTarget, paths: any PathSource, resolver: HostResolver = .system
  ) {
    self.init(target, paths: paths, resolver: resolver, clock: ContinuousClock())
  }

  /// An observer whose pauses are those of a clock.
  package init(
    _ target: ReachabilityTarget, paths: any PathSource, resolver: HostResolver, clock: any Clock<Duration>
  ) {
    self.target = target
    core = ReachabilityCore(target, paths: paths, resolver: resolver, clock: clock)
  }

  deinit {
    core.stop()
  }

  /// Whether the target can be reached.
  ///
  /// While nobody watches, that is found out anew each time; a host is then undetermined, because its name is looked up by
  /// observers only that watch.
  public var reachability: Reachability { core.reachability }

  /// Whether the target can be reached, and then each change of that.
  ///
  /// Reading starts the observer, and keeps it alive; when the last reader has left, it stops unless it was started by
  /// ``start(queue:whenChanged:)``. A host is undetermined at first. A slow reader gets the newest, and misses those between.
  public func changes() -> AsyncStream<Reachability> {
    core.changes(keeping: self)
  }

  /// Watches until ``stop()``, or until nobody holds the observer any more; at once when it watches already.
  ///
  /// - Parameters:
  ///   - queue: Where changes are told, or nil for anywhere.
  ///   - whenChanged: Told of the present state, and then of each change, one after the other. It replaces the one of an
  ///     earlier call.
  public func start(
    queue: DispatchQueue? = nil, whenChanged: @escaping @Sendable (Reachability) -> Void = { _ in }
  ) {
    core.start { reachability in
      if let queue { queue.async { whenChanged(reachability) } } else { whenChanged(reachability) }
    }
  }

  /// Ends what ``start(queue:whenChanged:)`` began; a call that is under way comes to its end.
  public func stop() {
    core.stop()
  }
}

/// One run of a ``ReachabilityObserver``, from its start to its stop: follows the path, looks names up, and tells what
/// comes of it.
actor ReachabilityRun {
  private let target: ReachabilityTarget
  private let paths: any PathSource
  private let resolver: HostResolver
  private let clock: any Clock<Duration>
  private let publish: @Sendable (Reachability) -> Void
  private var lookups = HostLookups()
  private var path: NetworkPath?
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var nextTask = 0
  private var hasEnded = false

  init(
    _ target: ReachabilityTarget, paths: any PathSource, resolver: HostResolver, clock: any Clock<Duration>,
    publish: @escaping @Sendable (Reachability) -> Void
  ) {
    self.target = target
    self.paths = paths
    self.resolver = resolver
    self.clock = clock
    self.publish = publish
  }

  /// Follows the path until it ends, or the task is cancelled.
  func follow() async {
    for await path in paths.changes() {
      guard !Task.isCancelled else { break }
      self.path = path
      if target.hostName != nil { perform(lookups.pathChanged()) }
      tell()
    }
    hasEnded = true
    for task in tasks.values { task.cancel() }
  }

  private func tell() {
    guard let path, !hasEnded else { return }
    publish(target.reachability(on: path, addresses: lookups.addresses, from: paths))
  }

  private func perform(_ action: HostLookups.Action?) {
    guard let action, let name = target.hostName, !hasEnded else { return }
    nextTask += 1
    let task = nextTask
    tasks[task] = Task { [resolver, clock] in
      let next: HostLookups.Action?
      switch action {
      case .start(let number):
        let answer = await resolver.answer(for: name)
        next = lookups.finished(number, answer)
        tell()
      case .wait(let pause, let number):
        try? await clock.sleep(for: pause)
        next = lookups.pauseEnded(number)
      }
      tasks[task] = nil
      perform(next)
    }
  }
}

extension ReachabilityTarget {
  /// Whether the target can be reached on a path, asking its source for routes.
  func reachability(on path: NetworkPath, addresses: [IPAddress]?, from paths: any PathSource) -> Reachability
  {
    do throws(PathFailure) {
      return try reachability(on: path, addresses: addresses) { address throws(PathFailure) in
        try paths.route(to: address)
      }
    } catch {
      // Who cannot ask does not know.
      return .undetermined
    }
  }
}
