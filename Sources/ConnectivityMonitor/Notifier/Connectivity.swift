internal import BundledPlugins
public import Dispatch
internal import ProbeLocking
public import ProbeCore
public import ProbePipeline

/// Tells whether there really is Internet access, over which kind of interface, and when that changes.
///
/// ```swift
/// let connectivity = try Connectivity()
/// for await state in connectivity.changes {
///   print(state.status, state.currentInterface?.name ?? "")
/// }
/// ```
/// Without arguments it asks what Connectivity for iOS asks: two pages of Apple over HTTPS, of which one must answer. That
/// tells open networks from others, but not what is in the way; ``init(_:plugins:paths:clock:)`` with a pipeline such as
/// the profile `default` of EngineProfiles asks over plain HTTP too, where captive portals answer:
/// ```swift
/// let plugins = try PluginRegistry.bundled
/// let plan = try EngineProfile.named("default")!.plan(with: plugins)
/// let connectivity = Connectivity(plan: plan, over: plugins.transports)
/// ```
/// Everything it has started ends with ``stop()``, and with the last reference to it. What ``state`` tells can be asked of
/// it directly: `connectivity.isConnectedViaWiFi`, `connectivity.currentInterface`.
@dynamicMemberLookup
public final class Connectivity: Sendable {
  private struct Calls {
    var whenConnected: (@Sendable (Connectivity) -> Void)?
    var whenDisconnected: (@Sendable (Connectivity) -> Void)?
    var observers: [@Sendable (Connectivity, ConnectivityState) -> Void] = []
    /// Where callbacks come: one at a time and in order, whatever the queue behind it does.
    var queue = CallbackQueue.over(nil)
  }

  private let engine: ConnectivityEngine
  private let calls: Guarded<Calls>
  private let configured: Guarded<ConnectivityConfiguration>
  /// Held from reading the configuration until the new one is in use, so that no change is lost to another.
  ///
  /// Apart from ``configured``, so that the configuration can be read meanwhile. The number means nothing: a value without
  /// a size would have the address of the lock behind it, and the thread sanitizer would report each use as a race.
  private let changing = Guarded(0)
  private let plugins: PluginRegistry?

  /// A monitor as configured.
  ///
  /// - Parameters:
  ///   - configuration: What to ask, how to judge it, and when.
  ///   - plugins: What probes travel by; nil for the bundled ones.
  ///   - paths: What tells of interfaces and routes; nil for ``PathMonitor``.
  ///   - clock: Measures all times.
  /// - Throws: `InvalidPlan` with everything that cannot be asked as configured, such as an unencrypted URL under
  ///   HTTPS-only; `InvalidInput` for a threshold of 0 %.
  public convenience init(
    _ configuration: ConnectivityConfiguration = ConnectivityConfiguration(),
    plugins: PluginRegistry? = nil, paths: (any PathSource)? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws {
    let plugins = try plugins ?? .bundled
    self.init(
      plan: try configuration.plan(over: plugins.transports), over: plugins.transports, plugins: plugins,
      configuration: configuration, paths: paths, clock: clock,
      random: { Double.random(in: 0..<1) })
  }

  /// A monitor that runs a plan, such as one of a pipeline file.
  ///
  /// - Parameters:
  ///   - plan: What to ask and how to judge it.
  ///   - transports: What probes travel by.
  ///   - settings: When to check, and what makes it change its mind.
  ///   - paths: What tells of interfaces and routes; nil for ``PathMonitor``.
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

  /// A monitor of parts, with numbers at random for the jitter.
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
    engine.observe { [weak self] before, after in self?.tell(before, after) }
  }

  deinit {
    engine.stop()
  }
}

extension Connectivity {
  /// What is known now; it is determining until something is.
  public var state: ConnectivityState { engine.known }

  /// What the state tells.
  public subscript<Value>(dynamicMember member: KeyPath<ConnectivityState, Value>) -> Value {
    state[keyPath: member]
  }

  /// Whether it is watching.
  public var isRunning: Bool { engine.isRunning }

  /// What is known now, and then each change of it.
  ///
  /// Iterating starts the monitor, and it stops when nobody iterates any more, unless ``start()`` was called. Any number
  /// may iterate, each at a pace of its own: a slow one gets the newest state. The loop ends with ``stop()``.
  public var changes: ConnectivityChanges<ConnectivityState> {
    ConnectivityChanges(of: self) { $0.changes() }
  }

