package import ProbeBase
package import ProbeSystem

/// Establishes one connection: resolves the name, and connects to its addresses according to ``AddressRace``.
///
/// It is set up on the caller's thread, and then used on the loop's thread only.
package final class ConnectOperation {
  package enum Ending {
    case connected(LoopSocket)
    case notFound(NameError)
    /// No address could be connected to; the attempts have the reasons.
    case notConnected
    case noSource
    case timedOut
    case cancelled
  }

  /// The result, read by the caller after the end.
  package struct Outcome {
    package var ending = Ending.cancelled
    package var attempts: [AddressRace.Attempt] = []
    /// The successful attempt, or else the one that best explains the failure.
    package var attempt: AddressRace.Attempt?
    /// The time at which the first address was available.
    package var resolved: Duration?
    package var finished = Duration.zero
    /// The DNS information other than the addresses.
    package var names = ByFamily<ResolvedName?>(v4: nil, v6: nil)
  }

  private enum State {
    case new, running, ended
  }

  private let destination: Destination
  private let deadline: ContinuousClock.Instant
  private let began: ContinuousClock.Instant
  private var state = State.new
  private var race: AddressRace
  /// The sockets by attempt; a socket refers back to this until its attempt has ended, as all do when this
  /// ends.
  private var sockets: [LoopSocket?] = []
  /// A lookup by the C library, which would otherwise continue after the end.
  private var lookup: PendingLookup?
  private var errors: [NameError] = []
  private var lacksSource = false
  private var timer: LoopTimer?
  // Only checked continuations: the thread sanitizer reports the runtime's hand-over of others as a race.
  private var waiter: CheckedContinuation<Void, Never>?
  private let fence = MemoryFence()
  /// The result, once it has ended.
  package private(set) var outcome = Outcome()

  package init(
    to destination: Destination, since began: ContinuousClock.Instant, deadline: ContinuousClock.Instant
  ) {
    self.destination = destination
    self.began = began
    self.deadline = deadline
    race = AddressRace(destination.families)
  }

  /// Connects on a loop; must be called once.
  package func run(on loop: EventLoop) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiter = continuation
        loop.start(self)
      }
    } onCancel: {
      loop.cancel(self)
    }
    fence.acquire()
  }
}

// Safe because of the hand-over: the caller's thread stops using it before the loop's thread starts, with the
// mailbox's lock between the two.
extension ConnectOperation: @unchecked Sendable {}

extension ConnectOperation: LoopOperation, TimerReceiver {
  package func start(on thread: LoopThread) {
    guard state == .new else { return resume() }
    state = .running
    if let address = IPAddress(destination.host) {
      for family in destination.families {
        race.resolved(family, family == address.family ? [address] : [], at: .zero)
      }
    } else if let known = destination.knownAddresses {
      let addresses = known.addresses.map(\.address)
      outcome.resolved = known.lookupTime
      for family in destination.families {
        race.resolved(family, addresses.filter { $0.family == family }, at: known.lookupTime)
      }
    } else {
      lookup = thread.part(Resolver.self)?.lookUp(
        destination.host, destination.families, at: destination.resolver
      ) {
        [weak self] families, result in
        self?.take(result, for: families, on: thread)
      }
    }
    advance(on: thread)
  }

  package func cancel(on thread: LoopThread) {
    // Before the start it has no waiter yet.
    if state == .new { state = .ended } else { end(.cancelled, on: thread) }
  }

  package func timerFired(on thread: LoopThread) {
    timer = nil
    if deadline <= .now { end(.timedOut, on: thread) } else { advance(on: thread) }
  }

  private var elapsed: Duration { began.duration(to: .now) }

