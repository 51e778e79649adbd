internal import CProbeShims

/// Is told when something happens on a descriptor.
package protocol DescriptorWatcher: AnyObject {
  /// Something has happened on a descriptor that it watches.
  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread)
}

/// Is told when a moment has come.
package protocol AlarmReceiver: AnyObject {
  /// A moment has come that it waits for; its alarm is gone.
  func alarmRings(on thread: LoopThread)
}

/// A part of a loop with state of its own on the loop's thread, made when it is first asked for.
package protocol LoopPart: AnyObject {
  /// The part for a thread, or nil when the machine has no room for it.
  init?(on thread: LoopThread)

  /// Whether it has something to do that waits for nothing.
  var isDue: Bool { get }

  /// Does what is left to do after everything that has happened.
  func endTurn(on thread: LoopThread)
}

/// What belongs to the thread of an ``EventLoop`` alone: the descriptors it watches, the moments it waits for, and its
/// parts.
@safe package final class LoopThread {
  /// So many events are taken at once.
  private static let capacity = 256
  /// How long messages may keep descriptors waiting: tasks that run here send new ones as they go on.
  private static let longestTurn = Duration.milliseconds(1)

  private let poller: Poller
  private let mailbox: LoopMailbox
  private var events = [probe_event](repeating: probe_event(), count: capacity)
  private var messages: [LoopMessage] = []
  /// By descriptor; the generation tells an event of a descriptor from one of another that had its number before.
  private var watched: [(watcher: any DescriptorWatcher, generation: UInt32)?] = []
  private var lastGeneration: UInt32 = 0
  private var alarms = TimerWheel<any AlarmReceiver>()
  private let start = ContinuousClock.now
  private var parts: [(type: ObjectIdentifier, part: any LoopPart)] = []
  private var isStopping = false
  /// Where what is received is put first, 64 KiB for all connections of the loop.
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
      for event in events[..<count] { tell(event) }
      while let receiver = alarms.take(dueBy: tick(after: .now)) { receiver.alarmRings(on: self) }
      for (_, part) in parts { part.endTurn(on: self) }
    }
  }
}

// Safe because it is made by one thread and handed to the one it runs on, never to use again elsewhere.
extension LoopThread: @unchecked Sendable {}

extension LoopThread {
  /// Lets go of everything: a watcher or a receiver may refer back to the thread.
  private func end() {
    parts.removeAll()
    let former = (watched, alarms)
    watched = []
    alarms = TimerWheel()
    withExtendedLifetime(former) {}
  }

  private func handleMessages() {
    mailbox.take(into: &messages)
    guard !messages.isEmpty else { return }
    let end = ContinuousClock.now + Self.longestTurn
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
    // Nothing is under way any more: what is holds a reference to the loop.
    case .stop: isStopping = true
    }
  }

  private func tell(_ event: probe_event) {
    let descriptor = Int32(event.id & 0xFFFF_FFFF)
    guard let entry = watched[Int(descriptor)], entry.generation == UInt32(event.id >> 32) else { return }
    entry.watcher.descriptorIsReady(descriptor, Poller.Events(rawValue: event.events), on: self)
  }

  /// How long to wait at most, in milliseconds; nil for as long as nothing happens.
  private var patience: Int32? {
    guard let next = alarms.next else { return nil }
    let now = tick(after: .now)
    // One more, because now is rounded down: the loop would wake just before the moment.
    return next <= now ? 0 : Int32(min(next - now + 1, 3_600_000))
  }

  /// The milliseconds of the loop's life that have passed.
  private func tick(after moment: ContinuousClock.Instant) -> UInt64 {
    let (seconds, attoseconds) = start.duration(to: moment).components
    // Nothing waits for thirty thousand years.
    return UInt64(min(max(0, seconds), 1 << 40)) * 1000 + UInt64(max(0, attoseconds) / 1_000_000_000_000_000)
  }
}

extension LoopThread {
  /// Watches a descriptor until ``unwatch(_:)``.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor; it must not be closed while it is watched.
  ///   - events: What to watch for.
  ///   - watcher: Whom to tell; it is kept meanwhile.
  /// - Returns: Whether the machine has room for it.
  package func watch(_ descriptor: Int32, _ events: Poller.Events, _ watcher: any DescriptorWatcher) -> Bool {
    lastGeneration &+= 1
    let id = UInt64(lastGeneration) << 32 | UInt64(UInt32(bitPattern: descriptor))
    guard poller.add(descriptor, events, id: id) else { return false }
    while watched.count <= Int(descriptor) { watched.append(nil) }
    watched[Int(descriptor)] = (watcher, lastGeneration)
    return true
  }

  /// Watches for other events on a descriptor.
  ///
  /// - Returns: Whether it is watched at all.
  @discardableResult
  package func change(_ descriptor: Int32, _ events: Poller.Events) -> Bool {
    guard Int(descriptor) < watched.count, let entry = watched[Int(descriptor)] else { return false }
    let id = UInt64(entry.generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    return poller.change(descriptor, events, id: id)
  }

  /// Watches a descriptor no more.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - isClosing: Whether it is closed next, so that the system need not be told.
  package func unwatch(_ descriptor: Int32, isClosing: Bool = false) {
    guard Int(descriptor) < watched.count, watched[Int(descriptor)] != nil else { return }
    watched[Int(descriptor)] = nil
    if !isClosing { poller.remove(descriptor) }
  }

  /// Has a receiver told when a moment has come.
  ///
  /// - Parameters:
  ///   - moment: The moment, kept to the millisecond and never early.
  ///   - receiver: Whom to tell; it is kept until then.
  /// - Returns: The alarm, to be cancelled once.
  package func setAlarm(
    at moment: ContinuousClock.Instant, for receiver: any AlarmReceiver
  ) -> LoopAlarm {
    LoopAlarm(entry: alarms.add(receiver, at: tick(after: moment) + 1))
  }

  /// Cancels an alarm; one that has rung is let be.
  package func cancel(_ alarm: LoopAlarm) {
    alarms.remove(alarm.entry)
  }

  /// The loop's part of a type, made when there is none yet.
  ///
  /// - Returns: nil when the machine has no room for it.
  package func part<Part: LoopPart>(_ type: Part.Type) -> Part? {
    for (known, part) in parts where known == ObjectIdentifier(type) { return part as? Part }
    guard let part = Part(on: self) else { return nil }
    parts.append((ObjectIdentifier(type), part))
    return part
  }
}

extension LoopThread {
  /// A way for other threads to begin something here.
  package var remote: LoopRemote { LoopRemote(mailbox: mailbox) }
}

/// Reaches a loop's thread from others without keeping the loop; what is begun after its end never is.
package struct LoopRemote: Sendable {
  fileprivate let mailbox: LoopMailbox

  /// Begins an operation on the loop's thread.
  package func start(_ operation: any LoopOperation) {
    mailbox.send(.start(operation))
  }
}

/// A moment that a receiver waits for.
package struct LoopAlarm {
  fileprivate let entry: TimerWheel<any AlarmReceiver>.Entry
}
