import ProbeCore

/// The state of a scan: the queue, and the workers and tasks that wait.
struct ScanState: Sendable {
  /// An action that follows from an event, to be performed without the lock.
  enum Wake {
    /// A worker that waits receives its next line, or ends.
    case worker(CheckedContinuation<ScanQueue.Item?, Never>, ScanQueue.Item?)
    /// Another worker starts with this line.
    case start(ScanQueue.Item)
    /// The task that adds lines, or that waits for the end, continues.
    case other(CheckedContinuation<Void, Never>)
  }

  var queue: ScanQueue
  var pace: ScanPace
  private let concurrency: Int
  /// The workers that wait for a line.
  private var idle: [CheckedContinuation<ScanQueue.Item?, Never>] = []
  /// The number of workers.
  private var alive = 0
  /// Waits until there is room for many lines, or for one that can be probed at once.
  private var adder: CheckedContinuation<Void, Never>?
  /// Waits for the end.
  private var waiter: CheckedContinuation<Void, Never>?
  /// Whether no line will be added.
  private var isComplete = false
  /// Whether unfinished lines are abandoned.
  private(set) var isStopped = false

  init(_ limits: ScanLimits) {
    queue = ScanQueue(limits)
    pace = ScanPace(limits.interval)
    concurrency = limits.concurrency
  }

  /// Whether another line could be probed at once.
  private var hasIdle: Bool { alive < concurrency || !idle.isEmpty }

  /// The number of lines that are being probed.
  var inFlight: Int { alive - idle.count }

  /// A worker has ended its line.
  ///
  /// - Returns: Its next one; nil if it has to wait for one.
  mutating func finished(_ item: ScanQueue.Item) -> ScanQueue.Item? {
    queue.finished(item)
    return isStopped ? nil : queue.next()
  }

  /// A worker waits for its next line.
  mutating func wait(_ worker: CheckedContinuation<ScanQueue.Item?, Never>) {
    idle.append(worker)
  }

  /// Whether a line can be added, or never will be.
  private var canAdd: Bool { queue.hasRoom || isStopped }

  /// Adds a line, unless there is no room for it.
  ///
  /// - Returns: Whether it needs no room: because it was added, or because the scan has stopped.
  mutating func add(_ line: ScanLine, host: String) -> Bool {
    guard queue.hasRoom else { return isStopped }
    queue.add(line, host: host)
    return true
  }

  mutating func waitForRoom(_ adder: CheckedContinuation<Void, Never>) {
    self.adder = adder
  }

  mutating func waitForEnd(_ waiter: CheckedContinuation<Void, Never>) {
    self.waiter = waiter
  }

  mutating func complete() {
    isComplete = true
  }

  mutating func stop() {
    isStopped = true
  }

  /// The actions that follow from an event.
  mutating func wakes() -> [Wake] {
    var wakes: [Wake] = []
    while !isStopped, hasIdle, let item = queue.next() {
      if let worker = idle.popLast() {
        wakes.append(.worker(worker, item))
      } else {
        alive += 1
        wakes.append(.start(item))
      }
    }
    if queue.hasRoomForMany || canAdd && (hasIdle || isStopped), let adder = adder.take() {
      wakes.append(.other(adder))
    }
    if isStopped || isComplete && queue.isEmpty && inFlight == 0 {
      alive -= idle.count
      for worker in idle { wakes.append(.worker(worker, nil)) }
      idle = []
      if alive == 0, let waiter = waiter.take() { wakes.append(.other(waiter)) }
    }
    return wakes
  }
}

/// Spreads the starts of probes evenly over time; does no waiting itself.
struct ScanPace {
  private let interval: Duration?
  /// When the next probe may start, since the start of the scan.
  private var next = Duration.zero

  /// Creates a pace with this time between two starts; nil for no limit.
  init(_ interval: Duration?) {
    self.interval = interval
  }

  /// Takes the next start.
  ///
  /// - Parameter now: The time since the start of the scan.
  /// - Returns: How long the probe must wait; zero for not at all.
  mutating func take(at now: Duration) -> Duration {
    guard let interval else { return .zero }
    // Time that passed without a probe is lost, so that there is no burst after it.
    let start = max(next, now)
    next = start + interval
    return start - now
  }
}

package struct ScanLimits: Hashable, Sendable {
  /// The maximum number of concurrent probes.
  package var concurrency: Int
  /// The maximum number of concurrent probes for one host.
  package var perHost: Int
  /// The maximum number of concurrent probes for one address; nil for no limit.
  package var perAddress: Int?
  /// The minimum time between the starts of two probes; nil for none.
  package var interval: Duration?
  /// The maximum number of lines that wait for their host or address while others overtake them.
  package var waitingLines = 8192
  /// The number of bytes in the lines that wait, beyond which no line is read; a line may have 64 KiB.
  var waitingBytes = 16 << 20
  /// The maximum number of lines that are read ahead.
  package var lookahead: Int { concurrency }

  package init(concurrency: Int = 256, perHost: Int = 8) {
    self.concurrency = concurrency
    self.perHost = perHost
  }
}
