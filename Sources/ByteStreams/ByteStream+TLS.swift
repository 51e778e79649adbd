internal import ProbeOpenSSL
public import ProbeCore
import ProbeSockets

extension ByteStream {
  /// Goes on inside TLS (STARTTLS): does the handshake, and verifies the certificate for the host of the URL.
  ///
  /// What was received before and not read is dropped: it was not protected (RFC 3207 §4.2).
  ///
  /// - Parameter applicationProtocols: The protocols inside TLS to offer by ALPN (RFC 7301).
  /// - Throws: `ProbeFailure`: `timeout.tls`, `connect.reset`, or one of the reasons of the area `tls`.
  public func startTLS(applicationProtocols: [String] = []) async throws(ProbeFailure) {
    // Until it is done: what follows must not go out in plain text.
    isBroken = true
    let context = try contexts.context(for: request, applicationProtocols: applicationProtocols)
    try await startTLS(context, until: deadline)
  }

  func startTLS(
    _ context: ClientContext, until deadline: ContinuousClock.Instant
  ) async throws(ProbeFailure) {
    precondition(tls == nil, "the connection is inside TLS already")
    isBroken = true
    let began = ContinuousClock.now
    unread = []
    let session = try session(context)
    try finishHandshake(of: session, since: began, await shakeHands(session, until: deadline))
  }

  private func session(_ context: ClientContext) throws(ProbeFailure) -> TLSSession {
    do {
      return try TLSSession(context, host: request.url.host)
    } catch {
      throw failure(.tlsHandshake, error.message)
    }
  }

  // Not a part of its caller, in which thousands of probes wait: they need no room for it until then.
  @inline(never)
  private func finishHandshake(
    of session: TLSSession, since began: ContinuousClock.Instant, _ outcome: StreamOutcome
  ) throws(ProbeFailure) {
    lastRequest = .now
    response.timings.total = start.duration(to: lastRequest)
    if let verification = session.verification { response.tls = verification.session }
    switch outcome {
    case .sent:
      response.timings.tls = began.duration(to: lastRequest)
      (tls, isBroken) = (session, false)
    case .cancelled: throw failure(ConnectionFailure.cancelled)
    case .timedOut:
      let time = start.duration(to: .now).secondsInWords
      throw failure(.tlsTimeout, "the TLS handshake was not done after \(time)")
    case .failed(let number):
      let error = SystemError(number)
      guard error == .reset else { throw failure(ConnectionFailure.receiving(error)) }
      throw failure(ConnectionFailure.handshake(nil, wasReset: true))
    case .tlsFailed(let error):
      let verification = session.verification
      guard verification?.problem == nil || error.fault?.isCertificateRefused != true else {
        throw failure(ConnectionFailure.certificate(verification, host: request.url.host))
      }
      throw failure(ConnectionFailure.handshake(error.fault, wasReset: false))
    case .received: throw failure(ConnectionFailure.handshake(nil, wasReset: false))
    }
  }

  /// Does a handshake.
  ///
  /// - Returns: `sent` when it is done.
  private func shakeHands(
    _ session: TLSSession, until deadline: ContinuousClock.Instant
  ) async -> StreamOutcome {
    var breakage: StreamOutcome?
    while true {
      let progress: Result<TLSSession.Progress, TLSError>
      do { progress = .success(try session.handshake()) } catch { progress = .failure(error) }
      // Also after a failure: that is where the alert is.
      let flushed = await flush(session, deadline)
      switch progress {
      case .failure(let error):
        // The system tells of a reset once, and of an end after that.
        let isEnd = error.fault?.isUnexpectedEnd ?? true
        return isEnd ? breakage ?? .tlsFailed(error) : .tlsFailed(error)
      case .success(.done): return flushed
      case .success(.needsInput):
        // Where nothing can be sent any more there may be an alert to read that says why.
        if case .sent = flushed {} else { breakage = breakage ?? flushed }
        if let end = await feed(session, deadline) { return breakage ?? end }
      }
    }
  }

  /// Sends bytes inside TLS.
  // Not a part of its caller, which needs no room for it without TLS.
  @inline(never)
  func send(
    _ bytes: [UInt8], inside session: TLSSession, _ deadline: ContinuousClock.Instant, leavesRest: Bool
  ) async -> StreamOutcome {
    do { try session.write(bytes) } catch { return .tlsFailed(error) }
    return await flush(session, deadline, leavesRest: leavesRest)
  }

  /// Takes bytes inside TLS.
  func receive(
    upTo limit: Int, inside session: TLSSession, _ deadline: ContinuousClock.Instant
  ) async -> StreamOutcome {
    while true {
      do throws(TLSError) {
        switch try session.read(upTo: min(limit, Self.piece)) {
        case .bytes(let bytes): return .received(bytes)
        case .needsInput: break
        case .end(let notified):
          isCutShort = !notified
          return .received([])
        }
      } catch {
        return .tlsFailed(error)
      }
      // A key update, for one, is answered by TLS itself.
      let flushed = await flush(session, deadline)
      guard case .sent = flushed else { return flushed }
      if let end = await feed(session, deadline) { return end }
    }
  }

  /// Hands a session what the peer has sent.
  ///
  /// - Returns: What came instead of bytes, or nil.
  private func feed(_ session: TLSSession, _ deadline: ContinuousClock.Instant) async -> StreamOutcome? {
    let outcome = await run(.receive(upTo: Self.piece), deadline)
    guard case .received(let bytes) = outcome else { return StreamOutcome(outcome) }
    if bytes.isEmpty { session.receiveEnd() } else { session.receive(bytes) }
    return nil
  }

  /// Sends what a session has for the peer.
  private func flush(
    _ session: TLSSession, _ deadline: ContinuousClock.Instant, leavesRest: Bool = false
  ) async -> StreamOutcome {
    guard session.outputCount > 0 else { return .sent }
    return StreamOutcome(await run(.send(session.takeOutput(), leavesRest: leavesRest), deadline))
  }
}
