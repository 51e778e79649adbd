internal import ProbeCore

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
