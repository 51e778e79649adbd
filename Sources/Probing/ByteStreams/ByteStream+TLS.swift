internal import ProbeTLS
public import ProbeCore
import ProbeSystem
import ProbeStreams

extension ByteStream {
  /// Continues inside TLS (STARTTLS): performs the handshake, and verifies the certificate for the host of
  /// the URL.
  ///
  /// Bytes received before and not yet read are discarded, because they were not protected (RFC 3207 §4.2).
  ///
  /// - Parameter applicationProtocols: The protocols inside TLS to offer by ALPN (RFC 7301).
  /// - Throws: `ProbeFailure`: `timeout.tls`, `connect.reset`, or a reason of the area `tls`;
  ///   `request.invalid` if the connection is inside TLS already.
  public func startTLS(applicationProtocols: [String] = []) async throws(ProbeFailure) {
    // Until the handshake is done, nothing must be sent in plain text.
    isUnusable = true
    let context = try contexts.context(for: request, applicationProtocols: applicationProtocols)
    try await startTLS(context, until: deadline)
  }

  func startTLS(
    _ context: ClientContext, until deadline: ContinuousClock.Instant
  ) async throws(ProbeFailure) {
    isUnusable = true
    guard tls == nil else { throw failure(.invalidRequest, "the connection is inside TLS already") }
    let began = ContinuousClock.now
    unread = []
    let session = try session(context)
    try finishHandshake(of: session, since: began, await performHandshake(session, until: deadline))
  }

  private func session(_ context: ClientContext) throws(ProbeFailure) -> TLSSession {
    do {
      return try TLSSession(context, host: request.url.host)
    } catch {
      throw failure(.tlsHandshake, error.message)
    }
  }

  // Not inlined into its caller, in which thousands of probes wait: they need no space for it until then.
  @inline(never)
  private func finishHandshake(
    of session: TLSSession, since began: ContinuousClock.Instant, _ outcome: StreamOutcome
  ) throws(ProbeFailure) {
    lastSendEnd = .now
    response.timings.total = start.duration(to: lastSendEnd)
    if let verification = session.verification { response.tls = verification.session }
    switch outcome {
    case .sent:
      response.timings.tls = began.duration(to: lastSendEnd)
      (tls, isUnusable) = (session, false)
    case .cancelled: throw failure(ConnectionFailure.cancelled)
    case .timedOut:
      let time = start.duration(to: .now).secondsDescription
      throw failure(.tlsTimeout, "the TLS handshake was not done after \(time)")
    case .failed(let number):
      let error = SystemError(number)
      guard error == .reset else { throw failure(ConnectionFailure.receiving(error)) }
      throw failure(ConnectionFailure.handshake(nil, wasReset: true))
    case .tlsFailed(let error):
      let verification = session.verification
      guard verification?.problem == nil || error.handshakeFailure?.isCertificateRefused != true else {
        throw failure(ConnectionFailure.certificate(verification, host: request.url.host))
      }
      throw failure(ConnectionFailure.handshake(error.handshakeFailure, wasReset: false))
    case .received: throw failure(ConnectionFailure.handshake(nil, wasReset: false))
    }
  }

  /// Performs a handshake.
  ///
  /// - Returns: `sent` on success.
  private func performHandshake(
    _ session: TLSSession, until deadline: ContinuousClock.Instant
  ) async -> StreamOutcome {
    var breakage: StreamOutcome?
    while true {
      let progress: Result<TLSSession.Progress, TLSError>
      do { progress = .success(try session.handshake()) } catch { progress = .failure(error) }
      // Also after a failure, to send the alert.
      let flushed = await flush(session, deadline)
      switch progress {
      case .failure(let error):
        // The system reports a reset once, and an end after that.
        let isEnd = error.handshakeFailure?.isUnexpectedEnd ?? true
        return isEnd ? breakage ?? .tlsFailed(error) : .tlsFailed(error)
      case .success(.done): return flushed
      case .success(.needsInput):
        // If sending fails, there may be an alert to read that states the reason.
        if case .sent = flushed {} else { breakage = breakage ?? flushed }
        if let end = await receive(into: session, deadline) { return breakage ?? end }
      }
    }
  }

  /// Sends bytes inside TLS.
  // Not inlined into its caller, which needs no space for it without TLS.
  @inline(never)
  func send(
    _ bytes: [UInt8], inside session: TLSSession, _ deadline: ContinuousClock.Instant, leavesRest: Bool
  ) async -> StreamOutcome {
    do { try session.write(bytes) } catch { return .tlsFailed(error) }
    return await flush(session, deadline, leavesRest: leavesRest)
  }

  /// Receives bytes inside TLS.
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
      // TLS itself responds to a key update, for instance.
      let flushed = await flush(session, deadline)
      guard case .sent = flushed else { return flushed }
      if let end = await receive(into: session, deadline) { return end }
    }
  }

  /// Waits for bytes or the end of the input, and passes them to a session.
  ///
  /// - Returns: nil, or the outcome if there was neither.
  private func receive(
    into session: TLSSession, _ deadline: ContinuousClock.Instant
  ) async -> StreamOutcome? {
    let outcome = await run(.receive(upTo: Self.piece), deadline)
    guard case .received(let bytes) = outcome else { return StreamOutcome(outcome) }
    if bytes.isEmpty { session.receiveEnd() } else { session.receive(bytes) }
    return nil
  }

  /// Sends the output of a session to the peer.
  private func flush(
    _ session: TLSSession, _ deadline: ContinuousClock.Instant, leavesRest: Bool = false
  ) async -> StreamOutcome {
    guard session.outputCount > 0 else { return .sent }
    return StreamOutcome(await run(.send(session.takeOutput(), leavesRest: leavesRest), deadline))
  }
}
