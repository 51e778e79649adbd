internal import ProbeCore
internal import ProbeBase
internal import ProbeTLS
internal import ProbeSystem

/// Accepts and serves a replay server's connections on the thread of its loop.
///
/// ``ReplayWorld`` determines the responses, and ``ReplayConnection`` the actions of each connection. The
/// loop performs them.
@safe final class ReplayLoop {
  /// A message from another thread.
  enum Message: Sendable {
    case listen(ReplayPort)
    case serveNames(DNSSockets)
    /// Perform an operation that a caller waits for.
    case perform(@Sendable (ReplayLoop) -> Void)
    case stop
  }

  let options: ReplayOptions
  let certificates: ReplayCertificates
  let journal: ReplayJournal
  private let mailbox: Guarded<[Message]>
  /// The names of a transparent server.
  let names: ReplayedNames?
  private var responder: DNSResponder?
  var world: ReplayWorld
  private var modes: [ReplayListener: ListenerMode]
  /// The loop's thread; set by the first message.
  private unowned(unsafe) var knownThread: LoopThread?

  /// The ports by descriptor.
  private var ports: [Int32: ReplayPort] = [:]
  /// The connections by descriptor.
  private var connections: [ReplaySocket?] = []
  private var connectionCount = 0
  /// The redirected connections whose protocol is not known yet, by descriptor.
  private var undecided: [Int32: UndecidedConnection] = [:]
  /// The number of connections so far.
  private var connectionNumber = 0
  private(set) var now = ContinuousClock.now
  private var nextSweep: LoopTimer?
  /// Ends the pause in which no connection is accepted because the machine has no descriptor left.
  private var acceptPause: LoopTimer?
  /// The buffer for decrypted bytes.
  let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

  init(
    _ fixtures: [Fixture], options: ReplayOptions, certificates: ReplayCertificates, journal: ReplayJournal,
    names: ReplayedNames?, mailbox: Guarded<[Message]>
  ) {
    self.options = options
    self.certificates = certificates
    self.journal = journal
    self.names = names
    self.mailbox = mailbox
    world = ReplayWorld(fixtures)
    modes = fixtures.modes
  }

  deinit {
    unsafe plaintext.deallocate()
  }

  /// The loop's thread; not before the first message.
  var thread: LoopThread {
    guard let thread = unsafe knownThread else {
      preconditionFailure("nothing happens before the first message")
    }
    return thread
  }
}

// Safe because one thread creates it and hands it to the loop's thread, and never uses it again.
extension ReplayLoop: @unchecked Sendable {}

extension ReplayLoop: LoopOperation, DescriptorWatcher, TimerReceiver {
  /// Receives the messages; called for each one.
  func start(on thread: LoopThread) {
    unsafe knownThread = thread
    takeMessages()
  }

