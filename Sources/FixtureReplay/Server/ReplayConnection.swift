/// What one connection of a replay server does: told what happens on it, it says what to do next.
///
/// It does no I/O and knows no socket, poller or TLS session: ``ReplayLoop`` carries out what it says.
struct ReplayConnection {
  /// What to do next.
  ///
  /// An action that is answered by an event is the last one of its list.
  enum Action: Hashable {
    /// Write an entry into the journal; boxed, because it is large.
    indirect case note(JournalEntry)
    /// Send bytes, inside TLS where there is a session, and tell ``sent(all:in:)``.
    case send([UInt8])
    /// Announce the end inside TLS, where there is a session that does so, and tell ``sent(all:in:)``.
    case announceEnd
    /// Send a FIN.
    case shutDown
    /// Tell ``pauseEnded(in:)`` when so much time has passed.
    case pause(Duration)
    /// Tell ``acknowledged(_:)`` whether the client has acknowledged everything.
    case checkAcknowledgement
    /// Close the connection with a RST.
    case reset
    /// Close the connection.
    case close
  }

  /// What the bytes are that come now.
  enum Reading {
    /// A part of a TLS handshake.
    case handshake
    /// Requests or turns, inside TLS where there is a session.
    case content
    /// Nothing that matters.
    case nothing
  }

  private enum State {
    /// It waits for a ClientHello, or does the TLS handshake.
    case handshaking(hasBegun: Bool)
    /// It waits for a request, or for a turn of a plain TCP connection.
    case reading
    /// It could go on with what was received, and waits until others have had their turn.
    case yielding
    /// It plays an answer, and waits for the end of a pause or for room to send more.
    case playing(ScriptPlayer, isPausing: Bool)
    /// It waits until the client has acknowledged an answer, then for a moment, and resets.
    case awaitingAcknowledgement(isSettling: Bool)
    /// It waits until all is sent, for a FIN to follow; then it drains, or stays half closed.
    case finishing(staysOpen: Bool)
    /// It drops what comes until the client ends it; for a while when draining, else as long as it takes.
    case dropping(isDraining: Bool)
    case closed
  }

  /// How much is sent to a connection before others get their turn, in bytes.
  private static let longestTurn = 256 * 1024
  /// What an answer counts for besides its bytes.
  private static let costOfAnswer = 16 * 1024
  /// What a client may send ahead while an answer is played, in bytes; then it has to wait.
  private static let mostInput = 16 * 1024
  /// Between an acknowledgement and the reset: what the client's system has, the client should also have read.
  private static let settleTime = Duration.milliseconds(50)
  /// Between two looks for an acknowledgement.
  private static let acknowledgementInterval = Duration.milliseconds(1)

  /// Which of the server's connections it is, from 1 on.
  let number: Int
  let listener: ReplayListener
  let destination: ReplayDestination?
  /// The host name that the client asked for in its TLS handshake (SNI), or nil.
  var serverName: String?
  private var state: State
  /// What an HTTP connection has received.
  private var requests: ReplayRequestReader?
  /// What a plain TCP connection has received.
  private var turns: TCPTurns?
  private var hasPeerEnded = false
  /// How much of its turn it has had.
  private var turn = 0
  private(set) var lastUse: ContinuousClock.Instant

  /// A connection that was just accepted.
  ///
  /// - Parameters:
  ///   - number: Which of the server's connections it is.
  ///   - listener: The listener it came to.
  ///   - destination: Where the client meant to go, when the way it came tells.
  ///   - holds: Whether what comes is dropped, and nothing ever answered.
  ///   - limits: How much of a request is read.
  ///   - now: The time.
  init(
    number: Int, listener: ReplayListener, destination: ReplayDestination? = nil, holds: Bool = false,
    limits: RequestLimits = RequestLimits(), now: ContinuousClock.Instant
  ) {
    (self.number, self.listener, self.destination) = (number, listener, destination)
    state =
      holds
      ? .dropping(isDraining: false) : listener == .https ? .handshaking(hasBegun: false) : .reading
    if listener == .tcp { turns = TCPTurns() } else { requests = ReplayRequestReader(limits: limits) }
    lastUse = now
  }
}

/// What others need to know of it.
extension ReplayConnection {
  var isClosed: Bool { if case .closed = state { true } else { false } }

  /// Whether the client has not made a request yet, or is between two: what a server may end to make room.
  var isIdle: Bool {
    switch state {
    case .handshaking, .reading: true
    case .yielding, .playing, .awaitingAcknowledgement, .finishing, .dropping, .closed: false
    }
  }

  /// What the bytes are that come now.
  var reads: Reading {
    switch state {
    case .handshaking: .handshake
    case .reading, .yielding, .playing, .awaitingAcknowledgement: .content
    case .finishing, .dropping, .closed: .nothing
    }
  }

