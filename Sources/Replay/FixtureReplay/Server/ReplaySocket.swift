internal import ProbeTLS
internal import ProbeSystem

/// The socket of a connection that the loop serves, with its TLS session and the bytes that are not sent yet.
///
/// ``ReplayConnection`` decides what it does. It belongs to the loop's thread.
final class ReplaySocket {
  /// The TLS layer between the socket and the content.
  enum TLS {
    /// No TLS, or not yet.
    case none
    /// The reader of a ClientHello, and the bytes received so far.
    case hello(ClientHelloReader, received: [UInt8])
    /// A session, which ends with or without a close_notify alert.
    case session(TLSSession, announcesEnd: Bool)
  }

  let socket: StreamSocket
  var state: ReplayConnection
  var tls = TLS.none
  private unowned let loop: ReplayLoop
  private var output = SendBuffer()
  /// Ends a pause.
  private var timer: LoopTimer?
  /// The events that the poller watches for.
  private var interest: Poller.Events = .readable

  init(_ socket: StreamSocket, of loop: ReplayLoop, state: ReplayConnection) {
    self.socket = socket
    self.loop = loop
    self.state = state
  }

  var hasOutput: Bool { !output.isEmpty }

  /// Sends bytes as is, after those that are waiting, and keeps what the system does not accept yet.
  ///
  /// - Returns: false if the connection is broken.
  func send(_ bytes: [UInt8]) -> Bool { output.send(bytes, on: socket) }

  /// Sends the kept bytes.
  ///
  /// - Returns: false if the connection is broken.
  func flush() -> Bool { output.flush(on: socket) }

  /// Sets the events that the poller watches for, and frees TLS when it is no longer needed.
  ///
  /// To be called after each event.
  func updateInterest() {
    guard !state.isClosed else { return }
    if state.reads == .nothing { tls = .none }
    var events: Poller.Events = state.wantsInput ? .readable : []
    if hasOutput || state.wantsRoom { events.insert(.writable) }
    guard events != interest else { return }
    interest = events
    loop.thread.change(socket.descriptor, events)
  }

  /// Closes the socket.
  ///
  /// What the system has accepted is still sent, then a FIN; with unread input, it is discarded, and an RST is sent.
  /// Bytes kept here are discarded.
  func close() {
    cancelTimer()
    loop.thread.unwatch(socket.descriptor, isClosing: true)
    socket.close()
  }
}

extension ReplaySocket: TimerReceiver {
  func timerFired(on thread: LoopThread) {
    timer = nil
    loop.endPause(of: self)
  }

  func pause(until end: ContinuousClock.Instant) {
    cancelTimer()
    timer = loop.thread.setTimer(at: end, for: self)
  }

  private func cancelTimer() {
    if let timer { loop.thread.cancel(timer) }
    timer = nil
  }
}
