public import Dispatch
internal import ProbeBase
public import ProbeCore
public import ProbePipeline

/// Reports whether there really is Internet access, over which kind of interface, and when that changes.
///
/// ```swift
/// let connectivity = try Connectivity(plugins: .bundled)
/// for await state in connectivity.changes {
///   print(state.status, state.currentInterface?.name ?? "")
/// }
/// ```
/// By default it requests what Connectivity for iOS requests: two Apple pages over HTTPS, one of which must
/// be accepted. That distinguishes open networks from others, but does not identify the obstacle;
/// ``init(_:plugins:paths:clock:)`` with a pipeline such as the profile `default` of EngineProfiles also
/// sends requests over plain HTTP, which captive portals intercept:
/// ```swift
/// let plugins = try PluginRegistry.bundled
/// let plan = try EngineProfile.named("default")!.plan(with: plugins)
/// let connectivity = Connectivity(plan: plan, over: plugins.transports)
/// ```
/// ``stop()`` ends everything that it has started, and so does releasing the last reference to it. The
/// properties of ``state`` are also available on the monitor itself: `connectivity.isConnectedViaWiFi`,
/// `connectivity.currentInterface`.
@dynamicMemberLookup
public final class Connectivity: Sendable {
  private struct Calls {
    var whenConnected: (@Sendable (Connectivity) -> Void)?
    var whenDisconnected: (@Sendable (Connectivity) -> Void)?
    var observers: [@Sendable (Connectivity, ConnectivityState) -> Void] = []
    /// The queue for callbacks: one at a time and in order, even if the target queue is concurrent.
    var queue = CallbackQueue.over(nil)
  }

  private let engine: ConnectivityEngine
  private let calls: Guarded<Calls>
  private let configured: Guarded<ConnectivityConfiguration>
  /// Held from reading the configuration until the new one is in use, so that concurrent changes are not
  /// lost.
  ///
  /// It is separate from ``configured``, so that the configuration remains readable meanwhile. The number has
  /// no meaning: a zero-sized value would have the address of the lock that follows it, and the thread
  /// sanitizer would report each use as a race.
  private let changing = Guarded(0)
  private let plugins: PluginRegistry?

  /// A monitor with a configuration.
  ///
  /// - Parameters:
  ///   - configuration: The probes, the validation of their responses, and the schedule of checks.
  ///   - plugins: The registry of transports, such as `.bundled` of BundledPlugins.
  ///   - paths: The source of interfaces and routes; nil for ``PathMonitor``.
  ///   - clock: Measures all times.
  /// - Throws: `InvalidPlan` with everything that cannot be probed as configured, such as an unencrypted URL
  ///   under HTTPS-only; `InvalidInput` for a threshold of 0 %.
  public convenience init(
    _ configuration: ConnectivityConfiguration = ConnectivityConfiguration(),
    plugins: PluginRegistry, paths: (any PathSource)? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws {
    self.init(
      plan: try configuration.plan(over: plugins.transports), over: plugins.transports, plugins: plugins,
      configuration: configuration, paths: paths, clock: clock,
      random: { Double.random(in: 0..<1) })
  }

  /// A monitor that runs a plan, such as one of a pipeline file.
  ///
  /// - Parameters:
  ///   - plan: The probes and the validation of their responses.
  ///   - transports: The transports of the probes.
  ///   - settings: The schedule of checks, and the number of results that change the status.
  ///   - paths: The source of interfaces and routes; nil for ``PathMonitor``.
  ///   - clock: Measures all times.
  public convenience init(
    plan: ProbePlan, over transports: TransportRegistry, settings: MonitorSettings = MonitorSettings(),
    paths: (any PathSource)? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    var configuration = ConnectivityConfiguration()
    configuration.settings = settings
    self.init(
      plan: plan, over: transports, plugins: nil, configuration: configuration, paths: paths, clock: clock,
      random: { Double.random(in: 0..<1) })
  }

  /// A monitor with its dependencies, and random numbers for the jitter.
  init(
    plan: ProbePlan, over transports: TransportRegistry, plugins: PluginRegistry?,
    configuration: ConnectivityConfiguration, paths: (any PathSource)?, clock: any Clock<Duration>,
    random: @escaping @Sendable () -> Double
  ) {
    self.plugins = plugins
    configured = Guarded(configuration)
    calls = Guarded(Calls(queue: CallbackQueue.over(configuration.callbackQueue)))
    engine = ConnectivityEngine(
      MonitorLoop.Parts(
        plan: plan, transports: transports, settings: configuration.settings,
        paths: { () throws(PathFailure) in
          if let paths { return paths }
          return try PathMonitor()
        }, clock: clock, random: random))
    engine.observe { [weak self] before, after in self?.notify(before, after) }
  }

  deinit {
    engine.stop()
  }
}

extension Connectivity {
  /// The current state; its status is ``ConnectivityStatus/determining`` until the first result.
  public var state: ConnectivityState { engine.known }

  /// A property of the state.
  public subscript<Value>(dynamicMember member: KeyPath<ConnectivityState, Value>) -> Value {
    state[keyPath: member]
  }

  /// Whether the monitor is running.
  public var isRunning: Bool { engine.isRunning }