  func cancel(on thread: LoopThread) {}

  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    wake()
    if let connection = connection(descriptor) {
      handle(events, on: connection)
    } else if let port = ports[descriptor] {
      accept(on: port)
    }
  }

  /// Closes connections that have been idle or draining for too long.
  func timerFired(on thread: LoopThread) {
    wake()
    sweep()
  }

  /// Reads the clock and the messages before anything else is done.
  func wake() {
    now = .now
    world.clock.real = now
    takeMessages()
  }

  /// Processes the messages of other threads.
  ///
  /// Also called between an event and its consequences: a request that a client sends after a call on another
  /// thread has returned must not receive the response from before that call.
  func takeMessages() {
    let messages = mailbox.withLock { messages in
      guard !messages.isEmpty else { return [Message]() }
      defer { messages.removeAll() }
      return messages
    }
    for message in messages {
      switch message {
      case .listen(let port): listen(port)
      case .serveNames(let sockets): serveNames(sockets)
      case .perform(let action): action(self)
      case .stop: stop()
      }
    }
  }

  private func listen(_ port: ReplayPort) {
    ports[port.socket.descriptor] = port
    guard mode(of: port).accepts else { return }
    _ = thread.watch(port.socket.descriptor, .readable, self)
  }

  private func serveNames(_ sockets: DNSSockets) {
    guard let names else { return }
    responder = DNSResponder(sockets, names)
    responder?.start(on: thread)
  }

  private func mode(of port: ReplayPort) -> ListenerMode {
    port.listener.map { modes[$0] ?? .open } ?? modes.ofOthers
  }

  /// Changes the modes of listeners; connections of a listener that no longer responds are ended as its mode
  /// requires.
  ///
  /// - Parameter wanted: The mode of every listener.
  /// - Throws: ``ReplayError`` if the system cannot do it; then nothing has changed.
  func setModes(_ wanted: [ReplayListener: ListenerMode]) throws(ReplayError) {
    let former = modes
    do throws(ReplayError) {
      try adjustPorts(to: wanted)
    } catch {
      try? adjustPorts(to: former)
      throw error
    }
    for case let connection? in connections {
      let listener = connection.state.listener
      guard let mode = modes[listener], mode != former[listener] else { continue }
      perform(connection.state.listenerChanged(to: mode), on: connection)
      connection.updateInterest()
    }
  }

  private func adjustPorts(to wanted: [ReplayListener: ListenerMode]) throws(ReplayError) {
    modes = wanted
    for (descriptor, port) in ports where port.socket.queue != mode(of: port).queue {
      thread.unwatch(descriptor, isClosing: true)
      defer { if port.socket.queue == .open { _ = thread.watch(descriptor, .readable, self) } }
      do throws(ListeningSocket.Failure) {
        try port.socket.change(to: mode(of: port).queue)
      } catch {
        throw ReplayError(error)
      }
    }
  }

  /// Closes everything.
  private func stop() {
    for connection in undecided.values { decide(connection, nil) }
    responder?.stop(on: thread)
    responder = nil
    for case let connection? in connections { perform(connection.state.ended(), on: connection) }
    for descriptor in ports.keys { thread.unwatch(descriptor, isClosing: true) }
    ports = [:]
    if let nextSweep { thread.cancel(nextSweep) }
    if let acceptPause { thread.cancel(acceptPause) }
    (nextSweep, acceptPause) = (nil, nil)
  }

  private func connection(_ descriptor: Int32) -> ReplaySocket? {
    Int(widening: descriptor) < connections.count ? connections[Int(widening: descriptor)] : nil
  }
}

extension ReplayLoop {
  /// Accepts the pending connections of a port.
  private func accept(on port: ReplayPort) {
    // Not all of them at once, so that established connections need not wait.
    for _ in 0..<64 {
      let (descriptor, isShort) = port.socket.accept()
      if isShort, !makeRoom() { return pauseAccepting() }
      guard let descriptor else {
        if isShort { continue }
        return
      }
      takeMessages()
      // The port may have been closed in the meantime, or no longer accept connections.
      guard ports[port.socket.descriptor] != nil, mode(of: port).accepts else {
        return StreamSocket(descriptor: descriptor).close()
      }
      take(StreamSocket(descriptor: descriptor), from: port)
    }
  }

  private func take(_ socket: StreamSocket, from port: ReplayPort) {
    connectionNumber += 1
    if options.isTransparent { return take(redirected: socket, from: port) }
    guard let listener = port.listener else { return socket.close() }
    serve(
      socket,
      ProtocolChoice.Service(
        listener: listener, destination: port.destination, startsTLS: port.startsTLS))
  }

  private func serve(_ socket: StreamSocket, _ service: ProtocolChoice.Service) {
    let mode = modes[service.listener] ?? .open
    if mode == .rst || mode == .refused {
      socket.prepareReset()
      return socket.close()
    }
    guard thread.watch(socket.descriptor, .readable, self) else { return socket.close() }
    connectionCount += 1
    if nextSweep == nil { nextSweep = thread.setTimer(at: now + sweepInterval, for: self) }
    let connection = ReplaySocket(
      socket, of: self,
      state: ReplayConnection(
        number: connectionNumber, listener: service.listener, destination: service.destination,
        client: socket.peerAddress, startsTLS: service.startsTLS,
        holds: mode == .hold || mode == .blackhole, limits: options.limits, now: now))
    let index = Int(widening: socket.descriptor)
    while connections.count <= index { connections.append(nil) }
    connections[index] = connection
    perform(connection.state.start(in: &world), on: connection)
    connection.updateInterest()
  }

