internal import ProbeCore

/// The state machine of one connection to a replay server: it receives events, and returns actions.
///
/// It does no I/O and has no socket, poller or TLS session: ``ReplayLoop`` performs its actions.
struct ReplayConnection {
  /// An action to perform.
  ///
  /// An action that results in an event is the last one of its list.
  enum Action: Hashable {
    /// Append an entry to the journal; boxed because it is large.
    indirect case note(JournalEntry)
    /// Send bytes, inside TLS if there is a session, then call ``sent(all:in:)``.
    case send([UInt8])
    /// Send a close_notify alert if the TLS session uses one, then call ``sent(all:in:)``.
    case announceEnd
    /// Send a FIN.
    case shutDown
    /// Call ``pauseEnded(in:)`` after this time.
    case pause(Duration)
    /// Call ``acknowledged(_:)`` with whether the client has acknowledged everything.
    case checkAcknowledgement
    /// Close the connection with an RST.
    case reset
    case close
  }

  /// The meaning of received bytes.
  enum Reading {
    /// A part of a TLS handshake.
    case handshake
    /// Requests or turns, inside TLS if there is a session.
    case content
    /// Nothing; the bytes are discarded.
    case nothing
  }

  private enum State {
    /// Waits for a ClientHello, or performs the TLS handshake.
    case handshaking(hasBegun: Bool)
    /// Waits for a request, or for a turn of a plain TCP connection.
    case reading
    /// Could continue with received bytes, but waits until other connections have had their turn.
    case yielding
    /// Plays a response, and waits for the end of a pause or until more can be sent.
    case playing(ScriptPlayer, isPausing: Bool)
    /// Waits until the client has acknowledged a response, then briefly, and resets the connection.
    case awaitingAcknowledgement(isSettling: Bool)
    /// Waits until everything is sent, then sends a FIN and drains, or stays half closed.
    case finishing(staysOpen: Bool)
    /// Discards input until the client closes its side; when draining, for a limited time.
    case dropping(isDraining: Bool)
    case closed
  }

  /// The maximum number of bytes sent on a connection before others get their turn.
  private static let maximumBytesPerTurn = 256 * 1024
  /// The fixed cost of a response in bytes, besides its own.
  private static let costOfResponse = 16 * 1024
  /// The maximum number of bytes read ahead while a response is played; the rest stays in the socket.
  private static let maximumInput = 16 * 1024
  /// The delay from the acknowledgement to the reset, so that the client also reads what its system has
  /// received.
  private static let settleTime = Duration.milliseconds(50)
  /// The interval between two checks for an acknowledgement.
  private static let acknowledgementInterval = Duration.milliseconds(1)

  /// The number of the server's connection, counted from 1.
  let number: Int
  let listener: ReplayListener
  let destination: ReplayDestination?
  let client: IPAddress?
  /// The server name in the client's TLS handshake (SNI), or nil.
  var serverName: String?
  private var state: State
  /// The received bytes of an HTTP connection.
  private var requests: ReplayRequestReader?
  /// The received bytes of a plain TCP connection.
  private var turns: TCPTurnReader?
  /// Whether no route has had the chance to greet the client of a TCP connection yet.
  private var isNew = true
  private var hasPeerEnded = false
  /// How much of its turn the connection has used.
  private var turn = 0
  private(set) var lastUse: ContinuousClock.Instant

  /// Creates the state of a connection that was just accepted.
  ///
  /// - Parameters:
  ///   - number: The number of the server's connection.
  ///   - listener: The listener that accepted it.
  ///   - destination: The intended destination, if the port it arrived on identifies one.
  ///   - client: The client's address, or nil if unknown.
  ///   - startsTLS: Whether a TCP connection starts with a TLS handshake.
  ///   - holds: Whether all input is discarded and nothing is ever sent.
  ///   - limits: The limits on the size of a request.
  ///   - now: The current time.
  init(
    number: Int, listener: ReplayListener, destination: ReplayDestination? = nil,
    client: IPAddress? = nil, startsTLS: Bool = false, holds: Bool = false,
    limits: RequestLimits = RequestLimits(),
    now: ContinuousClock.Instant
  ) {
    (self.number, self.listener, self.destination, self.client) = (number, listener, destination, client)
    state =
      holds
      ? .dropping(isDraining: false)
      : listener == .https || startsTLS ? .handshaking(hasBegun: false) : .reading
    if listener == .tcp { turns = TCPTurnReader() } else { requests = ReplayRequestReader(limits: limits) }
    lastUse = now
  }
}

/// Properties that other types need.
extension ReplayConnection {
  var isClosed: Bool { if case .closed = state { true } else { false } }

  /// Whether the client has not made a request yet, or is between two: the server may then close it to make
  /// room.
  var isIdle: Bool {
    switch state {
    case .handshaking, .reading: true
    case .yielding, .playing, .awaitingAcknowledgement, .finishing, .dropping, .closed: false
    }
  }

