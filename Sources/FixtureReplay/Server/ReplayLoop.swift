internal import CProbeShims
internal import Locking
internal import OpenSSL
internal import Threading

/// A replay server's one thread: takes connections, serves them, and sleeps in between.
///
/// What to answer is decided in ``ReplayWorld``, and how in ``ScriptPlayer``; here it is done.
@safe final class ReplayLoop {
  /// What other threads ask of it.
  enum Message: Sendable {
    case listen(ReplayPort)
    case replace([Fixture])
    case stop
  }

  let poller: Poller
  let options: ReplayOptions
  let certificates: ReplayCertificates
  let journal: ReplayJournal
  private let mailbox: Guarded<[Message]>
  private var fixtures: [Fixture]
  var world: ReplayWorld

  private var ports: [ReplayPort] = []
  /// By descriptor.
  private var connections: [ReplayConnection?] = []
  private var connectionCount = 0
  private var generation: UInt64 = 0
  private(set) var now = ContinuousClock.now
  private var timers = TimerQueue<UInt64>()
  private var nextSweep = ContinuousClock.now
  private var isStopping = false
  /// What the connection that is served has had of its turn.
  var turn = 0
  /// Ports that are not watched because the machine has no descriptor left, until this moment.
  private var restUntil: ContinuousClock.Instant?
  /// What is received goes here first.
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
  let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

  init(
    _ fixtures: [Fixture], ports: [ReplayPort], poller: Poller, options: ReplayOptions,
    certificates: ReplayCertificates, journal: ReplayJournal, mailbox: Guarded<[Message]>
  ) {
    self.fixtures = fixtures
    self.poller = poller
    self.options = options
    self.certificates = certificates
    self.journal = journal
    self.mailbox = mailbox
    world = ReplayWorld(fixtures)
    for port in ports { listen(port) }
  }

  deinit {
    unsafe buffer.deallocate()
    unsafe plaintext.deallocate()
  }

  /// Serves until it is told to stop; then nothing of it is left open.
  func run() {
    var events = Array(repeating: probe_event(), count: 256)
    while true {
      let count = poller.wait(into: &events, milliseconds: patience)
      now = ContinuousClock.now
      takeMessages()
      if isStopping { break }
      for event in events[..<count] { handle(event) }
      resumePaused()
      sweep()
    }
    for connection in connections { connection.map(close) }
    ports = []
  }
}

// Safe because it is made by one thread and handed to the one it runs on, never to use again elsewhere.
extension ReplayLoop: @unchecked Sendable {}

extension ReplayLoop {
  private static let portMark: UInt64 = 1 << 63

  /// Does what other threads have asked for.
  ///
  /// Also asked between an event and what follows from it: what a client does after a thread's call has returned must not
  /// be answered as before.
  func takeMessages() {
    let messages = mailbox.withLock { messages in
      guard !messages.isEmpty else { return [Message]() }
      defer { messages.removeAll() }
      return messages
    }
    for message in messages {
      switch message {
      case .listen(let port): listen(port)
      case .replace(let fixtures):
        self.fixtures = fixtures
        world = ReplayWorld(fixtures)
      case .stop: isStopping = true
      }
    }
  }

  private func listen(_ port: ReplayPort) {
    ports.append(port)
    guard port.mode.accepts else { return }
    _ = poller.add(port.socket.descriptor, .readable, id: Self.portMark | UInt64(ports.count - 1))
  }

  private func handle(_ event: probe_event) {
    if event.id & Self.portMark != 0 {
      accept(on: ports[Int(event.id & ~Self.portMark)])
      return
    }
    guard let connection = connection(event.id) else { return }
    let happened = Poller.Events(rawValue: event.events)
    if happened.contains(.writable) { resume(connection) }
    if connection.isClosed { return }
    if connection.interest.contains(.readable), !happened.isDisjoint(with: [.readable, .broken]) {
      receive(on: connection)
    } else if !happened.isDisjoint(with: .broken) {
      close(connection)
    }
  }

  private func connection(_ id: UInt64) -> ReplayConnection? {
    let index = Int(truncatingIfNeeded: id & 0xFFFF_FFFF)
    guard index < connections.count, let connection = connections[index], connection.id == id else {
      return nil
    }
    return connection
  }

