internal import HTTPWire
internal import OpenSSL

/// The start of TLS.
extension ReplayLoop {
  /// Takes bytes of a ClientHello; once it is whole, goes on as the fixtures say for the host it names.
  func takeHello(_ bytes: Span<UInt8>, on connection: ReplayConnection) {
    do {
      if connection.hello == nil { connection.hello = (try ClientHelloReader(), []) }
      connection.hello?.bytes.append(bytes, 0..<bytes.count)
      guard let hello = connection.hello else { return }
      hello.reader.receive(bytes)
      guard let client = try hello.reader.read() else { return }
      connection.serverName = client.serverName
      try start(connection, received: hello.bytes)
    } catch {
      let alert = connection.hello?.reader.takeOutput() ?? []
      note(.tlsFailed(error.message), on: connection)
      enqueue(alert, on: connection)
      connection.hello = nil
      finish(connection, .fin)
    }
  }

  private func start(_ connection: ReplayConnection, received: [UInt8]) throws(TLSError) {
    let host = connection.serverName ?? connection.destination?.host
    let mode = tlsMode(for: host)
    connection.hello = nil
    connection.notifiesClose = mode != .noCloseNotify
    guard let context = try certificates.context(for: mode, host: host) else {
      note(.tlsFailed("the fixture's mode is \(mode.rawValue)"), on: connection)
      enqueue(mode.helloAnswer ?? [], on: connection)
      return finish(connection, mode == .rst ? .reset : mode == .stall ? .hold : .fin)
    }
    let session = try TLSSession(context)
    session.receive(received)
    connection.tls = session
    connection.activity = .shakingHands
    shakeHands(connection)
  }

  /// Goes on with a handshake.
  func shakeHands(_ connection: ReplayConnection) {
    guard let tls = connection.tls else { return }
    do {
      let progress = try tls.handshake()
      enqueue(tls.takeOutput(), on: connection)
      guard progress == .done, !connection.isClosed else { return }
      connection.activity = .reading
      readTLS(tls, on: connection)
    } catch {
      note(.tlsFailed(error.message), on: connection)
      enqueue(tls.takeOutput(), on: connection)
      // There is no session to close.
      connection.notifiesClose = false
      finish(connection, .fin)
    }
  }
}
