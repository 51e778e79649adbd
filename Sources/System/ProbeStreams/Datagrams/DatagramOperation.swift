package import ProbeBase
package import ProbeSystem

/// Performs a ``DatagramConversation``: resolves the name, opens sockets, sends and receives.
///
/// It is set up on the caller's thread, and then used on the loop's thread only.
package final class DatagramOperation<Conversation: DatagramConversation> {
  package enum Ending {
    case finished
    case notFound(NameError)
    /// No address may be used.
    case refused(IPAddress)
    /// This machine lacks descriptors or memory for a socket.
    case shortage(Int32)
    /// The system does not permit this kind of socket.
    case notPermitted
    case noSource
    case timedOut
    case cancelled
  }

  /// The result, read by the caller after the end.
  package struct Outcome {
    package var ending = Ending.cancelled
    /// The initial addresses of the conversation.
    package var addresses: [SocketAddress] = []
    /// The time at which the addresses were known.
    package var resolved: Duration?
    package var finished = Duration.zero
    /// The DNS information other than the addresses.
    package var names = ByFamily<ResolvedName?>(v4: nil, v6: nil)
  }

  private enum State {
    case new, resolving, running, ended
  }

  /// The maximum number of datagrams to receive before other connections get their turn.
  private let maximumDatagramsAtOnce = 32

  private let destination: DatagramDestination
  private let kind: DatagramProtocol
  private let deadline: ContinuousClock.Instant
  private let began: ContinuousClock.Instant
  private var state = State.new
  private var resolution: NameResolution
  /// A lookup by the C library, which would otherwise continue after the end.
  private var lookup: PendingLookup?
  /// The sockets by the position of their address.
  private var sockets: [DatagramSocket?] = []
  /// The errors by the position of their address, until the datagrams that its socket holds have been received.
  private var errors: [[Int32]] = []
  private var timer: LoopTimer?
  private var waiter: CheckedContinuation<Void, Never>?
  private let fence = MemoryFence()
  /// The conversation, for the caller after the end.
  package private(set) var conversation: Conversation
  package private(set) var outcome = Outcome()

  package init(
    _ conversation: Conversation, over kind: DatagramProtocol, to destination: DatagramDestination,
    since began: ContinuousClock.Instant, deadline: ContinuousClock.Instant
  ) {
    self.conversation = conversation
    self.kind = kind
    self.destination = destination
    self.began = began
    self.deadline = deadline
    let connection = destination.connection
    // The request's check rules out an address of another family.
    resolution = IPAddress(connection.host).map { NameResolution($0) } ?? NameResolution(connection.families)
  }

  /// Runs the operation on a loop; must be called once.
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
extension DatagramOperation: @unchecked Sendable {}

extension DatagramOperation: LoopOperation, TimerReceiver {
  package func start(on thread: LoopThread) {
    guard state == .new else { return resume() }
    state = .resolving
    if let servers = destination.servers { return begin(with: servers, on: thread) }
    let connection = destination.connection
    if IPAddress(connection.host) == nil {
      lookup = thread.part(Resolver.self)?.lookUp(
        connection.host, connection.families, at: connection.resolver
      ) {
        [weak self] families, result in
        self?.take(result, for: families, on: thread)
      }
    }
    beginIfResolved(on: thread)
  }

  package func cancel(on thread: LoopThread) {
    // Before the start it has no waiter yet.
    if state == .new { state = .ended } else { end(.cancelled, on: thread) }
  }

  package func timerFired(on thread: LoopThread) {
    timer = nil
    guard deadline > .now else { return end(.timedOut, on: thread) }
    if state == .resolving { beginIfResolved(on: thread) } else { advance(on: thread) }
  }

  private var elapsed: Duration { began.duration(to: .now) }

  private func setTimer(at moment: Duration?, on thread: LoopThread) {
    if let timer { thread.cancel(timer) }
    timer = thread.setTimer(at: moment.map { min(began + $0, deadline) } ?? deadline, for: self)
  }
}

/// Resolving.
extension DatagramOperation {
  private func take(
    _ result: Result<ResolvedName, NameError>, for families: [IPFamily], on thread: LoopThread
  ) {
    guard state == .resolving else { return }
    resolution.take(result, for: families, at: elapsed)
    outcome.names = resolution.names
    beginIfResolved(on: thread)
  }

  private func beginIfResolved(on thread: LoopThread) {
    guard state == .resolving else { return }
    switch resolution.next(at: elapsed) {
    case .wait(let moment): return setTimer(at: moment, on: thread)
    case .notFound(let error): return end(.notFound(error), on: thread)
    case .found: break
    }
    let addresses = resolution.inOrder
    let allowed = addresses.filter { !destination.connection.refuses($0) }
    guard !allowed.isEmpty else { return end(.refused(addresses[0]), on: thread) }
    begin(with: allowed.map { SocketAddress($0, port: destination.connection.port) }, on: thread)
  }

  private func begin(with addresses: [SocketAddress], on thread: LoopThread) {
    state = .running
    lookup = nil
    let now = elapsed
    outcome.resolved = now
    outcome.addresses = addresses
    sockets = Array(repeating: nil, count: addresses.count)
    errors = Array(repeating: [], count: addresses.count)
    conversation.begin(with: addresses, at: now)
    advance(on: thread)
  }
}

/// Sending and receiving.
extension DatagramOperation: DescriptorWatcher {
  /// Performs the steps of the conversation until there is something to wait for.
  private func advance(on thread: LoopThread) {
    while state == .running {
      switch conversation.next(at: elapsed) {
      case .send(let bytes, let address): send(bytes, to: address, on: thread)
      case .wait(let moment): return setTimer(at: moment, on: thread)
      case .finished: end(.finished, on: thread)
      }
    }
  }

  private func send(_ bytes: [UInt8], to address: Int, on thread: LoopThread) {
    do throws(SocketFailure) {
      let socket = try socket(for: address, on: thread)
      let error = socket.send(bytes)
      guard error != 0 else { return }
      // The error may be that of an earlier datagram, after the response to one before.
      errors[address].append(error)
      receive(from: socket, at: address, on: thread)
    } catch {
      switch error {
      case .source: end(.noSource, on: thread)
      case .notPermitted: end(.notPermitted, on: thread)
      case .system(let number) where number.isShortage: end(.shortage(number), on: thread)
      case .system(let number): conversation.failed(address, number, wasSent: false, at: elapsed)
      }
    }
  }

  private func socket(for address: Int, on thread: LoopThread) throws(SocketFailure) -> DatagramSocket {
    if let socket = sockets[address] { return socket }
    let socket = try DatagramSocket(
      kind, to: outcome.addresses[address], from: destination.connection.source, for: self, on: thread)
    sockets[address] = socket
    return socket
  }

  package func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    guard let address = sockets.firstIndex(where: { $0?.descriptor == descriptor }),
      let socket = sockets[address]
    else { return }
    receive(from: socket, at: address, on: thread)
    advance(on: thread)
  }

  /// Receives what a socket holds: first the datagrams, then the errors, which the system reports first.
  private func receive(from socket: DatagramSocket, at address: Int, on thread: LoopThread) {
    var isEmpty = false
    for _ in 0..<maximumDatagramsAtOnce where !isEmpty {
      switch socket.receive(on: thread) {
      case .nothing: isEmpty = true
      case .other: continue
      case .bytes(let bytes, let limit):
        conversation.received(bytes, hopLimit: limit, from: address, at: elapsed)
      case .failed(let error): errors[address].append(error)
      }
    }
    guard isEmpty || errors[address].count > maximumDatagramsAtOnce else { return }
    for error in errors[address] { conversation.failed(address, error, wasSent: true, at: elapsed) }
    errors[address] = []
  }

  private func end(_ ending: Ending, on thread: LoopThread) {
    guard state == .resolving || state == .running else { return }
    state = .ended
    if let timer { thread.cancel(timer) }
    timer = nil
    lookup?.cancel()
    lookup = nil
    for case let socket? in sockets { socket.close(on: thread) }
    sockets = []
    outcome.ending = ending
    outcome.finished = elapsed
    resume()
  }

  private func resume() {
    fence.release()
    waiter?.resume()
    waiter = nil
  }
}