  /// Takes a connection that was redirected here.
  private func take(redirected socket: StreamSocket, from port: ReplayPort) {
    let destination = socket.originalDestination
    let hosts = destination.flatMap { names?.hosts(at: $0.address) } ?? []
    let destinations = hosts.map { ReplayDestination(host: $0, port: destination?.port ?? 0) }
    let choice = ProtocolChoice(
      port.listener, destinations, client: socket.peerAddress, in: &world)
    switch choice.start {
    case .serve(let service): serve(socket, service)
    case .wait(let delay):
      let connection = UndecidedConnection(socket, choice, of: self)
      guard connection.start(greetingAfter: delay) else { return socket.close() }
      undecided[socket.descriptor] = connection
    }
  }

  /// Serves a connection, as its protocol is now known; closes it if nil.
  func decide(_ connection: UndecidedConnection, _ service: ProtocolChoice.Service?) {
    undecided[connection.socket.descriptor] = nil
    connection.end()
    guard let service else { return connection.socket.close() }
    serve(connection.socket, service)
  }

  /// Closes the connection that has been idle longest, if this process has no descriptor left for another.
  private func makeRoom() -> Bool {
    let idle = connections.compactMap { $0 }.filter(\.state.isIdle)
    let oldest = idle.min { one, other in
      (one.state.lastUse, one.state.number) < (other.state.lastUse, other.state.number)
    }
    guard let oldest else {
      guard let waiting = undecided.values.first else { return false }
      decide(waiting, nil)
      return true
    }
    perform(oldest.state.ended(), on: oldest)
    return true
  }

  /// Stops watching the ports for a moment; connections wait in their queues.
  private func pauseAccepting() {
    guard acceptPause == nil else { return }
    acceptPause = thread.setTimer(at: now + .milliseconds(20), for: AcceptPauseEnd(self))
    for (descriptor, port) in ports where mode(of: port).accepts { thread.change(descriptor, []) }
  }

  fileprivate func resumeAccepting() {
    acceptPause = nil
    for (descriptor, port) in ports where mode(of: port).accepts { thread.change(descriptor, .readable) }
  }

  private var sweepInterval: Duration { min(.seconds(1), options.idleTimeout, options.maximumDrainTime) }

  /// Closes connections that have been idle or draining for too long.
  private func sweep() {
    nextSweep = connectionCount > 0 ? thread.setTimer(at: now + sweepInterval, for: self) : nil
    for case let connection? in connections {
      let actions = connection.state.timePassed(
        to: now, idleTimeout: options.idleTimeout, maximumDrainTime: options.maximumDrainTime)
      perform(actions, on: connection)
    }
  }

  /// Closes a connection and removes it.
  func close(_ connection: ReplaySocket) {
    connections[Int(widening: connection.socket.descriptor)] = nil
    connectionCount -= 1
    connection.close()
  }

  /// The TLS mode for the server name that a client sent.
  func tlsMode(for host: String?) -> TLSMode {
    for fixture in world.fixtures {
      if let mode = fixture.tls[host ?? ""] { return mode }
    }
    return .valid
  }
}

extension ListenerMode {
  /// Whether the system accepts connections in this mode.
  var accepts: Bool { queue == .open }

  /// What the system does with new connections.
  var queue: ListeningSocket.Queue {
    switch self {
    case .open, .rst, .hold: .open
    case .refused: .refused
    case .blackhole: .full
    }
  }
}

/// Ends the pause in which a server accepts no connections.
private final class AcceptPauseEnd: TimerReceiver {
  private let loop: ReplayLoop

  init(_ loop: ReplayLoop) {
    self.loop = loop
  }

  func timerFired(on thread: LoopThread) {
    loop.resumeAccepting()
  }
}
