import ProbeStreams
package import ProbeCore
internal import ProbeSystem

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
  func connected(_ contexts: ClientContexts) async throws(ProbeFailure) -> ByteStream {
    guard loop.start() else { throw ConnectionFailure.shortageForConnecting }
    let operation = operation
    await operation.run(on: loop)
    return try stream(operation, contexts)
  }

  /// Looks up the host to connect to, and does not connect.
  ///
  /// - Throws: ``ProbeFailure`` as connecting would.
  func lookedUp() async throws(ProbeFailure) -> FoundAddresses {
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
      facts.resolver = request.askedResolver
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
    let time = outcome.finished.secondsInWords
    if let proxy = request.proxy {
      return (.proxyUnreachable, "no connection to the proxy \(proxy) after \(time)")
    }
    // An address needs no lookup: without an attempt, the machine was too busy to start connecting.
    return request.hostToResolve != nil && outcome.attempts.isEmpty
      ? ConnectionFailure.resolveTimeout(after: outcome.finished, at: request.resolver)
      : (.connectTimeout, "no connection after \(time)")
  }
}

extension ProbeResponse {
  /// Records the address of the connection or of the attempt and, if the request asks for it, whether it is one of this
  /// machine.
  package mutating func setPeer(_ peer: SocketAddress?, of request: ProbeRequest) {
    remoteAddress = peer
    connectsToItself = request.asksForOwnAddress && peer?.address.isOfThisMachine == true
  }
}

extension Duration {
  /// The duration in seconds for display, such as `0.35 s`.
  package var secondsInWords: String {
    let seconds = self / .seconds(1)
    return "\((seconds * 100).rounded() / 100) s"
  }
}

extension ConnectionFacts {
  /// The maximum number of addresses and aliases to report; a hostile DNS response contains thousands.
  private static let maximumNames = 2 * AddressRace.maximumOfAFamily

  fileprivate init(_ outcome: ConnectOperation.Outcome) {
    self.init(outcome.names)
    attempts = outcome.attempts.map { attempt in
      let ending: ConnectionAttempt.Ending =
        switch attempt.state {
        case .connected: .connected
        case .refusedByRule: .refused
        case .running: .abandoned
        case .failed(let number):
          .failed(ConnectionFailure.connecting(to: "it", SystemError(number), else: "it failed").0)
        }
      return ConnectionAttempt(
        address: attempt.address, ending: ending, began: attempt.began, ended: attempt.ended)
    }
  }

  /// The facts about names.
  init(_ names: ByFamily<NameAnswer?>) {
    self.init()
    for family in IPFamily.allCases {
      guard let answer = names[family] else { continue }
      for entry in answer.addresses
      where addresses.count < Self.maximumNames && entry.address.family == family
        && !addresses.contains(where: { $0.address == entry.address })
      {
        addresses.append(NamedAddress(address: entry.address, timeToLive: entry.timeToLive))
      }
      for alias in answer.aliases where aliases.count < Self.maximumNames && !aliases.contains(alias.to) {
        aliases.append(alias.to)
      }
    }
  }
}

extension Destination {
  /// The destination of a request's first connection.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - port: The port of the URL, or the default of its scheme.
  init(_ request: ProbeRequest, port: UInt16) {
    let rules = request.rulesForConnecting
    self.init(
      host: request.hostToConnectTo,
      port: request.proxy?.port ?? request.connectToRule?.targetPort ?? port,
      families: (request.family ?? request.source?.family).map { [$0] } ?? [.v4, .v6],
      source: request.source, resolver: request.resolver, knownAddresses: request.addressesOfHost,
      refuses: { rules.refusal(of: $0) != nil })
  }
}

extension ProbeRequest {
  /// The rule that routes this request elsewhere.
  package var connectToRule: ConnectTo? {
    connectTo.first { $0.applies(to: url) }
  }

  /// The known addresses, if they are of the host to which this machine connects.
  package var addressesOfHost: FoundAddresses? {
    knownAddresses.flatMap { $0.host == hostToConnectTo ? $0 : nil }
  }

  /// The rules about the address of its connection; none if the user names the host to connect to.
  package var rulesForConnecting: [AddressRule] {
    guard proxy == nil, connectToRule?.targetHost == nil else { return [] }
    return staysOffThisMachine ? addressRules + [.offThisMachine] : addressRules
  }

  /// The host to resolve, or nil if the connection is to an address.
  package var hostToResolve: String? {
    IPAddress(hostToConnectTo) == nil ? hostToConnectTo : nil
  }

  /// The resolver, if the host to resolve is looked up there: `localhost` is looked up at no server.
  package var askedResolver: SocketAddress? {
    hostToResolve.flatMap { NameServices.isLocalhost($0) ? nil : resolver }
  }

  /// The host to which this machine connects.
  package var hostToConnectTo: String { proxy?.host ?? connectToRule?.targetHost ?? url.host }

  /// Whether this machine resolves the host of the URL for a SOCKS proxy, which receives the address.
  package var resolvesForProxy: Bool {
    proxy?.kind == .socks5WithLocalNames && IPAddress(connectToRule?.targetHost ?? url.host) == nil
  }

  /// Refuses timeouts, families and sources that cannot be used together.
  ///
  /// - Throws: `InvalidInput` that names the option.
  package func checkForConnecting() throws(InvalidInput) {
    guard timeout > .zero else {
      throw InvalidInput("the timeout is not positive", remedy: "give one such as 5s")
    }
    if let connectTimeout, connectTimeout <= .zero {
      throw InvalidInput("the connect timeout is not positive", remedy: "give one such as 2s, or omit it")
    }
    guard maxBody >= 0, maxHead > 0 else {
      throw InvalidInput("a size limit is negative", remedy: "give sizes such as 64KiB")
    }
    if family != nil || source != nil { try checkFamilies() }
    guard let proxy else { return }
    guard resolver == nil || proxy.kind == .socks5WithLocalNames else {
      throw InvalidInput(
        "the proxy looks up the names itself, so a resolver has no effect",
        remedy: "use a socks5:// proxy, for which this machine looks them up, or omit the resolver")
    }
    try proxy.check()
    guard ProbeProxy.Kind.all.contains(proxy.kind) else {
      throw InvalidInput(
        "a \(proxy.kind.rawValue) proxy is unknown", remedy: "use http, https, socks5h or socks5")
    }
    guard proxy.kind != .https || url.scheme == .http || url.scheme == .https else {
      throw InvalidInput(
        "a \(url.scheme) probe cannot go through an https proxy", remedy: "use an http, socks5h or socks5 one"
      )
    }
  }

  private func checkFamilies() throws(InvalidInput) {
    let address = IPAddress(hostToConnectTo)
    if let family, let address, address.family != family {
      throw InvalidInput(
        "\(address) is not an IP\(family) address", remedy: "use the other address family, or both")
    }
    if let source, let own = source.family, let other = family ?? address?.family, own != other {
      throw InvalidInput(
        "the source address \(source) cannot reach an IP\(other) address",
        remedy: "give one of the same family, or the name of an interface")
    }
  }
}