  /// Whether what the client sends is to be received; else it stays in the system.
  var wantsInput: Bool {
    switch state {
    case .handshaking, .reading, .dropping: !hasPeerEnded
    case .yielding, .playing, .awaitingAcknowledgement, .finishing:
      !hasPeerEnded && requests?.count ?? turns?.count ?? 0 <= Self.mostInput
    case .closed: false
    }
  }

  /// Whether ``ready(in:)`` is to be told once more can be sent.
  var wantsRoom: Bool {
    switch state {
    case .yielding, .playing(_, isPausing: false): true
    default: false
    }
  }

  private var isDraining: Bool { if case .dropping(isDraining: true) = state { true } else { false } }
}

/// What happens to it.
extension ReplayConnection {
  /// Takes note that something is about to happen at this time; draining ends after its time, however much still comes.
  mutating func wasUsed(at now: ContinuousClock.Instant) {
    if !isDraining { lastUse = now }
  }

  /// The connection begins: a route may greet the client of a plain TCP connection.
  mutating func start(in world: inout ReplayWorld) -> [Action] {
    guard listener == .tcp, case .reading = state, let reply = world.greeting(matchInput()) else { return [] }
    return [.note(entry(reply.outcome))] + play(reply.script, in: &world)
  }

  /// Bytes have come, from which TLS, where there is one, has been removed.
  mutating func received(_ bytes: [UInt8], in world: inout ReplayWorld) -> [Action] {
    guard case .content = reads else { return [] }
    turn = 0
    requests?.receive(bytes)
    turns?.receive(bytes)
    return readOn(in: &world)
  }

  /// The client has ended its side; an answer that is being played goes on.
  mutating func receivedEnd(in world: inout ReplayWorld) -> [Action] {
    hasPeerEnded = true
    turns?.receiveEnd()
    switch state {
    case .handshaking(let hasBegun):
      let reason = "the client ended the connection during the handshake"
      return (hasBegun ? [.note(entry(.tlsFailed(reason)))] : []) + close()
    case .reading:
      turn = 0
      return readOn(in: &world)
    case .dropping: return close()
    case .yielding, .playing, .awaitingAcknowledgement, .finishing, .closed: return []
    }
  }

  /// The connection broke, or the server ends it.
  mutating func ended() -> [Action] {
    isClosed ? [] : close()
  }

  /// Time has passed: what has been idle or drained for too long ends.
  mutating func timePassed(
    to now: ContinuousClock.Instant, idleTimeout: Duration, longestDrain: Duration
  ) -> [Action] {
    let unused = lastUse.duration(to: now)
    return isIdle && unused > idleTimeout || isDraining && unused > longestDrain ? close() : []
  }

  /// Bytes were sent: all of them, or some wait until ``ready(in:)`` is told.
  mutating func sent(all: Bool, in world: inout ReplayWorld) -> [Action] {
    if case .reading = state { return readOn(in: &world) }
    return all ? goOn(in: &world) : []
  }

  /// Everything is sent, and there is room for more.
  mutating func ready(in world: inout ReplayWorld) -> [Action] {
    turn = 0
    return goOn(in: &world)
  }

  /// A pause is over.
  mutating func pauseEnded(in world: inout ReplayWorld) -> [Action] {
    turn = 0
    switch state {
    case .playing(let player, isPausing: true): return playOn(player, in: &world)
    case .awaitingAcknowledgement(isSettling: true): return reset()
    case .awaitingAcknowledgement(isSettling: false): return [.checkAcknowledgement]
    default: return []
    }
  }

  /// The client has acknowledged everything, or not yet.
  mutating func acknowledged(_ isAcknowledged: Bool) -> [Action] {
    state = .awaitingAcknowledgement(isSettling: isAcknowledged)
    return [.pause(isAcknowledged ? Self.settleTime : Self.acknowledgementInterval)]
  }
}

/// What happens to its TLS.
extension ReplayConnection {
  /// A part of the handshake has come.
  mutating func handshakeReceived() {
    if case .handshaking = state { state = .handshaking(hasBegun: true) }
  }

  /// The handshake is done.
  mutating func handshakeEnded() {
    if case .handshaking = state { state = .reading }
  }

  /// The ClientHello has come, and the mode of the fixture does without a handshake.
  mutating func refused(_ mode: TLSMode, in world: inout ReplayWorld) -> [Action] {
    let ending: AnswerScript.Ending = mode == .rst ? .reset : mode == .stall ? .hold : .fin
    return [.note(entry(.tlsFailed("the fixture's mode is \(mode.rawValue)")))]
      + play(AnswerScript([.send(mode.helloAnswer ?? [])], ending), in: &world)
  }

