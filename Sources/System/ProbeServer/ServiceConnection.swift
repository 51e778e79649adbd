internal import ProbeHTTPWire

/// The state machine of one connection to a service: it receives events, and returns actions.
///
/// It does no I/O: ``ServiceLoop`` performs its actions.
struct ServiceConnection {
  /// An action to perform, in order.
  enum Action: Hashable {
    /// Start the handler with a request, then call ``responded(_:)``.
    case handle(HTTPServiceRequest)
    /// Cancel the handler; its response is still sent unless the connection or its TLS session has ended.
    case cancel
    /// Send bytes, then call ``sent()`` once the system has accepted all of them.
    case send([UInt8])
    /// Send a FIN.
    case shutDown
    case close
  }

  enum State {
    /// Waits for the end of the TLS handshake, of which it has received a part.
    case handshaking(hasBegun: Bool)
    /// Waits for a request.
    case reading
    /// Waits for the handler's response.
    case handling(closes: Bool, isHEADRequest: Bool)
    /// Waits until a response is sent.
    case sending(closes: Bool)
    /// Discards input until the client closes its side.
    case draining
    case closed
  }

  /// The maximum number of bytes to read ahead while a request is handled; the rest stays in the system.
  private static let maximumInput = 4 * 1024

  private let options: HTTPServiceOptions
  private var reader: BufferedRequestReader
  var state = State.reading
  private var hasPeerEnded = false
  /// Whether the request being received is admitted, so that its content may follow.
  private var isAdmitted = false
  /// The arrival time of the first byte of the request being received.
  private var requestStart: ContinuousClock.Instant?
  /// The refusal to send once the TLS handshake is complete.
  var refusal: HTTPServiceFailure?
  var lastUse: ContinuousClock.Instant

  /// Creates the state of a newly accepted connection; a secure one starts with a TLS handshake.
  init(_ options: HTTPServiceOptions, isSecure: Bool = false, now: ContinuousClock.Instant) {
    self.options = options
    if isSecure { state = .handshaking(hasBegun: false) }
    reader = BufferedRequestReader(maximumHead: options.maximumHead, maximumBody: options.maximumBody)
    lastUse = now
  }

  var isClosed: Bool { if case .closed = state { true } else { false } }
  /// Whether it waits for the first byte of a request, or of a handshake.
  var isIdle: Bool {
    switch state {
    case .reading: requestStart == nil
    case .handshaking(let hasBegun): !hasBegun && refusal == nil
    case .handling, .sending, .draining, .closed: false
    }
  }

  /// Whether received bytes are part of a TLS handshake.
  var isHandshaking: Bool { if case .handshaking = state { true } else { false } }

  /// Whether input is to be read; otherwise it stays in the system.
  var wantsInput: Bool {
    switch state {
    case .handshaking, .reading, .draining: !hasPeerEnded
    case .handling, .sending: !hasPeerEnded && reader.count <= Self.maximumInput
    case .closed: false
    }
  }
}

extension ServiceConnection {
  /// Refuses the connection before any request, with a response that contains the reason.
  mutating func refuseConnection(_ failure: HTTPServiceFailure, now: ContinuousClock.Instant) -> [Action] {
    guard case .reading = state else {
      refusal = failure
      return []
    }
    lastUse = now
    return sendRefusal(failure, closes: true)
  }

  mutating func received(_ bytes: [UInt8], now: ContinuousClock.Instant) -> [Action] {
    switch state {
    case .handshaking, .draining, .closed: return []
    case .reading, .handling, .sending: break
    }
    lastUse = now
    reader.receive(bytes)
    return continueReading(now: now)
  }

  /// Handles the end of input: a handler in progress is no longer needed.
  mutating func receivedEnd() -> [Action] {
    hasPeerEnded = true
    switch state {
    case .handshaking, .reading, .draining: return close()
    case .handling(_, let isHEADRequest):
      state = .handling(closes: true, isHEADRequest: isHEADRequest)
      return [.cancel]
    case .sending:
      state = .sending(closes: true)
      return []
    case .closed: return []
    }
  }

  /// Ends the connection at once, because it is lost, or the service closes it.
  mutating func terminate() -> [Action] {
    switch state {
    case .closed: return []
    case .handling: return [.cancel] + close()
    case .handshaking, .reading, .sending, .draining: return close()
    }
  }

  /// Handles the handler's response.
  mutating func responded(_ response: HTTPServiceResponse, now: ContinuousClock.Instant) -> [Action] {
    guard case .handling(let closes, let isHEADRequest) = state else { return [] }
    lastUse = now
    state = .sending(closes: closes)
    let bytes = response.bytes(isHEADRequest: isHEADRequest, closes: closes, commonFields: options.fields())
    return [.send(bytes)]
  }

