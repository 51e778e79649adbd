internal import ProbeSystem
internal import ProbeTLS

/// Accepts a service's connections on the thread of its loop, and ends those whose timeout has expired.
@safe final class ServiceLoop {
  /// The maximum number of refused connections whose clients have not yet read the refusal.
  private static let maximumRefused = 64
  /// The maximum number of connections that are accepted before others have their turn.
  private static let maximumConnectionsPerTurn = 64

  /// The loop, which outlives this object's use of it.
  unowned let loop: EventLoop
  let options: HTTPServiceOptions
  let handler: HTTPService.Handler
  /// The listeners by descriptor, whose sockets are closed with the last reference; empty after the end.
  private var listeners: [Int32: ServiceListener] = [:]
  private var connections: [Int32: ServedClient] = [:]
  private var refusedCount = 0
  /// Connections that were the ones idle longest, in this order, with their last use.
  private var idle: ArraySlice<(client: ServedClient, lastUse: ContinuousClock.Instant)> = []
  /// Whether those may be looked for: once for each turn, since that takes time with thousands of connections.
  private var mayLookForIdle = true
  /// The clients that have used their turns, in order.
  var postponed: [ServedClient] = []
  /// The number of running handlers.
  var handlerCount = 0
  /// The number of handlers so far.
  var handlerNumber = 0
  private var lastNumber = 0
  private var nextSweep: LoopTimer?
  /// Whether accepting connections is suspended until the next sweep, because no descriptor is available.
  private var isPausing = false
  /// The loop's thread; set at the start.
  private unowned(unsafe) var knownThread: LoopThread?

  init(
    _ listeners: [ServiceListener], on loop: EventLoop, options: HTTPServiceOptions,
    handler: @escaping HTTPService.Handler
  ) {
    self.loop = loop
    for listener in listeners { self.listeners[listener.socket.descriptor] = listener }
    self.options = options
    self.handler = handler
  }

  var thread: LoopThread {
    guard let thread = unsafe knownThread else { preconditionFailure("nothing happens before the start") }
    return thread
  }
}

// Safe because the thread that creates it passes it to the loop's thread, and does not use it again.
extension ServiceLoop: @unchecked Sendable {}

extension ServiceLoop: LoopOperation, DescriptorWatcher, TimerReceiver {
  func start(on thread: LoopThread) {
    unsafe knownThread = thread
    for descriptor in listeners.keys { _ = thread.watch(descriptor, .readable, self) }
  }

  func cancel(on thread: LoopThread) {}

  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    if let client = connections[descriptor] {
      handle(events, on: client)
    } else if let listener = listeners[descriptor] {
      accept(on: listener)
    }
  }

  /// Ends connections whose timeout has expired.
  func timerFired(on thread: LoopThread) {
    nextSweep = nil
    if isPausing {
      isPausing = false
      for descriptor in listeners.keys { thread.change(descriptor, .readable) }
    }
    for client in connections.values { perform(client.state.timePassed(to: .now), on: client) }
    sweepLater()
  }

  private func sweepLater() {
    guard nextSweep == nil, isPausing || !connections.isEmpty else { return }
    let interval = min(.seconds(1), options.requestTimeout, options.idleTimeout, options.drainTimeout)
    nextSweep = thread.setTimer(at: .now + (isPausing ? .milliseconds(20) : interval), for: self)
  }

  /// Closes all listeners and connections.
  func stop() {
    for client in connections.values { perform(client.state.terminate(), on: client) }
    for descriptor in listeners.keys { thread.unwatch(descriptor, isClosing: true) }
    if let nextSweep { thread.cancel(nextSweep) }
    (listeners, nextSweep, postponed) = ([:], nil, [])
  }
}

extension ServiceLoop {
  private func accept(on listener: ServiceListener) {
    mayLookForIdle = true
    for _ in 0..<Self.maximumConnectionsPerTurn {
      let (descriptor, isShort) = listener.socket.accept()
      guard let descriptor else {
        guard isShort else { return }
        if makeRoom() { continue }
        isPausing = true
        for descriptor in listeners.keys { thread.change(descriptor, []) }
        if let nextSweep { thread.cancel(nextSweep) }
        nextSweep = nil
        return sweepLater()
      }
      take(StreamSocket(descriptor: descriptor), from: listener)
    }
  }

  private func take(_ socket: StreamSocket, from listener: ServiceListener) {
    let isRefused = connections.count - refusedCount >= options.maximumConnections && !makeRoom()
    guard !isRefused || refusedCount < Self.maximumRefused, let tls = session(),
      thread.watch(socket.descriptor, .readable, self)
    else { return socket.close() }
    lastNumber += 1
    if isRefused { refusedCount += 1 }
    var options = options
    options.hosts = listener.hosts
    let client = ServedClient(
      socket, number: lastNumber, isRefused: isRefused,
      state: ServiceConnection(options, isSecure: tls != nil, now: .now), tls: tls)
    connections[socket.descriptor] = client
    if isRefused { perform(client.state.refuseConnection(.tooManyConnections, now: .now), on: client) }
    sweepLater()
  }