  private func take(
    _ result: Result<ResolvedName, NameError>, for families: [IPFamily], on thread: LoopThread
  ) {
    guard state == .running else { return }
    let now = elapsed
    for family in families {
      switch result {
      case .success(let answer):
        outcome.names[family] = answer
        race.resolved(
          family, answer.addresses.map(\.address).filter { $0.family == family }, at: now)
      case .failure(let error):
        errors.append(error)
        race.resolved(family, [], at: now)
      }
    }
    advance(on: thread)
  }

  /// Performs the steps of the race until there is something to wait for.
  private func advance(on thread: LoopThread) {
    while state == .running {
      switch race.next(at: elapsed) {
      case .connect(let attempt): connect(attempt, on: thread)
      case .wait(let moment):
        if let timer { thread.cancel(timer) }
        let next = moment.map { min(began + $0, deadline) } ?? deadline
        timer = thread.setTimer(at: next, for: self)
        return
      case .connected(let attempt):
        guard let socket = sockets[attempt].take() else { return }
        end(.connected(socket), on: thread)
      case .failed:
        let ending: Ending =
          race.hasNoAddress
          ? .notFound(NameError.bestExplanation(of: errors))
          : lacksSource && race.bestExplanation?.state == .failed(0) ? .noSource : .notConnected
        end(ending, on: thread)
      }
    }
  }

  private func connect(_ attempt: Int, on thread: LoopThread) {
    sockets.append(nil)
    if outcome.resolved == nil { outcome.resolved = elapsed }
    let address = race.attempts[attempt].address
    if destination.refuses(address) {
      return race.refused(attempt, at: elapsed)
    }
    do throws(SocketFailure) {
      sockets[attempt] = try LoopSocket(
        to: SocketAddress(address, port: destination.port), from: destination.source, for: self,
        attempt: attempt, on: thread)
    } catch {
      switch error {
      case .system(let number): race.failed(attempt, number, at: elapsed)
      case .notPermitted: race.failed(attempt, 0, at: elapsed)
      case .source:
        lacksSource = true
        race.failed(attempt, 0, at: elapsed)
      }
    }
  }

  /// Records the end of an attempt: connected with error 0, or else failed with this system error.
  func connected(_ attempt: Int, _ error: Int32, on thread: LoopThread) {
    guard state == .running else { return }
    if error == 0 {
      race.didConnect(attempt, at: elapsed)
    } else {
      sockets[attempt].take()?.close(on: thread)
      race.failed(attempt, error, at: elapsed)
    }
    advance(on: thread)
  }

  private func end(_ ending: Ending, on thread: LoopThread) {
    guard state == .running else { return }
    state = .ended
    if let timer { thread.cancel(timer) }
    timer = nil
    lookup?.cancel()
    lookup = nil
    for case let socket? in sockets { socket.close(on: thread) }
    sockets = []
    outcome.ending = ending
    outcome.finished = elapsed
    outcome.attempts = race.attempts
    outcome.attempt = race.bestExplanation
    resume()
  }

  private func resume() {
    fence.release()
    waiter?.resume()
    waiter = nil
  }
}

/// The destination of a connection, and how to reach it.
package struct Destination: Sendable {
  /// The name or address to which this machine connects: the proxy's, if there is one.
  package let host: String
  package let port: UInt16
  /// The families to resolve and try.
  package let families: [IPFamily]
  package let source: ProbeSource?
  /// The DNS server that looks up the name; nil for the name services of this machine.
  package let resolver: SocketAddress?
  /// The addresses of the name, if they are known; nil if it must be resolved.
  package let knownAddresses: FoundAddresses?
  /// Whether the caller refuses a connection to an address.
  package let refuses: @Sendable (IPAddress) -> Bool

  package init(
    host: String, port: UInt16, families: [IPFamily], source: ProbeSource?, resolver: SocketAddress?,
    knownAddresses: FoundAddresses?, refuses: @escaping @Sendable (IPAddress) -> Bool
  ) {
    self.host = host
    self.port = port
    self.families = families
    self.source = source
    self.resolver = resolver
    self.knownAddresses = knownAddresses
    self.refuses = refuses
  }
}
