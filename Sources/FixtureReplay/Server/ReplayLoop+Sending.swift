internal import OpenSSL
internal import Sockets
internal import Threading

/// From an answer's script to bytes.
extension ReplayLoop {
  /// How much is sent to a connection before others get their turn.
  private static let longestTurn = 256 * 1024
  /// What an answer counts for besides its bytes.
  private static let costOfAnswer = 16 * 1024
  /// Between an acknowledgement and the reset: what the client's system has, the client should also have read.
  private static let settleTime = Duration.milliseconds(50)

  /// Starts an answer.
  func play(_ script: AnswerScript, on connection: ReplayConnection) {
    if let bytes = script.plainBytes, !connection.endsAfterAnswer {
      send(bytes, on: connection)
      if !connection.hasOutput { return }
      connection.player = ScriptPlayer(AnswerScript([], .keep))
    } else {
      connection.player = ScriptPlayer(script)
    }
    guard !connection.isClosed else { return }
    connection.activity = .playing
    playOn(connection)
  }

  /// Has a connection that was answered and could go on wait until all others had their turn, when its own was long.
  func letOthersGo(before connection: ReplayConnection) {
    turn += Self.costOfAnswer
    guard turn >= Self.longestTurn, connection.isReading else { return }
    connection.player = ScriptPlayer(AnswerScript([], .keep))
    connection.activity = .playing
    watch(connection, connection.interest.union(.writable))
  }

  /// Goes on where a connection had to wait: for room in the system's buffers, or for a moment.
  func resume(_ connection: ReplayConnection) {
    guard flush(connection) else { return }
    switch connection.activity {
    case .playing:
      guard connection.resumption == nil else { return }
      playOn(connection)
      if connection.isReading { takeInput(on: connection) }
    case .awaitingAcknowledgement: resetWhenAcknowledged(connection)
    case .finishing(let staysOpen): shutDown(connection, staysOpen: staysOpen)
    case .awaitingHello, .shakingHands, .reading, .dropping, .closed: break
    }
  }

  private func playOn(_ connection: ReplayConnection) {
    var sent = 0
    while !connection.isClosed {
      if connection.hasOutput || sent > Self.longestTurn {
        return watch(connection, connection.interest.union(.writable))
      }
      switch connection.player?.next() {
      case .send(let bytes):
        send(bytes, on: connection)
        sent += bytes.count
      case .pause(let duration): return resume(connection, after: duration)
      case .end(let ending): return finish(connection, ending)
      case nil: return finish(connection, .fin)
      }
    }
  }

  /// Sends bytes, inside TLS where there is one.
  func send(_ bytes: [UInt8], on connection: ReplayConnection) {
    turn += bytes.count
    guard let tls = connection.tls else { return enqueue(bytes, on: connection) }
    do {
      try tls.write(bytes)
      enqueue(tls.takeOutput(), on: connection)
    } catch {
      close(connection)
    }
  }

  /// Sends bytes as they are, and keeps what the system does not take yet.
  func enqueue(_ bytes: [UInt8], on connection: ReplayConnection) {
    guard !connection.isClosed, !bytes.isEmpty else { return }
    if connection.hasOutput {
      connection.output += bytes
      return
    }
    guard case .bytes(let sent) = connection.socket.send(bytes, from: 0) else { return close(connection) }
    if sent < bytes.count {
      (connection.output, connection.outputStart) = (bytes, sent)
      watch(connection, connection.interest.union(.writable))
    }
  }

  /// Sends what was kept.
  ///
  /// - Returns: Whether nothing is left to wait for.
  private func flush(_ connection: ReplayConnection) -> Bool {
    guard !connection.isClosed else { return false }
    if connection.hasOutput {
      let outcome = connection.socket.send(connection.output, from: connection.outputStart)
      guard case .bytes(let sent) = outcome else {
        close(connection)
        return false
      }
      connection.outputStart += sent
      connection.lastUse = now
      guard !connection.hasOutput else { return false }
      (connection.output, connection.outputStart) = ([], 0)
    }
    watch(connection, connection.interest.subtracting(.writable))
    return true
  }

  /// Changes what is watched for.
  func watch(_ connection: ReplayConnection, _ events: Poller.Events) {
    guard connection.interest != events, !connection.isClosed else { return }
    connection.interest = events
    thread.change(connection.socket.descriptor, events)
  }
}

/// What becomes of a connection after an answer.
extension ReplayLoop {
  /// Ends an answer.
  func finish(_ connection: ReplayConnection, _ ending: AnswerScript.Ending) {
    guard !connection.isClosed else { return }
    connection.player = nil
    switch ending {
    case .keep where !connection.endsAfterAnswer:
      connection.activity = .reading
    case .keep, .fin: end(connection, staysOpen: false)
    case .halfClose: end(connection, staysOpen: true)
    case .reset: reset(connection)
    case .resetWhenAcknowledged:
      connection.activity = .awaitingAcknowledgement
      resetWhenAcknowledged(connection)
    case .hold: drop(connection, isDraining: false)
    }
  }

  private func end(_ connection: ReplayConnection, staysOpen: Bool) {
    if let tls = connection.tls, connection.notifiesClose {
      tls.close()
      enqueue(tls.takeOutput(), on: connection)
    }
    guard !connection.isClosed else { return }
    if connection.hasOutput {
      connection.activity = .finishing(staysOpen: staysOpen)
    } else {
      shutDown(connection, staysOpen: staysOpen)
    }
  }

  private func shutDown(_ connection: ReplayConnection, staysOpen: Bool) {
    connection.socket.shutdownWrite()
    drop(connection, isDraining: !staysOpen)
  }

  private func drop(_ connection: ReplayConnection, isDraining: Bool) {
    if connection.hasPeerEnded { return close(connection) }
    connection.activity = .dropping(isDraining: isDraining)
    connection.lastUse = now
    (connection.input, connection.tls) = ([], nil)
    watch(connection, .readable)
  }

  private func reset(_ connection: ReplayConnection) {
    connection.socket.prepareReset()
    close(connection)
  }

  private func resetWhenAcknowledged(_ connection: ReplayConnection) {
    if connection.isSettling { return reset(connection) }
    connection.isSettling = !connection.hasOutput && connection.socket.isAcknowledged
    resume(connection, after: connection.isSettling ? Self.settleTime : .milliseconds(1))
  }
}