  /// Each check that finishes, whether it changes anything or not; iterating is as with ``changes``.
  public var checks: ConnectivityChanges<ConnectivityCheck> {
    ConnectivityChanges(of: self) { $0.checks() }
  }

  /// Checks once, without starting the monitor; joins a check that is under way.
  ///
  /// - Returns: What is known then. A task that is cancelled gets what is known at once.
  public func check() async -> ConnectivityState { await engine.check() }

  /// Starts watching; does nothing when it is watching already.
  public func start() { engine.start() }

  /// Stops watching, and ends every loop over ``changes`` and ``checks``; it can be started again.
  ///
  /// It does not wait: see ``stopped()``.
  public func stop() { engine.stop() }

  /// Waits until nothing is left of what was stopped: no task, thread or descriptor.
  public func stopped() async { await engine.stopped() }

  /// Runs another plan from now on; what it says is checked anew.
  public func use(_ plan: ProbePlan, over transports: TransportRegistry? = nil) {
    engine.use(plan, over: transports)
  }

  /// Behaves otherwise from now on, and checks anew.
  public func use(_ settings: MonitorSettings) {
    changing.withLock { _ in
      configured.withLock { $0.settings = settings }
      engine.use(settings)
    }
  }
}

extension Connectivity {
  /// What it was configured with.
  public var configuration: ConnectivityConfiguration { configured.withLock(\.self) }

  /// Changes the configuration; when anything in it is wrong, all stays as it was.
  ///
  /// Several threads may do so: each change is made to what the one before has left.
  ///
  /// - Parameter change: Changes it; it must not configure or start this monitor.
  /// - Throws: `InvalidPlan` or `InvalidInput`, as the initializer does; always for a monitor that was made of a plan, where
  ///   only the settings and the queue can be changed.
  public func configure(_ change: (inout ConnectivityConfiguration) -> Void) throws {
    try changing.withLock { _ in
      let old = configuration
      var new = old
      change(&new)
      if let plugins {
        engine.use(try new.plan(over: plugins.transports), over: nil)
      } else if new.asksSomething {
        throw InvalidInput(
          "this monitor runs a plan, which says what it probes", remedy: "use another plan")
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
  /// Called when the status has changed to one with Internet access.
  public var whenConnected: (@Sendable (Connectivity) -> Void)? {
    get { calls.withLock(\.whenConnected) }
    set { calls.withLock { $0.whenConnected = newValue } }
  }

  /// Called when the status has changed to one without Internet access; not for determining.
  public var whenDisconnected: (@Sendable (Connectivity) -> Void)? {
    get { calls.withLock(\.whenDisconnected) }
    set { calls.withLock { $0.whenDisconnected = newValue } }
  }

  /// Starts watching, with callbacks on this queue; nil leaves the queue as it is.
  ///
  /// Callbacks come one at a time, in order, also on a queue that does several things at once. Without a queue they come on
  /// one of the monitor's own.
  public func startNotifier(queue: DispatchQueue? = nil) {
    if let queue {
      changing.withLock { _ in
        configured.withLock { $0.callbackQueue = queue }
        callBack(on: queue)
      }
    }
    start()
  }

  /// Stops watching.
  public func stopNotifier() { stop() }

  /// Adds somebody who is told each change of the status, where callbacks come.
  package func observe(_ observer: @escaping @Sendable (Connectivity, ConnectivityState) -> Void) {
    calls.withLock { $0.observers.append(observer) }
  }

  /// Listens to what works behind this.
  func listen<Heard>(_ body: (ConnectivityEngine) -> Heard) -> Heard { body(engine) }

  private func tell(_ before: ConnectivityState, _ after: ConnectivityState) {
    guard after.status != before.status else { return }
    let calls = calls.withLock(\.self)
    let call = after.isConnected ? calls.whenConnected : calls.whenDisconnected
    let isTold = after.status != .determining
    guard !calls.observers.isEmpty || (isTold && call != nil) else { return }
    calls.queue.async { [weak self] in
      guard let self else { return }
      for observer in calls.observers { observer(self, after) }
      if isTold { call?(self) }
    }
  }
}

/// Queues for callbacks.
private enum CallbackQueue {
  /// A queue of our own over another one, or over none in particular.
  static func over(_ queue: DispatchQueue?) -> DispatchQueue {
    DispatchQueue(label: "probekit-connectivity", target: queue)
  }
}
