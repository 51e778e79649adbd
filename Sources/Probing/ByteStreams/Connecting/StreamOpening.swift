internal import ProbeStreams
internal import ProbeSystem
internal import ProbeCore

/// The first step of creating a stream: the TCP connection to the host or to its proxy.
///
/// It is an object, so that each of thousands of waiting tasks needs no space for a request.
final class StreamOpening: Sendable {
  let request: ProbeRequest
  let port: UInt16
  let loop: EventLoop
  let start: ContinuousClock.Instant

  init(_ request: ProbeRequest, port: UInt16, on loop: EventLoop, since start: ContinuousClock.Instant) {
    self.request = request
    self.port = port
    self.loop = loop
    self.start = start
  }

  /// The deadline for establishing the connection, including its TLS handshake.
  var deadline: ContinuousClock.Instant {
    start + min(request.connectTimeout ?? request.timeout, request.timeout)
  }

  /// Connects.
  ///
  /// - Throws: ``ProbeFailure`` with what is known so far.
  func connect(_ contexts: ClientContexts) async throws(ProbeFailure) -> ByteStream {
    guard loop.start() else { throw ConnectionFailure.shortageForConnecting }
    let operation = operation
    await operation.run(on: loop)
    return try stream(operation, contexts)
  }

  /// Looks up the host to connect to, and does not connect.
  ///
  /// - Throws: ``ProbeFailure`` as connecting would.
  func lookUp() async throws(ProbeFailure) -> FoundAddresses {
    guard loop.start() else { throw ConnectionFailure.shortageForConnecting }
    let operation = LookupOperation(of: Destination(request, port: port), since: start, deadline: deadline)
    await operation.run(on: loop)
    let outcome = operation.outcome
    guard let time = outcome.resolved else {
      let (reason, words) = finding(outcome)
      throw ProbeFailure(reason, words, partial: response(outcome))
    }
    let facts = ConnectionFacts(outcome.names)
    return FoundAddresses(
      host: request.hostToConnectTo, addresses: facts.addresses, aliases: facts.aliases, lookupTime: time)
  }

  // This and the following members are not inlined into the caller, in which thousands of probes wait, so
  // that they need no space for them.
  private var operation: ConnectOperation {
    @inline(never) get {
      ConnectOperation(to: Destination(request, port: port), since: start, deadline: deadline)
    }
  }

  @inline(never)
  private func stream(
    _ operation: ConnectOperation, _ contexts: ClientContexts
  ) throws(ProbeFailure) -> ByteStream {
    let outcome = operation.outcome
    let response = response(outcome)
    guard case .connected(let socket) = outcome.ending else {
      let (reason, words) = finding(outcome)
      throw ProbeFailure(reason, words, partial: response)
    }
    return ByteStream(socket, of: self, response, contexts)
  }

  /// The response with the facts known after connecting.
  private func response(_ outcome: ConnectOperation.Outcome) -> ProbeResponse {
    var response = ProbeResponse(url: request.url)
    let isLookedUp = request.hostToResolve != nil
    if isLookedUp { response.timings.resolve = outcome.resolved }
    if case .connected = outcome.ending {
      response.timings.connect = outcome.finished - (outcome.resolved ?? .zero)
    }
    response.timings.total = outcome.finished
    let connectedPort = Destination(request, port: port).port
    response.setPeer(outcome.attempt.map { SocketAddress($0.address, port: connectedPort) }, of: request)
    var facts = ConnectionFacts(outcome)
    if isLookedUp {
      facts.resolver = request.usedResolver
      if let known = request.addressesOfHost {
        (facts.addresses, facts.aliases) = (known.addresses, known.aliases)
      }
    }
    response.connection = facts
    return response
  }

  private func finding(_ outcome: ConnectOperation.Outcome) -> ConnectionFailure.Finding {
    switch outcome.ending {
    case .connected: (.transportFailure, "the connection is established")
    case .cancelled: ConnectionFailure.cancelled
    case .noSource: request.source.map(ConnectionFailure.source) ?? (.noSource, "no usable source address")
    case .notFound(let error): notFound(error)
    case .notConnected: notConnected(outcome)
    // One family was never resolved, and all addresses of the other have been tried.
    case .timedOut where !outcome.attempts.isEmpty && !outcome.attempts.contains { $0.state == .running }:
      notConnected(outcome)
    case .timedOut: timedOut(outcome)
    }
  }

  private func notFound(_ error: NameError) -> ConnectionFailure.Finding {
    let family = request.family ?? request.source?.family
    let finding = ConnectionFailure.lookingUp(
      request.hostToConnectTo, error, family: family, at: request.resolver)
    guard let proxy = request.proxy, finding.0.traits.contains(.lookup) else { return finding }
    return (.proxyUnreachable, "the name of the proxy \(proxy) could not be looked up")
  }

  private func notConnected(_ outcome: ConnectOperation.Outcome) -> ConnectionFailure.Finding {
    guard let attempt = outcome.attempt else { return (.connectFailed, "no address could be connected to") }
    if attempt.state == .refusedByRule {
      return ConnectionFailure.refusedAddress(attempt.address, for: request)
    }
    let error: SystemError =
      if case .failed(let number) = attempt.state { .init(number) } else { .other(nil) }
    if let proxy = request.proxy {
      switch error {
      case .noDescriptors, .noMemory: break
      default: return ConnectionFailure.reaching(proxy, error, else: "it could not be connected to")
      }
    }
    return ConnectionFailure.connecting(
      to: request.url.host, at: attempt.address, error, else: "it could not be connected to")
  }

  private func timedOut(_ outcome: ConnectOperation.Outcome) -> ConnectionFailure.Finding {
    let time = outcome.finished.secondsDescription
    if let proxy = request.proxy {
      return (.proxyUnreachable, "no connection to the proxy \(proxy) after \(time)")
    }
    // An address needs no lookup: without an attempt, the machine was too busy to start connecting.
    return request.hostToResolve != nil && outcome.attempts.isEmpty
      ? ConnectionFailure.resolveTimeout(after: outcome.finished, at: request.resolver)
      : (.connectTimeout, "no connection after \(time)")
  }
}
