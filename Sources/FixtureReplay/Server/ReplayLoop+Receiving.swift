internal import HTTPWire
internal import OpenSSL
internal import Sockets
internal import Threading

/// From bytes to requests.
extension ReplayLoop {
  /// What a client may send ahead while an answer is played; then it has to wait, and what comes stays in the system.
  private static let mostInput = 16 * 1024

  /// Receives what has come, once.
  func receive(on connection: ReplayConnection) {
    switch unsafe connection.socket.receive(into: thread.buffer) {
    case .nothing: return
    case .broken: close(connection)
    case .end: receiveEnd(on: connection)
    case .bytes(let count):
      takeMessages()
      // Draining ends after its time, however much still comes.
      if !connection.isDraining { connection.lastUse = now }
      take(
        unsafe UnsafeRawBufferPointer(thread.buffer).bindMemory(to: UInt8.self).span.extracting(..<count),
        on: connection)
    }
  }

  private func take(_ bytes: Span<UInt8>, on connection: ReplayConnection) {
    switch connection.activity {
    case .closed, .dropping, .finishing: return
    case .awaitingHello: takeHello(bytes, on: connection)
    case .shakingHands:
      connection.tls?.receive(bytes)
      shakeHands(connection)
    case .reading, .playing, .awaitingAcknowledgement:
      guard let tls = connection.tls else { return take(plain: bytes, on: connection) }
      tls.receive(bytes)
      readTLS(tls, on: connection)
    }
  }

  /// Takes what stands inside TLS.
  func readTLS(_ tls: TLSSession, on connection: ReplayConnection) {
    while !connection.isClosed {
      do {
        var span = unsafe plaintext.bindMemory(to: UInt8.self).mutableSpan
        switch try tls.read(into: &span) {
        case .bytes(let count): take(plain: span.span.extracting(..<count), on: connection)
        case .needsInput:
          // A key update, for one, is answered by TLS itself.
          if tls.outputCount > 0 { enqueue(tls.takeOutput(), on: connection) }
          return
        case .end: return receiveEnd(on: connection)
        }
      } catch {
        note(.tlsFailed(error.message), on: connection)
        enqueue(tls.takeOutput(), on: connection)
        connection.notifiesClose = false
        return finish(connection, .fin)
      }
    }
  }

  /// Takes bytes from which TLS, where there is one, has been removed.
  private func take(plain bytes: Span<UInt8>, on connection: ReplayConnection) {
    if connection.listener == .tcp {
      connection.turns.receive(Array(bytes, 0..<bytes.count))
      takeTurns(on: connection)
    } else if connection.input.isEmpty, connection.isReading {
      // The usual case: a whole request, or several, and nothing left.
      let taken = takeRequests(bytes, on: connection)
      connection.input.append(bytes, taken..<bytes.count)
    } else {
      connection.input.append(bytes, 0..<bytes.count)
      if connection.isReading { takeInput(on: connection) }
    }
    if connection.waitingInput > Self.mostInput, !connection.isReading, !connection.isClosed {
      watch(connection, connection.interest.subtracting(.readable))
    }
  }

  /// Takes requests from what was kept.
  func takeInput(on connection: ReplayConnection) {
    if connection.listener == .tcp {
      if connection.hasPeerEnded { connection.turns.receiveEnd() }
      takeTurns(on: connection)
    } else {
      var input: [UInt8] = []
      swap(&input, &connection.input)
      let taken = takeRequests(input.span, on: connection)
      if taken == input.count { input = [] } else { input.removeFirst(taken) }
      connection.input = input
      if connection.hasPeerEnded, connection.isReading { finish(connection, .fin) }
    }
    if !connection.hasPeerEnded, !connection.isClosed, connection.waitingInput <= Self.mostInput {
      watch(connection, connection.interest.union(.readable))
    }
  }

  /// Takes requests from bytes, as long as they are answered at once and others need not wait.
  ///
  /// - Returns: How many of the bytes are done with.
  private func takeRequests(_ bytes: Span<UInt8>, on connection: ReplayConnection) -> Int {
    var start = 0
    turn = 0
    while connection.isReading, start < bytes.count {
      var taken = 0
      do throws(MalformedRequest) {
        let rest = bytes.extracting(start..<bytes.count)
        let event = try connection.requests.next(rest, scanned: connection.scanned, taken: &taken)
        start += taken
        connection.scanned = 0
        switch event {
        case .request(let request):
          answer(request, on: connection)
          letOthersGo(before: connection)
        case .expectsContinue: send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), on: connection)
        case .needsMore:
          connection.scanned = bytes.count - start
          return start
        }
      } catch {
        refuse(error, on: connection)
        return bytes.count
      }
    }
    return connection.isClosed ? bytes.count : start
  }

  private func takeTurns(on connection: ReplayConnection) {
    let asked = MatchInput(listener: .tcp, head: nil, destination: connection.destination)
    turn = 0
    while connection.isReading, let (reply, received) = world.turn(&connection.turns, asked) {
      note(reply.outcome, received: received, on: connection)
      play(reply.script, on: connection)
      letOthersGo(before: connection)
    }
    guard connection.isReading else { return }
    if connection.turns.isTooLong || connection.hasPeerEnded { finish(connection, .fin) }
  }

  /// The client has ended its side; an answer that is being played goes on.
  func receiveEnd(on connection: ReplayConnection) {
    connection.hasPeerEnded = true
    watch(connection, connection.interest.subtracting(.readable))
    switch connection.activity {
    case .awaitingHello, .shakingHands:
      if !(connection.hello?.bytes.isEmpty ?? true) || connection.tls != nil {
        note(.tlsFailed("the client ended the connection during the handshake"), on: connection)
      }
      close(connection)
    case .reading:
      connection.turns.receiveEnd()
      if connection.listener == .tcp { takeTurns(on: connection) } else { finish(connection, .fin) }
    case .dropping: close(connection)
    case .playing, .awaitingAcknowledgement, .finishing, .closed: break
    }
  }
}

extension ReplayLoop {
  /// Says something to a client that has just connected over plain TCP, where a route is for that.
  func greet(_ connection: ReplayConnection) {
    let asked = MatchInput(listener: .tcp, head: nil, destination: connection.destination)
    guard let reply = world.greeting(asked) else { return }
    note(reply.outcome, on: connection)
    play(reply.script, on: connection)
  }

  private func answer(_ request: ReplayRequest, on connection: ReplayConnection) {
    let reply = world.answer(
      MatchInput(listener: connection.listener, head: request.head, destination: connection.destination))
    journal.append(
      JournalEntry(
        listener: connection.listener, connection: connection.number, request: request,
        destination: connection.destination, serverName: connection.serverName, outcome: reply.outcome))
    connection.endsAfterAnswer = request.head.endsConnection
    play(reply.script, on: connection)
  }

  /// Answers what is no request, and ends the connection: where the next request starts nobody can tell.
  private func refuse(_ malformed: MalformedRequest, on connection: ReplayConnection) {
    note(.malformed(malformed), on: connection)
    let answer = AnswerBytes(
      ComposedResponse(
        status: malformed.status, headers: ["Content-Type: text/plain", "Connection: close"],
        body: Array("\(malformed.reason)\n".utf8)))
    play(AnswerScript([.send(answer.all)], .fin), on: connection)
  }

  func note(_ outcome: JournalEntry.Outcome, received: [UInt8] = [], on connection: ReplayConnection) {
    journal.append(
      JournalEntry(
        listener: connection.listener, connection: connection.number, received: received,
        destination: connection.destination, serverName: connection.serverName, outcome: outcome))
  }
}
