import ProbeTLS

/// A client session and a server session, connected in memory.
struct SessionPair {
  let client: TLSSession
  let server: TLSSession
  /// How many bytes arrive at once.
  var piece = Int.max

  /// How a handshake ended on one side.
  struct End {
    var isDone = false
    var error: TLSError?
  }

  /// How a handshake ended.
  struct Outcome {
    var client = End()
    var server = End()

    var isDone: Bool { client.isDone && server.isDone }
  }

  init(_ client: TLSSession, _ server: TLSSession, piece: Int = .max) {
    (self.client, self.server, self.piece) = (client, server, piece)
  }

  /// Performs the handshake, until neither side has anything to send.
  func performHandshake() -> Outcome {
    var outcome = Outcome()
    start(&outcome)
    while turn(&outcome) {}
    return outcome
  }

  /// Starts the client's handshake.
  func start(_ outcome: inout Outcome) {
    advance(client, &outcome.client)
  }

  /// Lets each side send once; returns whether either did.
  func turn(_ outcome: inout Outcome) -> Bool {
    let hasSent = deliver(from: client, to: server) { advance(server, &outcome.server) }
    let hasResponded = deliver(from: server, to: client) { advance(client, &outcome.client) }
    return hasSent || hasResponded
  }

  private func advance(_ session: TLSSession, _ end: inout End) {
    guard !end.isDone, end.error == nil else { return }
    do {
      end.isDone = try session.handshake() == .done
    } catch {
      end.error = error
    }
  }

  /// Delivers the output of one side to the other, piece by piece; returns whether there was any.
  @discardableResult
  func deliver(from: TLSSession, to: TLSSession, _ arrived: () throws -> Void) rethrows -> Bool {
    var rest = from.takeOutput()[...]
    guard !rest.isEmpty else { return false }
    while !rest.isEmpty {
      to.receive(Array(rest.prefix(piece)))
      rest = rest.dropFirst(piece)
      try arrived()
    }
    return true
  }

  /// Delivers the output of one side to the other.
  func deliver(from: TLSSession, to: TLSSession) {
    deliver(from: from, to: to) {}
  }

  /// Sends bytes from one side to the other.
  ///
  /// - Returns: The bytes received.
  func send(_ bytes: [UInt8], from: TLSSession, to: TLSSession) throws -> [UInt8] {
    try from.write(bytes)
    var received: [UInt8] = []
    try deliver(from: from, to: to) {
      while case .bytes(let bytes) = try to.read(upTo: 16 * 1024) { received += bytes }
    }
    return received
  }
}