  /// How long to sleep at most, in milliseconds; nil for as long as nothing happens.
  private var patience: Int32? {
    var next = timers.first
    if connectionCount > 0 { next = min(next ?? nextSweep, nextSweep) }
    if let restUntil { next = min(next ?? restUntil, restUntil) }
    guard let next else { return nil }
    let left = ContinuousClock.now.duration(to: next)
    guard left > .zero else { return 0 }
    // Rounded up, so as not to wake just before the moment.
    let (seconds, attoseconds) = left.components
    return Int32(clamping: min(seconds, 3600) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}

extension ReplayLoop {
  /// Takes what waits at a port.
  private func accept(on port: ReplayPort) {
    // Not all of them at once: those that are served already must not wait.
    for _ in 0..<64 {
      let (descriptor, isShort) = port.socket.accept()
      if isShort, !makeRoom() { return rest() }
      guard let descriptor else {
        if isShort { continue }
        return
      }
      takeMessages()
      take(StreamSocket(descriptor: descriptor), from: port)
    }
  }

  private func take(_ socket: StreamSocket, from port: ReplayPort) {
    generation &+= 1
    let id = (generation & 0x7FFF_FFFF) << 32 | UInt64(UInt32(bitPattern: socket.descriptor))
    let mode = port.modeNow(fixtures)
    if mode == .rst {
      socket.prepareReset()
      return socket.close()
    }
    let activity: ReplayConnection.Activity =
      mode == .hold ? .dropping(isDraining: false) : port.listener == .https ? .awaitingHello : .reading
    guard poller.add(socket.descriptor, .readable, id: id) else { return socket.close() }
    connectionCount += 1
    if connectionCount == 1 { nextSweep = now + sweepInterval }
    let connection = ReplayConnection(
      socket, id: id, number: Int(generation), listener: port.listener, destination: port.destination,
      activity: activity, limits: options.limits, now: now)
    let index = Int(socket.descriptor)
    while connections.count <= index { connections.append(nil) }
    connections[index] = connection
    if port.listener == .tcp, connection.isReading { greet(connection) }
  }

  /// Ends the connection that has been idle longest, when this process has no descriptor left for another.
  private func makeRoom() -> Bool {
    let idle = connections.compactMap { $0 }.filter(\.isIdle)
    guard let oldest = idle.min(by: { ($0.lastUse, $0.number) < ($1.lastUse, $1.number) }) else {
      return false
    }
    close(oldest)
    return true
  }

  /// Leaves the ports alone for a moment: connections wait in their queues until there is room.
  private func rest() {
    guard restUntil == nil else { return }
    restUntil = now + .milliseconds(20)
    for (index, port) in ports.enumerated() where port.mode.accepts {
      poller.change(port.socket.descriptor, [], id: Self.portMark | UInt64(index))
    }
  }

  private var sweepInterval: Duration { min(.seconds(1), options.idleTimeout, options.longestDrain) }

  /// Ends what has been idle or drained for too long.
  private func sweep() {
    if let restUntil, restUntil <= now {
      self.restUntil = nil
      for (index, port) in ports.enumerated() where port.mode.accepts {
        poller.change(port.socket.descriptor, .readable, id: Self.portMark | UInt64(index))
      }
    }
    guard nextSweep <= now, connectionCount > 0 else { return }
    nextSweep = now + sweepInterval
    for case let connection? in connections {
      let unused = connection.lastUse.duration(to: now)
      if connection.isIdle && unused > options.idleTimeout
        || connection.isDraining && unused > options.longestDrain
      {
        close(connection)
      }
    }
  }

  private func resumePaused() {
    while let id = timers.take(dueBy: now) {
      guard let connection = connection(id), let moment = connection.resumption, moment <= now else {
        continue
      }
      connection.resumption = nil
      resume(connection)
    }
  }

  /// Has a connection resumed after a time.
  func resume(_ connection: ReplayConnection, after duration: Duration) {
    let moment = now + duration
    connection.resumption = moment
    timers.add(connection.id, at: moment)
  }

  /// Closes a connection: what the system has taken still goes out, and then a FIN, or a RST where bytes are unread.
  func close(_ connection: ReplayConnection) {
    guard !connection.isClosed else { return }
    connection.activity = .closed
    connections[Int(connection.socket.descriptor)] = nil
    connectionCount -= 1
    connection.socket.close()
  }

  /// How TLS is spoken with a client that asks for this host.
  func tlsMode(for host: String?) -> TLSMode {
    for fixture in fixtures {
      if let mode = fixture.tls[host ?? ""] { return mode }
    }
    return .valid
  }
}

extension ListenerMode {
  /// Whether connections come to the server at all.
  var accepts: Bool { self == .open || self == .rst || self == .hold }
}