  /// The current state, and then each change of it.
  ///
  /// Iterating starts the monitor, which stops when the last iteration ends, unless ``start()`` was called.
  /// Any number of loops may iterate, each at its own pace: a slow one receives the newest state. The loop
  /// ends with ``stop()``.
  public var changes: ConnectivityChanges<ConnectivityState> {
    ConnectivityChanges(of: self) { $0.changes() }
  }

  /// Each check that finishes, even if it changes nothing; iterating works as for ``changes``.
  public var checks: ConnectivityChanges<ConnectivityCheck> {
    ConnectivityChanges(of: self) { $0.checks() }
  }

  /// Checks once without starting the monitor; joins a check that is in progress.
  ///
  /// - Returns: The state after the check. If the task is cancelled, returns the current state immediately.
  public func check() async -> ConnectivityState { await engine.check() }

  /// Starts monitoring; does nothing if it is already running.
  public func start() { engine.start() }

  /// Stops monitoring and ends every loop over ``changes`` and ``checks``; the monitor can be started again.
  ///
  /// This method returns immediately: see ``stopped()``.
  public func stop() { engine.stop() }

  /// Waits until all stopped activity has ended, and its tasks, threads and descriptors are released.
  public func stopped() async { await engine.stopped() }

  /// Runs another plan from now on, and checks again.
  public func use(_ plan: ProbePlan, over transports: TransportRegistry? = nil) {
    engine.use(plan, over: transports)
  }

  /// Uses other settings from now on, and checks again.
  public func use(_ settings: MonitorSettings) {
    changing.withLock { _ in
      configured.withLock { $0.settings = settings }
      engine.use(settings)
    }
  }
}

extension Connectivity {
  /// The current configuration.
  public var configuration: ConnectivityConfiguration { configured.withLock(\.self) }

  /// Changes the configuration; if the new one is invalid, the old one remains in use.
  ///
  /// Several threads may call this: each change applies to the result of the previous one.
  ///
  /// - Parameter change: Changes it; it must not configure or start this monitor.
  /// - Throws: `InvalidPlan` or `InvalidInput`, as the initializer does; a monitor that was created with a
  ///   plan throws for any change other than to the settings and the queue.
  public func configure(_ change: (inout ConnectivityConfiguration) -> Void) throws {
    try changing.withLock { _ in
      let old = configuration
      var new = old
      change(&new)
      if let plugins {
        engine.use(try new.plan(over: plugins.transports), over: nil)
      } else if new.changesPlan {
        throw InvalidInput(
          "this monitor runs a plan, which determines its probes", remedy: "use another plan")
      }
      configured.withLock { $0 = new }
      if new.callbackQueue !== old.callbackQueue { callBack(on: new.callbackQueue) }
      engine.use(new.settings)
    }
  }

  private func callBack(on queue: DispatchQueue?) {
    calls.withLock { $0.queue = CallbackQueue.over(queue) }
  }
}

extension Connectivity {
  /// Called when the status changes to one with Internet access.
  public var whenConnected: (@Sendable (Connectivity) -> Void)? {
    get { calls.withLock(\.whenConnected) }
    set { calls.withLock { $0.whenConnected = newValue } }
  }

  /// Called when the status changes to one without Internet access; not called for
  /// ``ConnectivityStatus/determining``.
  public var whenDisconnected: (@Sendable (Connectivity) -> Void)? {
    get { calls.withLock(\.whenDisconnected) }
    set { calls.withLock { $0.whenDisconnected = newValue } }
  }

  /// Starts monitoring, with callbacks on this queue; nil leaves the queue unchanged.
  ///
  /// Callbacks are called one at a time, in order, even on a concurrent queue. By default they are called on
  /// a private queue of the monitor.
  public func startNotifier(queue: DispatchQueue? = nil) {
    if let queue {
      changing.withLock { _ in
        configured.withLock { $0.callbackQueue = queue }
        callBack(on: queue)
      }
    }
    start()
  }

  /// Stops monitoring.
  public func stopNotifier() { stop() }

  /// Adds an observer of each status change, called on the callback queue.
  package func observe(_ observer: @escaping @Sendable (Connectivity, ConnectivityState) -> Void) {
    calls.withLock { $0.observers.append(observer) }
  }

  /// Subscribes to the engine.
  func listen<Heard>(_ body: (ConnectivityEngine) -> Heard) -> Heard { body(engine) }

  private func notify(_ before: ConnectivityState, _ after: ConnectivityState) {
    guard after.status != before.status else { return }
    let calls = calls.withLock(\.self)
    let call = after.isConnected ? calls.whenConnected : calls.whenDisconnected
    let isReported = after.status != .determining
    guard !calls.observers.isEmpty || (isReported && call != nil) else { return }
    calls.queue.async { [weak self] in
      guard let self else { return }
      for observer in calls.observers { observer(self, after) }
      if isReported { call?(self) }
    }
  }
}

private enum CallbackQueue {
  /// A private queue that targets the given one, if any.
  static func over(_ queue: DispatchQueue?) -> DispatchQueue {
    DispatchQueue(label: "probekit-connectivity", target: queue)
  }
}
