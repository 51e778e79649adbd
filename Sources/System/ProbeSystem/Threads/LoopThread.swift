internal import CProbeSystem

/// Receives events of descriptors.
package protocol DescriptorWatcher: AnyObject {
  /// Handles events of a descriptor that it watches.
  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread)
}

/// Is notified when timers fire.
package protocol TimerReceiver: AnyObject {
  /// Handles the firing of a timer, which has been removed.
  func timerFired(on thread: LoopThread)
}

/// A part of a loop with its own state on the loop's thread, created on demand.
package protocol LoopPart: AnyObject {
  /// The part for a thread, or nil for lack of resources.
  init?(on thread: LoopThread)

  /// Whether it has work that need not wait for an event.
  var isDue: Bool { get }

  /// Does the remaining work after all events of a turn.
  func endTurn(on thread: LoopThread)
}

/// The state that is used on the thread of an ``EventLoop`` only: descriptors, timers, and parts.
@safe package final class LoopThread {
  /// The maximum number of events per wait.
  private static let capacity = 256
  /// The maximum delay of descriptor events by messages: tasks that run here keep sending new ones.
  private static let maximumTurnTime = Duration.milliseconds(1)

  private let poller: Poller
  private let mailbox: LoopMailbox
  private var events = [probe_event](repeating: probe_event(), count: capacity)
  private var messages: [LoopMessage] = []
  /// The watchers by descriptor; the generation distinguishes events of a descriptor from those of an earlier
  /// one with the same number.
  private var watched: [(watcher: any DescriptorWatcher, generation: UInt32)?] = []
  private var lastGeneration: UInt32 = 0
  private var timers = TimerWheel<any TimerReceiver>()
  private let start = ContinuousClock.now
  private var parts: [(type: ObjectIdentifier, part: any LoopPart)] = []
  private var isStopping = false
  /// A receive buffer of 64 KiB, shared by all connections of the loop.
  package let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

  init(_ poller: Poller, _ mailbox: LoopMailbox) {
    self.poller = poller
    self.mailbox = mailbox
  }

  deinit {
    unsafe buffer.deallocate()
  }

  func run() {
    while true {
      handleMessages()
      if isStopping { return end() }
      let isDue = parts.contains { $0.part.isDue }
      let mayWait = mailbox.preparePolling()
      let count = poller.wait(into: &events, milliseconds: mayWait && !isDue ? patience : 0)
      if mayWait { mailbox.endPolling() }
      for event in events[..<count] { dispatch(event) }
      while let receiver = timers.take(dueBy: tick(after: .now)) { receiver.timerFired(on: self) }
      for (_, part) in parts { part.endTurn(on: self) }
    }
  }
}

// Safe because the thread that creates it passes it to the loop's thread, and does not use it again.
extension LoopThread: @unchecked Sendable {}

extension LoopThread {
  /// Releases everything: a watcher or a receiver may refer back to the thread.
  private func end() {
    parts.removeAll()
    let former = (watched, timers)
    watched = []
    timers = TimerWheel()
    withExtendedLifetime(former) {}
  }

  private func handleMessages() {
    mailbox.take(into: &messages)
    guard !messages.isEmpty else { return }
    let end = ContinuousClock.now + Self.maximumTurnTime
    repeat {
      for message in messages { handle(message) }
      messages.removeAll(keepingCapacity: true)
      guard !isStopping, ContinuousClock.now < end else { return }
      mailbox.take(into: &messages)
    } while !messages.isEmpty
  }

  private func handle(_ message: LoopMessage) {
    switch message {
    case .start(let operation): operation.start(on: self)
    case .cancel(let operation): operation.cancel(on: self)
    case .run(let job, let loop): unsafe job.runSynchronously(on: loop.asUnownedTaskExecutor())
    // No operations are in progress, because they retain the loop.
    case .stop: isStopping = true
    }
  }

  private func dispatch(_ event: probe_event) {
    let descriptor = Int32(truncatingIfNeeded: event.id & 0xFFFF_FFFF)
    guard let entry = watched[Int(clamping: descriptor)],
      entry.generation == UInt32(truncatingIfNeeded: event.id >> 32)
    else { return }
    entry.watcher.descriptorIsReady(descriptor, Poller.Events(rawValue: event.events), on: self)
  }