  /// The meaning of the next received bytes.
  var reads: Reading {
    switch state {
    case .handshaking: .handshake
    case .reading, .yielding, .playing, .awaitingAcknowledgement: .content
    case .finishing, .dropping, .closed: .nothing
    }
  }

  /// Whether input is to be read; otherwise it stays in the system.
  var wantsInput: Bool {
    switch state {
    case .handshaking, .reading, .dropping: !hasPeerEnded
    case .yielding, .playing, .awaitingAcknowledgement, .finishing:
      !hasPeerEnded && requests?.count ?? turns?.count ?? 0 <= Self.maximumInput
    case .closed: false
    }
  }

  /// Whether ``ready(in:)`` is to be called when more can be sent.
  var wantsRoom: Bool {
    switch state {
    case .yielding, .playing(_, isPausing: false): true
    default: false
    }
  }

  private var isDraining: Bool { if case .dropping(isDraining: true) = state { true } else { false } }
}

/// Events on the connection.
extension ReplayConnection {
  /// Notes the time of the current event; draining ends on time, regardless of further input.
  mutating func wasUsed(at now: ContinuousClock.Instant) {
    if !isDraining { lastUse = now }
  }

  /// The connection was established: a route may greet the client of a plain TCP connection.
  mutating func start(in world: inout ReplayWorld) -> [Action] {
    guard listener == .tcp, isNew, case .reading = state else { return [] }
    isNew = false
    guard let response = world.greeting(matchInput()) else { return [] }
    return [.note(entry(response.outcome))] + play(response.script, in: &world)
  }

  /// Bytes were received; TLS, if any, has been removed.
  mutating func received(_ bytes: [UInt8], in world: inout ReplayWorld) -> [Action] {
    guard case .content = reads else { return [] }
    turn = 0
    requests?.receive(bytes)
    turns?.receive(bytes)
    return continueReading(in: &world)
  }

  /// The client closed its side; a response that is being played continues.
  mutating func receivedEnd(in world: inout ReplayWorld) -> [Action] {
    hasPeerEnded = true
    turns?.receiveEnd()
    switch state {
    case .handshaking(let hasBegun):
      let reason = "the client closed the connection during the handshake"
      return (hasBegun ? [.note(entry(.tlsFailed(reason)))] : []) + close()
    case .reading:
      turn = 0
      return continueReading(in: &world)
    case .dropping: return close()
    case .yielding, .playing, .awaitingAcknowledgement, .finishing, .closed: return []
    }
  }

  /// The connection broke, or the server closes it.
  mutating func ended() -> [Action] {
    isClosed ? [] : close()
  }

  /// The listener no longer responds: the connection is reset, or stays silent from now on.
  mutating func listenerChanged(to mode: ListenerMode) -> [Action] {
    guard !isClosed, mode != .open else { return [] }
    return mode == .hold || mode == .blackhole ? drop(isDraining: false) : reset()
  }

  /// Time has passed: a connection that has been idle or draining for too long is closed.
  mutating func timePassed(
    to now: ContinuousClock.Instant, idleTimeout: Duration, maximumDrainTime: Duration
  ) -> [Action] {
    let unused = lastUse.duration(to: now)
    return isIdle && unused > idleTimeout || isDraining && unused > maximumDrainTime ? close() : []
  }

  /// Bytes were sent: either all of them, or the rest waits until ``ready(in:)`` is called.
  mutating func sent(all: Bool, in world: inout ReplayWorld) -> [Action] {
    if case .reading = state { return continueReading(in: &world) }
    return all ? resume(in: &world) : []
  }

  /// Everything is sent, and more can be sent.
  mutating func ready(in world: inout ReplayWorld) -> [Action] {
    turn = 0
    return resume(in: &world)
  }

  mutating func pauseEnded(in world: inout ReplayWorld) -> [Action] {
    turn = 0
    switch state {
    case .playing(let player, isPausing: true): return advance(player, in: &world)
    case .awaitingAcknowledgement(isSettling: true): return reset()
    case .awaitingAcknowledgement(isSettling: false): return [.checkAcknowledgement]
    default: return []
    }
  }

  /// The client has or has not acknowledged everything.
  mutating func acknowledged(_ isAcknowledged: Bool) -> [Action] {
    state = .awaitingAcknowledgement(isSettling: isAcknowledged)
    return [.pause(isAcknowledged ? Self.settleTime : Self.acknowledgementInterval)]
  }
}

/// Events of its TLS handshake.
extension ReplayConnection {
  /// A part of the handshake was received.
  mutating func handshakeReceived() {
    if case .handshaking = state { state = .handshaking(hasBegun: true) }
  }

  /// The handshake succeeded: a route may greet the client of a TCP connection that started with it.
  mutating func handshakeEnded(in world: inout ReplayWorld) -> [Action] {
    guard case .handshaking = state else { return [] }
    state = .reading
    return start(in: &world)
  }