  /// A TLS session for a new connection, or none without TLS; nil if OpenSSL has no memory for it.
  private func session() -> TLSSession?? {
    guard let server = options.tls?.server() else { return .some(nil) }
    return (try? TLSSession(server)).map { .some($0) }
  }

  /// Closes the connection that has been idle longest.
  private func makeRoom() -> Bool {
    if idle.isEmpty, mayLookForIdle {
      mayLookForIdle = false
      let all = connections.values.filter { $0.state.isIdle }.map { (client: $0, lastUse: $0.state.lastUse) }
      idle = all.sorted { ($0.lastUse, $0.client.number) < ($1.lastUse, $1.client.number) }.prefix(
        Self.maximumConnectionsPerTurn)
    }
    while let (client, lastUse) = idle.popFirst() {
      // It may have been used since.
      guard client.state.isIdle, client.state.lastUse == lastUse else { continue }
      perform(client.state.terminate(), on: client)
      return true
    }
    return false
  }

  /// Closes a connection and removes it.
  func close(_ client: ServedClient) {
    connections[client.socket.descriptor] = nil
    if client.isRefused { refusedCount -= 1 }
    thread.unwatch(client.socket.descriptor, isClosing: true)
    client.close()
  }

  /// The client with a number, unless its connection has been closed.
  func client(_ descriptor: Int32, number: Int) -> ServedClient? {
    guard let client = connections[descriptor], client.number == number else { return nil }
    return client
  }
}

/// Stops a service on the loop's thread.
final class ServiceStop: LoopOperation {
  private let loop: ServiceLoop

  init(_ loop: ServiceLoop) {
    self.loop = loop
  }

  func start(on thread: LoopThread) { loop.stop() }

  func cancel(on thread: LoopThread) {}
}

/// A connection with its socket, its TLS session, its handler's task, and its unsent bytes.
///
/// ``ServiceConnection`` decides its actions. It belongs to the loop's thread.
final class ServedClient {
  let number: Int
  /// Whether it exceeds the limit on connections, so that its client only receives the refusal.
  let isRefused: Bool
  let socket: StreamSocket
  var state: ServiceConnection
  /// The TLS session; nil without TLS, and after its end.
  var tls: TLSSession?
  var task: Task<Void, Never>?
  /// The events that the poller watches for.
  var interest: Poller.Events = .readable
  /// Whether it has used its turn, and waits for another one among all such clients.
  var isPostponed = false
  private var output = SendBuffer()
  /// Whether a FIN follows the output.
  private var endsOutput = false

  init(_ socket: StreamSocket, number: Int, isRefused: Bool, state: ServiceConnection, tls: TLSSession?) {
    (self.socket, self.number, self.isRefused) = (socket, number, isRefused)
    (self.state, self.tls) = (state, tls)
  }

  /// Whether all output has been sent.
  var isFlushed: Bool { output.isEmpty }

  /// Sends bytes, inside TLS if there is a session.
  ///
  /// - Returns: false if the connection is broken.
  func send(_ bytes: [UInt8]) -> Bool {
    guard let tls else { return output.send(bytes, on: socket) }
    guard (try? tls.write(bytes)) != nil else { return false }
    return output.send(tls.takeOutput(), on: socket)
  }

  /// Sends the pending output of TLS itself, such as a part of the handshake.
  ///
  /// - Returns: false if the connection is broken.
  func sendOutputOfTLS() -> Bool {
    guard let tls, tls.outputCount > 0 else { return true }
    return output.send(tls.takeOutput(), on: socket)
  }

  /// Sends the buffered output.
  ///
  /// - Returns: false if the connection is broken.
  func flush() -> Bool {
    guard output.flush(on: socket) else { return false }
    if endsOutput, output.isEmpty { socket.shutdownWrite() }
    return true
  }

  /// Announces the end of the output: inside TLS by an alert (RFC 8446 §6.1), and by a FIN after it.
  ///
  /// Further input is discarded, so the session is no longer needed.
  func shutDown() {
    endTLS()
    endsOutput = true
    _ = flush()
  }

  /// Closes the socket; inside TLS, announces the end if that is possible without waiting.
  func close() {
    endTLS()
    socket.close()
  }

  private func endTLS() {
    guard let tls else { return }
    tls.close()
    _ = output.send(tls.takeOutput(), on: socket)
    self.tls = nil
  }
}