  /// The maximum time to wait, in milliseconds; nil for no limit.
  private var patience: Int32? {
    guard let next = timers.next else { return nil }
    let now = tick(after: .now)
    // One more, because the current time is rounded down: the loop would wake just before the timer.
    return next <= now ? 0 : Int32(truncatingIfNeeded: min(next - now + 1, 3_600_000))
  }

  /// The milliseconds from the start of the loop to an instant.
  private func tick(after moment: ContinuousClock.Instant) -> UInt64 {
    let (seconds, attoseconds) = start.duration(to: moment).components
    // The limit of thirty thousand years is never reached.
    return UInt64(clamping: min(max(0, seconds), 1 << 40)) * 1000
      + UInt64(clamping: max(0, attoseconds) / 1_000_000_000_000_000)
  }
}

extension LoopThread {
  /// Watches a descriptor until ``unwatch(_:)``.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor; it must not be closed while it is watched.
  ///   - events: The events to watch for.
  ///   - watcher: The receiver of the events, retained meanwhile.
  /// - Returns: Whether it succeeded; it fails for lack of resources.
  package func watch(_ descriptor: Int32, _ events: Poller.Events, _ watcher: any DescriptorWatcher) -> Bool {
    lastGeneration &+= 1
    let id = UInt64(clamping: lastGeneration) << 32 | UInt64(clamping: UInt32(bitPattern: descriptor))
    guard poller.add(descriptor, events, id: id) else { return false }
    while watched.count <= Int(clamping: descriptor) { watched.append(nil) }
    watched[Int(clamping: descriptor)] = (watcher, lastGeneration)
    return true
  }

  /// Changes the events to watch for on a descriptor.
  ///
  /// - Returns: Whether it is watched at all.
  @discardableResult
  package func change(_ descriptor: Int32, _ events: Poller.Events) -> Bool {
    guard Int(clamping: descriptor) < watched.count, let entry = watched[Int(clamping: descriptor)] else {
      return false
    }
    let id = UInt64(clamping: entry.generation) << 32 | UInt64(clamping: UInt32(bitPattern: descriptor))
    return poller.change(descriptor, events, id: id)
  }

  /// Stops watching a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - isClosing: Whether it is closed next, so that no system call is needed.
  package func unwatch(_ descriptor: Int32, isClosing: Bool = false) {
    guard Int(clamping: descriptor) < watched.count, watched[Int(clamping: descriptor)] != nil else { return }
    watched[Int(clamping: descriptor)] = nil
    if !isClosing { poller.remove(descriptor) }
  }

  /// Sets a timer.
  ///
  /// - Parameters:
  ///   - moment: The time, observed to the millisecond and never early.
  ///   - receiver: The receiver of the timer, retained until then.
  /// - Returns: The timer, which may be cancelled once.
  package func setTimer(
    at moment: ContinuousClock.Instant, for receiver: any TimerReceiver
  ) -> LoopTimer {
    LoopTimer(entry: timers.add(receiver, at: tick(after: moment) + 1))
  }

  /// Cancels a timer; has no effect if it has fired.
  package func cancel(_ timer: LoopTimer) {
    timers.remove(timer.entry)
  }

  /// The loop's part of a type, created if there is none yet.
  ///
  /// - Returns: nil for lack of resources.
  package func part<Part: LoopPart>(_ type: Part.Type) -> Part? {
    for (known, part) in parts where known == ObjectIdentifier(type) { return part as? Part }
    guard let part = Part(on: self) else { return nil }
    parts.append((ObjectIdentifier(type), part))
    return part
  }
}

extension LoopThread {
  /// A handle with which other threads can start operations here.
  package var remote: LoopRemote { LoopRemote(mailbox: mailbox) }
}

/// Gives other threads access to a loop's thread without retaining the loop; after its end nothing is
/// started.
package struct LoopRemote: Sendable {
  fileprivate let mailbox: LoopMailbox

  /// Starts an operation on the loop's thread.
  package func start(_ operation: any LoopOperation) {
    mailbox.send(.start(operation))
  }
}

/// A timer that has been set.
package struct LoopTimer {
  fileprivate let entry: TimerWheel<any TimerReceiver>.Entry
}
