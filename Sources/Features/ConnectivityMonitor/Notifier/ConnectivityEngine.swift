import ProbeBase
import ProbeCore
import ProbePipeline

/// The implementation of a ``Connectivity``: it starts and stops the loop, and keeps the listeners.
///
/// It has no reference to the ``Connectivity``, so releasing that ends everything it has started.
final class ConnectivityEngine: Sendable {
  /// Receives each change: the state before and the state after it.
  typealias Observer = @Sendable (_ before: ConnectivityState, _ after: ConnectivityState) -> Void

  private struct State {
    var parts: MonitorLoop.Parts
    var known = ConnectivityState()
    /// Whether it was started explicitly.
    var isStarted = false
    /// The listeners, each of which keeps it running.
    var listeners: Set<Int> = []
    var nextNumber = 0
    /// The queue for events to the running loop, or nil if there is none.
    var events: EventQueue<MonitorLoop.Event>?
    /// The last loop and its number, until it has ended.
    var loop: (number: Int, task: Task<Void, Never>)?
    var observer: Observer?

    mutating func number() -> Int {
      nextNumber += 1
      return nextNumber
    }
  }

  private let state: Guarded<State>
  private let changeListeners = Listeners<ConnectivityState>()
  private let checkListeners = Listeners<ConnectivityCheck>()

  init(_ parts: MonitorLoop.Parts) {
    state = Guarded(State(parts: parts))
  }

  /// The current state.
  var known: ConnectivityState { state.withLock(\.known) }

  var isRunning: Bool { state.withLock { $0.events != nil } }

  /// Sets the observer of each change; must be called before anything starts.
  func observe(_ observer: @escaping Observer) {
    state.withLock { $0.observer = observer }
  }
}

extension ConnectivityEngine {
  /// Starts, unless it is running.
  func start() {
    state.withLock { state in
      state.isStarted = true
      run(&state)
    }
  }

  /// Stops, regardless of which caller started it, and ends the streams of all listeners.
  func stop() {
    let (changes, checks) = state.withLock { state in
      state.isStarted = false
      state.listeners = []
      end(&state)
      return (changeListeners.dismiss(), checkListeners.dismiss())
    }
    changes.finish()
    checks.finish()
  }

  /// Waits until all stopped activity has ended.
  func stopped() async {
    let loop = state.withLock { $0.events == nil ? $0.loop : nil }
    await loop?.task.value
  }

  /// The current state, and each change from now on; starts the monitor.
  func changes() -> (first: ConnectivityState?, rest: AsyncStream<ConnectivityState>) {
    state.withLock { state in
      let rest = listen(to: changeListeners, &state)
      return (state.known, rest)
    }
  }

  /// Each check from now on; starts the monitor.
  func checks() -> (first: ConnectivityCheck?, rest: AsyncStream<ConnectivityCheck>) {
    state.withLock { (nil, listen(to: checkListeners, &$0)) }
  }

  private func listen<Element>(
    to listeners: Listeners<Element>, _ state: inout State
  ) -> AsyncStream<Element> {
    let number = state.number()
    state.listeners.insert(number)
    run(&state)
    return listeners.add { [self] in leave(number) }
  }

  /// Runs another plan from now on.
  func use(_ plan: ProbePlan, over transports: TransportRegistry?) {
    state.withLock { state in
      state.parts.plan = plan
      if let transports { state.parts.transports = transports }
      state.events?.send(.use(plan, state.parts.transports))
    }
  }

  /// Uses other settings from now on.
  func use(_ settings: MonitorSettings) {
    state.withLock { state in
      state.parts.settings = settings
      state.events?.send(.settings(settings))
    }
  }

  private func leave(_ number: Int) {
    state.withLock { state in
      state.listeners.remove(number)
      if state.listeners.isEmpty, !state.isStarted { end(&state) }
    }
  }

  private func run(_ state: inout State) {
    guard state.events == nil else { return }
    let events = EventQueue<MonitorLoop.Event>()
    state.events = events
    state.known = ConnectivityState()
    let (parts, before, number) = (state.parts, state.loop?.task, state.number())
    let task = Task.detached { [self] in
      // One at a time, so that no event of the previous loop follows one of the next.
      await before?.value
      var loop = MonitorLoop(
        parts, events: events, announce: { self.announce($0, of: events) },
        report: { self.report($0, of: events) })
      await loop.run()
      self.forget(loop: number)
    }
    state.loop = (number, task)
  }

  private func end(_ state: inout State) {
    state.events?.send(.stop)
    state.events = nil
  }

  /// Releases a loop that has ended, unless another one has started.
  private func forget(loop number: Int) {
    state.withLock { if $0.loop?.number == number { $0.loop = nil } }
  }
}

extension ConnectivityEngine {
  private func announce(_ new: ConnectivityState, of events: EventQueue<MonitorLoop.Event>) {
    let announcement = state.withLock {
      state -> (ConnectivityState, Listeners<ConnectivityState>.Recipients, Observer?)? in
      // A stopped loop reports nothing more.
      guard state.events === events else { return nil }
      defer { state.known = new }
      return (state.known, changeListeners.everyone, state.observer)
    }
    guard let (before, recipients, observer) = announcement else { return }
    recipients.send(new)
    observer?(before, new)
  }

  private func report(_ check: ConnectivityCheck, of events: EventQueue<MonitorLoop.Event>) {
    state.withLock { state -> Listeners<ConnectivityCheck>.Recipients? in
      guard state.events === events else { return nil }
      state.known = check.state
      return checkListeners.everyone
    }?.send(check)
  }
}

extension ConnectivityEngine {
  /// Checks once and returns the resulting state; joins a check that is in progress.
  func check() async -> ConnectivityState {
    let (number, ownEvents) = state.withLock { state in
      (state.number(), state.events == nil ? EventQueue<MonitorLoop.Event>() : nil)
    }
    guard let ownEvents else { return await joinCheck(number) }
    return await checkOnce(number, ownEvents)
  }

  private func joinCheck(_ number: Int) async -> ConnectivityState {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> ConnectivityState? in
          guard let events = state.events else { return state.known }
          events.send(.checkWanted(number, continuation))
          // Cancelled before the check was requested.
          if Task.isCancelled { events.send(.checkUnwanted(number)) }
          return nil
        }
        // It was stopped in the meantime.
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      state.withLock { $0.events?.send(.checkUnwanted(number)) }
    }
  }

  private func checkOnce(
    _ number: Int, _ events: EventQueue<MonitorLoop.Event>
  ) async -> ConnectivityState {
    var parts = state.withLock(\.parts)
    parts.settings.polling.isEnabled = false
    parts.settings.rise = 1
    var loop = MonitorLoop(parts, events: events, announce: { _ in }, report: { _ in })
    async let ended: Void = loop.run()
    let known = await withTaskCancellationHandler {
      await withCheckedContinuation {
        events.send(.checkWanted(number, $0))
        if Task.isCancelled { events.send(.checkUnwanted(number)) }
      }
    } onCancel: {
      events.send(.checkUnwanted(number))
    }
    events.send(.stop)
    await ended
    state.withLock { if $0.events == nil { $0.known = known } }
    return known
  }
}
