public import Dispatch

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
