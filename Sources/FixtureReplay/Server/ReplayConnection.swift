internal import OpenSSL
internal import Sockets
internal import Threading

/// One connection of a replay server: what it is doing, and what stands out.
///
/// It belongs to the loop's thread.
final class ReplayConnection {
  /// What a connection is doing.
  enum Activity {
    /// It waits for a ClientHello.
    case awaitingHello
    /// It does a TLS handshake.
    case shakingHands
    /// It waits for a request, or for a turn of a plain TCP connection.
    case reading
    /// It plays an answer.
    case playing
    /// It waits until the client has acknowledged an answer, to be reset then.
    case awaitingAcknowledgement
    /// It sends what is left, then a FIN; then it drains, or stays half closed.
    case finishing(staysOpen: Bool)
    /// It reads and drops what comes until the client ends it; for a while when draining, else as long as it takes.
    case dropping(isDraining: Bool)
    /// It is over.
    case closed
  }

  let socket: StreamSocket
  private unowned let loop: ReplayLoop
  /// Which of the server's connections it is, from 1 on.
  let number: Int
  let listener: ReplayListener
  let destination: ReplayDestination?
  var activity: Activity
  var lastUse: ContinuousClock.Instant

  /// The ClientHello's reader and the bytes it was given.
  var hello: (reader: ClientHelloReader, bytes: [UInt8])?
  var tls: TLSSession?
  var serverName: String?
  /// Whether TLS ends with a close notification.
  var notifiesClose = true

  /// Requests on HTTP connections.
  var requests: ReplayRequestReader
  /// Turns on plain TCP connections.
  var turns = TCPTurns()
  /// What was received and not taken yet, TLS removed, and how much of it was searched for the end of a head.
  var input: [UInt8] = []
  var scanned = 0
  /// What the system has not taken yet, from a place on.
  var output: [UInt8] = []
  var outputStart = 0

  var player: ScriptPlayer?
  /// When the player goes on, while it pauses.
  var resumption: LoopAlarm?
  /// Whether the connection ends after the answer, because the client wants it.
  var endsAfterAnswer = false
  /// Whether the client has acknowledged everything and only a moment is left before the reset.
  var isSettling = false
  var hasPeerEnded = false
  /// What the poller watches for.
  var interest: Poller.Events = .readable

  init(
    _ socket: StreamSocket, of loop: ReplayLoop, number: Int, listener: ReplayListener,
    destination: ReplayDestination?,
    activity: Activity, limits: RequestLimits, now: ContinuousClock.Instant
  ) {
    self.socket = socket
    self.loop = loop
    self.number = number
    self.listener = listener
    self.destination = destination
    self.activity = activity
    requests = ReplayRequestReader(limits: limits)
    lastUse = now
  }

  /// How much was received and not taken yet.
  var waitingInput: Int { listener == .tcp ? turns.count : input.count }

  var hasOutput: Bool { outputStart < output.count }

  var isClosed: Bool { if case .closed = activity { true } else { false } }

  var isReading: Bool { if case .reading = activity { true } else { false } }

  /// Whether the client has not made a request yet, or is between two: what a server may end to make room.
  var isIdle: Bool {
    switch activity {
    case .awaitingHello, .shakingHands, .reading: true
    case .playing, .awaitingAcknowledgement, .finishing, .dropping, .closed: false
    }
  }

  /// Whether it is reading what it will only drop.
  var isDraining: Bool { if case .dropping(isDraining: true) = activity { true } else { false } }
}

extension ReplayConnection: AlarmReceiver {
  func alarmRings(on thread: LoopThread) {
    resumption = nil
    loop.endPause(of: self)
  }

  /// Ends a pause without going on.
  func cancelResumption() {
    if let resumption { loop.thread.cancel(resumption) }
    resumption = nil
  }
}
