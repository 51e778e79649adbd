/// Events of its TLS handshake.
extension ServiceConnection {
  /// A part of the handshake was received.
  ///
  /// - Returns: Whether another part was received before.
  mutating func handshakeReceived() -> Bool {
    guard case .handshaking(let hasBegun) = state else { return false }
    state = .handshaking(hasBegun: true)
    return hasBegun
  }

  /// The handshake succeeded: the client may send requests.
  mutating func handshakeEnded(now: ContinuousClock.Instant) -> [Action] {
    guard case .handshaking = state else { return [] }
    lastUse = now
    state = .reading
    return refusal.map { refuse($0, closes: true) } ?? []
  }

  /// The client starts no handshake, but sends a request; there is no session, so the response is sent as is.
  mutating func receivedPlainRequest(now: ContinuousClock.Instant) -> [Action] {
    guard case .handshaking = state else { return [] }
    lastUse = now
    return refuse(
      HTTPServiceFault(
        status: 400, "this is an HTTPS service, and the request is plain", fix: "use https://"),
      closes: true)
  }

  /// TLS failed; there is no session any more, so the alert is sent as is.
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