  /// Whether bytes on a TCP connection start a TLS handshake, as after STARTTLS; then it is one from now on.
  ///
  /// They do if they are the start of a TLS record (RFC 8446 §5.1) and no route receives such bytes.
  mutating func startsTLS(with bytes: Span<UInt8>, in world: ReplayWorld) -> Bool {
    guard case .reading = state, turns?.count == 0, bytes.count > 2, bytes[0] == 0x16, bytes[1] == 3,
      !world.receivesBytes(startingWith: 0x16)
    else { return false }
    state = .handshaking(hasBegun: true)
    return true
  }

  /// The ClientHello was received, and the fixture's TLS mode performs no handshake.
  mutating func refused(_ mode: TLSMode, in world: inout ReplayWorld) -> [Action] {
    let ending: ResponseScript.Ending = mode == .rst ? .reset : mode == .stall ? .hold : .fin
    return [.note(entry(.tlsFailed("the fixture's mode is \(mode.rawValue)")))]
      + play(ResponseScript([.send(mode.helloResponse ?? [])], ending), in: &world)
  }

  /// TLS failed; there is no session, so the alert is sent as is.
  mutating func tlsFailed(_ reason: String, alert: [UInt8], in world: inout ReplayWorld) -> [Action] {
    [.note(entry(.tlsFailed(reason)))] + play(ResponseScript([.send(alert)], .fin), in: &world)
  }
}

/// From received bytes to responses.
extension ReplayConnection {
  private static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private func matchInput(_ request: ReplayRequest? = nil) -> MatchInput {
    MatchInput(
      listener: listener, head: request?.head, destination: destination, client: client,
      body: request?.body ?? [])
  }

  private func entry(
    _ outcome: JournalEntry.Outcome, request: ReplayRequest? = nil, received: [UInt8] = []
  ) -> JournalEntry {
    JournalEntry(
      listener: listener, connection: number, client: client, request: request, received: received,
      destination: destination,
      serverName: serverName, outcome: outcome)
  }

  /// Reads the next request or turn, unless other connections would wait too long.
  private mutating func continueReading(in world: inout ReplayWorld) -> [Action] {
    guard case .reading = state else { return [] }
    guard turn < Self.maximumBytesPerTurn else {
      state = .yielding
      return []
    }
    return turns == nil ? takeRequest(in: &world) : takeTurn(in: &world)
  }

  private mutating func takeRequest(in world: inout ReplayWorld) -> [Action] {
    do throws(MalformedRequest) {
      switch try requests?.next() {
      case .request(let request):
        let response = world.respond(to: matchInput(request))
        return [.note(entry(response.outcome, request: request))]
          + play(response.script, isLast: request.head.endsConnection, in: &world)
      case .expectsContinue: return [.send(Self.continueResponse)]
      case .needsMore, nil: return hasPeerEnded ? finish(staysOpen: false) : []
      }
    } catch {
      // It is unknown where the next request would start.
      let response = ResponseBytes(
        ComposedResponse(
          status: error.status, headers: ["Content-Type: text/plain", "Connection: close"],
          body: Array("\(error.reason)\n".utf8)))
      return [.note(entry(.malformed(error)))] + play(ResponseScript([.send(response.all)], .fin), in: &world)
    }
  }

  private mutating func takeTurn(in world: inout ReplayWorld) -> [Action] {
    guard var turns else { return [] }
    guard let (response, received) = world.turn(&turns, matchInput()) else {
      return turns.isTooLong || hasPeerEnded ? finish(staysOpen: false) : []
    }
    self.turns = turns
    return [.note(entry(response.outcome, received: received))] + play(response.script, in: &world)
  }
}

/// From a response's script to its end.
extension ReplayConnection {
  private mutating func play(
    _ script: ResponseScript, isLast: Bool = false, in world: inout ReplayWorld
  ) -> [Action] {
    let isEnded = isLast && script.ending == .keep
    return advance(ScriptPlayer(isEnded ? ResponseScript(script.steps, .fin) : script), in: &world)
  }

  private mutating func advance(_ player: ScriptPlayer, in world: inout ReplayWorld) -> [Action] {
    var player = player
    guard turn <= Self.maximumBytesPerTurn else {
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

  /// Continues after all pending bytes are sent, or after other connections have had their turn.
  private mutating func resume(in world: inout ReplayWorld) -> [Action] {
    switch state {
    case .yielding:
      state = .reading
      return continueReading(in: &world)
    case .playing(let player, isPausing: false): return advance(player, in: &world)
    case .finishing(let staysOpen): return [.shutDown] + drop(isDraining: !staysOpen)
    default: return []
    }
  }

  private mutating func end(_ ending: ResponseScript.Ending, in world: inout ReplayWorld) -> [Action] {
    switch ending {
    case .keep:
      state = .reading
      turn += Self.costOfResponse
      return continueReading(in: &world)
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
