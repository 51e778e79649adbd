/// Events of the TLS handshake.
extension ServiceConnection {
  /// Records that a part of the handshake was received.
  ///
  /// - Returns: Whether a part had already been received.
  mutating func handshakeReceived() -> Bool {
    guard case .handshaking(let hasBegun) = state else { return false }
    state = .handshaking(hasBegun: true)
    return hasBegun
  }

  /// Handles the successful end of the handshake: the client may send requests.
  mutating func handshakeEnded(now: ContinuousClock.Instant) -> [Action] {
    guard case .handshaking = state else { return [] }
    lastUse = now
    state = .reading
    return refusal.map { refuse($0, closes: true) } ?? []
  }

  /// Handles a request instead of a handshake; without a session, the response is sent unencrypted.
  mutating func receivedPlainRequest(now: ContinuousClock.Instant) -> [Action] {
    guard case .handshaking = state else { return [] }
    lastUse = now
    return refuse(
      HTTPServiceFault(
        status: 400, "this is an HTTPS service, and the request is plain", fix: "use https://"),
      closes: true)
  }

  /// Handles a TLS failure; the session has ended, so the alert is sent as is.
  mutating func tlsFailed(alert: [UInt8], now: ContinuousClock.Instant) -> [Action] {
    lastUse = now
    switch state {
    case .draining, .closed: return []
    case .handling:
      state = .sending(closes: true)
      return [.cancel, .send(alert)]
    case .handshaking, .reading, .sending:
      state = .sending(closes: true)
      return [.send(alert)]
    }
  }
}