  /// Handles the end of sending, when the system has accepted all bytes.
  mutating func sent(now: ContinuousClock.Instant) -> [Action] {
    guard case .sending(let closes) = state else { return [] }
    lastUse = now
    if closes {
      if hasPeerEnded { return close() }
      state = .draining
      return [.shutDown]
    }
    state = .reading
    return continueReading(now: now)
  }

  /// Ends the connection if a timeout has expired.
  mutating func timePassed(to now: ContinuousClock.Instant) -> [Action] {
    switch state {
    case .handshaking: return lastUse + options.requestTimeout < now ? close() : []
    case .reading:
      if let requestStart, requestStart + options.requestTimeout < now {
        return sendRefusal(
          HTTPServiceFailure(status: 408, "the request was not complete in \(options.requestTimeout)"),
          closes: true)
      }
      return requestStart == nil && lastUse + options.idleTimeout < now ? close() : []
    case .sending: return lastUse + options.idleTimeout < now ? close() : []
    case .draining: return lastUse + options.drainTimeout < now ? close() : []
    case .handling, .closed: return []
    }
  }
}

extension ServiceConnection {
  private mutating func continueReading(now: ContinuousClock.Instant) -> [Action] {
    guard case .reading = state else { return [] }
    do throws(HTTPMessageError) {
      let event = try reader.next()
      switch event {
      case .request(let wire):
        requestStart = nil
        defer { isAdmitted = false }
        return take(wire)
      case .expectsContinue, .needsMore:
        if requestStart == nil, reader.count > 0 || reader.unfinishedHead != nil { requestStart = now }
        if let head = reader.unfinishedHead, !isAdmitted {
          if let failure = failure(of: head) { return sendRefusal(failure, closes: true) }
          isAdmitted = true
        }
        guard case .expectsContinue = event else { return [] }
        return [.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))]
      }
    } catch {
      // If invalid content arrived together with the head, the head is judged first, as if it had come alone.
      let refusal = isAdmitted ? nil : reader.unfinishedHead.flatMap { self.failure(of: $0) }
      let failure = HTTPServiceFailure(status: error.status, "bad request: \(error.reason)")
      return sendRefusal(refusal ?? failure, closes: true)
    }
  }

  private mutating func take(_ wire: WireRequest) -> [Action] {
    let closes = wire.parts.endsConnection
    do throws(HTTPServiceFailure) {
      let request = try HTTPServiceRequest(wire)
      if !isAdmitted, let failure = failure(of: request) { throw failure }
      state = .handling(closes: closes, isHEADRequest: request.method == "HEAD")
      return [.handle(request)]
    } catch {
      // The same response as before its content has arrived, however the bytes are split.
      return sendRefusal(
        error, closes: closes || wire.parts.framing.hasContent,
        isHEADRequest: wire.head[wire.parts.method].elementsEqual("HEAD".utf8))
    }
  }

  private func failure(of head: WireRequest) -> HTTPServiceFailure? {
    do throws(HTTPServiceFailure) {
      return failure(of: try HTTPServiceRequest(head))
    } catch {
      return error
    }
  }

  private func failure(of request: HTTPServiceRequest) -> HTTPServiceFailure? {
    options.hosts.failure(of: request) ?? BrowserRule.failure(of: request) ?? options.admission(request)
  }

  /// Sends a refusal of a request, or of the connection.
  private mutating func sendRefusal(
    _ failure: HTTPServiceFailure, closes: Bool, isHEADRequest: Bool = false
  ) -> [Action] {
    requestStart = nil
    state = .sending(closes: closes)
    let response = options.failureResponse(failure)
    let bytes = response.bytes(isHEADRequest: isHEADRequest, closes: closes, commonFields: options.fields())
    return [.send(bytes)]
  }

  mutating func close() -> [Action] {
    state = .closed
    return [.close]
  }
}

extension Framing {
  /// Whether content follows the head.
  fileprivate var hasContent: Bool {
    switch self {
    case .none, .close, .length(0): false
    case .length, .chunked: true
    }
  }
}

/// Events of the TLS handshake.
extension ServiceConnection {
  /// Records that a part of the handshake was received.
  ///
  /// - Returns: Whether it was the first part.
  mutating func beginHandshake() -> Bool {
    guard case .handshaking(hasBegun: false) = state else { return false }
    state = .handshaking(hasBegun: true)
    return true
  }

  /// Handles the successful end of the handshake: the client may send requests.
  mutating func handshakeEnded(now: ContinuousClock.Instant) -> [Action] {
    guard case .handshaking = state else { return [] }
    lastUse = now
    state = .reading
    return refusal.map { sendRefusal($0, closes: true) } ?? []
  }

  /// Handles a request instead of a handshake; without a session, the response is sent unencrypted.
  mutating func receivedPlainRequest(now: ContinuousClock.Instant) -> [Action] {
    guard case .handshaking = state else { return [] }
    lastUse = now
    return sendRefusal(
      HTTPServiceFailure(
        status: 400, "this is an HTTPS service, and the request is plain", remedy: "use https://"),
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
