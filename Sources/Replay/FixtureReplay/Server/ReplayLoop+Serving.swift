internal import ProbeHTTPWire
internal import ProbeTLS
internal import ProbeSystem

/// Passes events to connections, and performs their actions.
extension ReplayLoop {
  /// The maximum number of bytes that a connection receives before others have their turn.
  private static let maximumBytesPerTurn = 16 * 1024

  /// Passes the events on a connection's socket to it.
  func handle(_ happened: Poller.Events, on connection: ReplaySocket) {
    connection.state.wasUsed(at: now)
    if happened.contains(.writable) { flush(connection) }
    if connection.state.wantsInput, !happened.isDisjoint(with: .input) {
      receive(on: connection)
    } else if !happened.isDisjoint(with: .broken) {
      perform(connection.state.ended(), on: connection)
    }
    connection.updateInterest()
  }

  /// Continues a connection after a pause.
  func endPause(of connection: ReplaySocket) {
    wake()
    connection.state.wasUsed(at: now)
    perform(connection.state.pauseEnded(in: &world), on: connection)
    connection.updateInterest()
  }

  private func flush(_ connection: ReplaySocket) {
    guard connection.flush() else { return perform(connection.state.ended(), on: connection) }
    if !connection.hasOutput { perform(connection.state.ready(in: &world), on: connection) }
  }

  /// Reads once from a connection's socket.
  private func receive(on connection: ReplaySocket) {
    // The rest waits in the system, so that others have their turn: a few bytes can cost much work.
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: thread.buffer[..<Self.maximumBytesPerTurn])
    switch unsafe connection.socket.receive(into: room) {
    case .nothing: return
    case .broken: perform(connection.state.ended(), on: connection)
    case .end: perform(connection.state.receivedEnd(in: &world), on: connection)
    case .bytes(let count):
      takeMessages()
      take(
        unsafe UnsafeRawBufferPointer(thread.buffer).bindMemory(to: UInt8.self).span.extracting(..<count),
        on: connection)
    }
  }

  private func take(_ bytes: Span<UInt8>, on connection: ReplaySocket) {
    switch (connection.state.reads, connection.tls) {
    case (.nothing, _): return
    case (.content, .session(let session, _)):
      session.receive(bytes)
      read(session, on: connection)
    case (.content, _) where connection.state.startsTLS(with: bytes, in: world):
      takeHello(bytes, on: connection)
    case (.content, _):
      perform(connection.state.received(Array(bytes, 0..<bytes.count), in: &world), on: connection)
    case (.handshake, .session(let session, _)):
      session.receive(bytes)
      continueHandshake(session, on: connection)
    case (.handshake, _):
      connection.state.handshakeReceived()
      takeHello(bytes, on: connection)
    }
  }

  /// Performs actions until one waits for an event.
  func perform(_ actions: [ReplayConnection.Action], on connection: ReplaySocket) {
    var actions = actions
    while !actions.isEmpty {
      var following: [ReplayConnection.Action] = []
      for action in actions { following += perform(action, on: connection) }
      actions = following
    }
  }

  /// Performs one action.
  ///
  /// - Returns: The actions that follow from it.
  private func perform(
    _ action: ReplayConnection.Action, on connection: ReplaySocket
  ) -> [ReplayConnection.Action] {
    switch action {
    case .note(let entry): journal.append(entry)
    case .send(let bytes):
      guard case .session(let session, _) = connection.tls else { return send(bytes, on: connection) }
      guard (try? session.write(bytes)) != nil else { return connection.state.ended() }
      return send(session.takeOutput(), on: connection)
    case .announceEnd:
      guard case .session(let session, announcesEnd: true) = connection.tls else {
        return send([], on: connection)
      }
      session.close()
      return send(session.takeOutput(), on: connection)
    case .shutDown: connection.socket.shutdownWrite()
    case .pause(let duration): connection.pause(until: now + duration)
    case .checkAcknowledgement:
      return connection.state.acknowledged(!connection.hasOutput && connection.socket.isAcknowledged)
    case .reset:
      connection.socket.prepareReset()
      close(connection)
    case .close: close(connection)
    }
    return []
  }

  private func send(_ bytes: [UInt8], on connection: ReplaySocket) -> [ReplayConnection.Action] {
    guard connection.send(bytes) else { return connection.state.ended() }
    return connection.state.sent(all: !connection.hasOutput, in: &world)
  }
}

/// TLS; the state of a connection knows only whether it succeeded.
extension ReplayLoop {
  /// Reads a part of a ClientHello; when it is complete, applies the fixtures' TLS mode for its server name.
  private func takeHello(_ bytes: Span<UInt8>, on connection: ReplaySocket) {
    do {
      if case .none = connection.tls { connection.tls = .hello(try ClientHelloReader(), received: []) }
      guard case .hello(let reader, var received) = connection.tls else { return }
      reader.receive(bytes)
      received.append(bytes, 0..<bytes.count)
      connection.tls = .hello(reader, received: received)
      guard let client = try reader.read() else { return }
      connection.tls = .none
      connection.state.serverName = client.serverName
      try startTLS(on: connection, received: received)
    } catch {
      guard case .hello(let reader, _) = connection.tls else {
        return failTLS(error, alert: [], on: connection)
      }
      failTLS(error, alert: reader.takeOutput(), on: connection)
    }
  }

  private func startTLS(on connection: ReplaySocket, received: [UInt8]) throws(TLSError) {
    let host = connection.state.serverName ?? connection.state.destination?.host
    let mode = tlsMode(for: host)
    guard let context = try certificates.context(for: mode, host: host) else {
      return perform(connection.state.refused(mode, in: &world), on: connection)
    }
    let session = try TLSSession(context)
    session.receive(received)
    connection.tls = .session(session, announcesEnd: mode != .noCloseNotify)
    continueHandshake(session, on: connection)
  }

  private func continueHandshake(_ session: TLSSession, on connection: ReplaySocket) {
    do {
      let progress = try session.handshake()
      sendOutput(of: session, on: connection)
      guard progress == .done else { return }
      perform(connection.state.handshakeEnded(in: &world), on: connection)
      read(session, on: connection)
    } catch {
      failTLS(error, alert: session.takeOutput(), on: connection)
    }
  }

  /// Reads the decrypted bytes.
  private func read(_ session: TLSSession, on connection: ReplaySocket) {
    while !connection.state.isClosed {
      do {
        var span = unsafe plaintext.bindMemory(to: UInt8.self).mutableSpan
        switch try session.read(into: &span) {
        case .bytes(let count):
          let bytes = Array(span.span, 0..<count)
          perform(connection.state.received(bytes, in: &world), on: connection)
        // TLS may have output of its own, such as the response to a key update.
        case .needsInput: return sendOutput(of: session, on: connection)
        case .end: return perform(connection.state.receivedEnd(in: &world), on: connection)
        }
      } catch {
        return failTLS(error, alert: session.takeOutput(), on: connection)
      }
    }
  }

  private func sendOutput(of session: TLSSession, on connection: ReplaySocket) {
    guard session.outputCount > 0, !connection.send(session.takeOutput()) else { return }
    perform(connection.state.ended(), on: connection)
  }

  private func failTLS(_ error: TLSError, alert: [UInt8], on connection: ReplaySocket) {
    connection.tls = .none
    perform(connection.state.tlsFailed(error.message, alert: alert, in: &world), on: connection)
  }
}
