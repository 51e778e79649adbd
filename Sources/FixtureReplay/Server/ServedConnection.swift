internal import ProbeOpenSSL
internal import ProbeSockets
internal import ProbeThreading

/// A connection as the loop serves it: its socket and its TLS, and the bytes that the system has not taken yet.
///
/// What it does is decided in ``ReplayConnection``. It belongs to the loop's thread.
final class ServedConnection {
  /// What stands between the socket and the content.
  enum TLS {
    /// Nothing, or nothing yet.
    case none
    /// The reader of a ClientHello, and the bytes it was given.
    case hello(ClientHelloReader, received: [UInt8])
    /// A session, which ends with a close notification or without.
    case session(TLSSession, announcesEnd: Bool)
  }

  let socket: StreamSocket
  var state: ReplayConnection
  var tls = TLS.none
  private unowned let loop: ReplayLoop
  /// What the system has not taken yet, from a place on.
  private var output: [UInt8] = []
  private var outputStart = 0
  /// Ends a pause.
  private var alarm: LoopAlarm?
  /// What the poller watches for.
  private var interest: Poller.Events = .readable

  init(_ socket: StreamSocket, of loop: ReplayLoop, state: ReplayConnection) {
    self.socket = socket
    self.loop = loop
    self.state = state
  }

  var hasOutput: Bool { outputStart < output.count }

  /// Sends bytes as they are, behind those that wait, and keeps what the system does not take yet.
  ///
  /// - Returns: false when the connection is broken.
  func send(_ bytes: [UInt8]) -> Bool {
    if hasOutput {
      output += bytes
      return true
    }
    (output, outputStart) = (bytes, 0)
    return flush()
  }

  /// Sends what was kept.
  ///
  /// - Returns: false when the connection is broken.
  func flush() -> Bool {
    guard hasOutput else { return true }
    guard case .bytes(let sent) = socket.send(output, from: outputStart) else { return false }
    outputStart += sent
    if !hasOutput { (output, outputStart) = ([], 0) }
    return true
  }

  /// Has the poller watch for what the state waits for, and lets go of TLS that is not needed any more.
  func endEvent() {
    guard !state.isClosed else { return }
    if state.reads == .nothing { tls = .none }
    var events: Poller.Events = state.wantsInput ? .readable : []
    if hasOutput || state.wantsRoom { events.insert(.writable) }
    guard events != interest else { return }
    interest = events
    loop.thread.change(socket.descriptor, events)
  }

  /// Closes the socket: what the system has taken still goes out, and then a FIN, or a RST where bytes are unread.
  func close() {
    cancelAlarm()
    loop.thread.unwatch(socket.descriptor, isClosing: true)
    socket.close()
  }
}

extension ServedConnection: AlarmReceiver {
  func alarmRings(on thread: LoopThread) {
    alarm = nil
    loop.endPause(of: self)
  }

  func pause(until end: ContinuousClock.Instant) {
    cancelAlarm()
    alarm = loop.thread.setAlarm(at: end, for: self)
  }

  private func cancelAlarm() {
    if let alarm { loop.thread.cancel(alarm) }
    alarm = nil
  }
}