  /// TLS came to nothing; there is no session any more, and the alert is sent as it is.
  mutating func tlsFailed(_ reason: String, alert: [UInt8], in world: inout ReplayWorld) -> [Action] {
    [.note(entry(.tlsFailed(reason)))] + play(AnswerScript([.send(alert)], .fin), in: &world)
  }
}

/// From bytes to answers.
extension ReplayConnection {
  private static let goOnAnswer = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private func matchInput(_ head: RequestHead? = nil) -> MatchInput {
    MatchInput(listener: listener, head: head, destination: destination)
  }

  private func entry(
    _ outcome: JournalEntry.Outcome, request: ReplayRequest? = nil, received: [UInt8] = []
  ) -> JournalEntry {
    JournalEntry(
      listener: listener, connection: number, request: request, received: received, destination: destination,
      serverName: serverName, outcome: outcome)
  }

  /// Takes the next request or turn, unless others have to wait for too long.
  private mutating func readOn(in world: inout ReplayWorld) -> [Action] {
    guard case .reading = state else { return [] }
    guard turn < Self.longestTurn else {
      state = .yielding
      return []
    }
    return turns == nil ? takeRequest(in: &world) : takeTurn(in: &world)
  }

  private mutating func takeRequest(in world: inout ReplayWorld) -> [Action] {
    do throws(MalformedRequest) {
      switch try requests?.next() {
      case .request(let request):
        let reply = world.answer(matchInput(request.head))
        return [.note(entry(reply.outcome, request: request))]
          + play(reply.script, isLast: request.head.endsConnection, in: &world)
      case .expectsContinue: return [.send(Self.goOnAnswer)]
      case .needsMore, nil: return hasPeerEnded ? finish(staysOpen: false) : []
      }
    } catch {
      // Where the next request starts nobody can tell.
      let answer = AnswerBytes(
        ComposedResponse(
          status: error.status, headers: ["Content-Type: text/plain", "Connection: close"],
          body: Array("\(error.reason)\n".utf8)))
      return [.note(entry(.malformed(error)))] + play(AnswerScript([.send(answer.all)], .fin), in: &world)
    }
  }

  private mutating func takeTurn(in world: inout ReplayWorld) -> [Action] {
    guard var turns else { return [] }
    guard let (reply, received) = world.turn(&turns, matchInput()) else {
      return turns.isTooLong || hasPeerEnded ? finish(staysOpen: false) : []
    }
    self.turns = turns
    return [.note(entry(reply.outcome, received: received))] + play(reply.script, in: &world)
  }
}

/// From an answer's script to its end.
extension ReplayConnection {
  private mutating func play(
    _ script: AnswerScript, isLast: Bool = false, in world: inout ReplayWorld
  ) -> [Action] {
    let isEnded = isLast && script.ending == .keep
    return playOn(ScriptPlayer(isEnded ? AnswerScript(script.steps, .fin) : script), in: &world)
  }

  private mutating func playOn(_ player: ScriptPlayer, in world: inout ReplayWorld) -> [Action] {
    var player = player
    guard turn <= Self.longestTurn else {
      state = .playing(player, isPausing: false)
      return []
    }
    switch player.next() {
    case .send(let bytes):
      turn += bytes.count
      state = .playing(player, isPausing: false)
      return [.send(bytes)]
    case .pause(let duration):
      state = .playing(player, isPausing: true)
      return [.pause(duration)]
    case .end(let ending): return end(ending, in: &world)
    }
  }

  /// Goes on with what waited for room.
  private mutating func goOn(in world: inout ReplayWorld) -> [Action] {
    switch state {
    case .yielding:
      state = .reading
      return readOn(in: &world)
    case .playing(let player, isPausing: false): return playOn(player, in: &world)
    case .finishing(let staysOpen): return [.shutDown] + drop(isDraining: !staysOpen)
    default: return []
    }
  }

  private mutating func end(_ ending: AnswerScript.Ending, in world: inout ReplayWorld) -> [Action] {
    switch ending {
    case .keep:
      state = .reading
      turn += Self.costOfAnswer
      return readOn(in: &world)
    case .fin: return finish(staysOpen: false)
    case .halfClose: return finish(staysOpen: true)
    case .reset: return reset()
    case .resetWhenAcknowledged:
      state = .awaitingAcknowledgement(isSettling: false)
      return [.checkAcknowledgement]
    case .hold: return drop(isDraining: false)
    }
  }

  private mutating func finish(staysOpen: Bool) -> [Action] {
    state = .finishing(staysOpen: staysOpen)
    return [.announceEnd]
  }

  private mutating func drop(isDraining: Bool) -> [Action] {
    if hasPeerEnded { return close() }
    state = .dropping(isDraining: isDraining)
    (requests, turns) = (nil, nil)
    return []
  }

  private mutating func reset() -> [Action] {
    state = .closed
    return [.reset]
  }

  private mutating func close() -> [Action] {
    state = .closed
    return [.close]
  }
}
