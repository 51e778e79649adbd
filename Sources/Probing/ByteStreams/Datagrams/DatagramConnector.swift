package import ProbeStreams
package import ProbeCore
package import ProbeSystem

/// Exchanges datagrams for transports, with the settings of a probe's request.
///
/// It resolves the host, applies the request's `connectTo` rules, family, source and address rules, and
/// ignores datagrams from any other address.
package struct DatagramConnector: Sendable {
  private let loops: EventLoops

  /// A connector that shares its loops with others.
  package init(loops: EventLoops) {
    self.loops = loops
  }

  /// The threads of its sockets, for `ProbeTransport.executors`.
  package var executors: [any TaskExecutor] { loops.all }

  /// Refuses a request whose timeouts, families or source cannot be used, or that has a proxy.
  ///
  /// - Throws: `InvalidInput` that names the option.
  package func check(_ request: ProbeRequest) throws(InvalidInput) {
    guard request.proxy == nil else {
      throw InvalidInput(
        "\(request.url.scheme) probes cannot go through a proxy", remedy: "omit it for this URL"
      ).about("proxy")
    }
    try request.checkForConnecting()
  }

  /// Performs a conversation.
  ///
  /// - Parameters:
  ///   - conversation: The conversation.
  ///   - kind: The protocol.
  ///   - request: The request, which ``check(_:)`` accepts.
  ///   - servers: The addresses to use instead of those of the URL; nil for the URL's.
  /// - Returns: The conversation, complete or at the timeout, and a response with the known addresses and
  ///   times.
  /// - Throws: `ProbeFailure` if nothing could be exchanged.
  package func converse<Conversation: DatagramConversation>(
    _ conversation: Conversation, over kind: DatagramProtocol, for request: ProbeRequest,
    servers: [SocketAddress]? = nil
  ) async throws(ProbeFailure) -> DatagramResult<Conversation> {
    let start = ContinuousClock.now
    let loop = loops.forThisTask()
    loop.addLoad(1)
    defer { loop.addLoad(-1) }
    guard loop.start() else { throw ConnectionFailure.shortageForConnecting }
    let operation = DatagramOperation(
      conversation, over: kind, to: DatagramDestination(request, servers: servers), since: start,
      deadline: start + request.timeout)
    await operation.run(on: loop)
    return try result(of: operation, for: request, since: start, isLookedUp: servers == nil)
  }

  private func result<Conversation>(
    of operation: DatagramOperation<Conversation>, for request: ProbeRequest,
    since start: ContinuousClock.Instant, isLookedUp: Bool
  ) throws(ProbeFailure) -> DatagramResult<Conversation> {
    let outcome = operation.outcome
    var response = ProbeResponse(url: request.url)
    if isLookedUp, request.hostToResolve != nil { response.timings.resolve = outcome.resolved }
    response.timings.total = outcome.finished
    response.setPeer(outcome.addresses.first, of: request)
    var facts = ConnectionFacts(outcome.names)
    if isLookedUp { facts.resolver = request.usedResolver }
    response.connection = facts
    let finding: ConnectionFailure.Finding
    switch outcome.ending {
    case .finished:
      return DatagramResult(operation.conversation, response, outcome.addresses, start, isComplete: true)
    case .timedOut where outcome.resolved != nil:
      return DatagramResult(operation.conversation, response, outcome.addresses, start, isComplete: false)
    case .timedOut:
      finding = ConnectionFailure.resolveTimeout(after: outcome.finished, at: request.resolver)
    case .cancelled: finding = ConnectionFailure.cancelled
    case .noSource:
      finding = request.source.map(ConnectionFailure.source) ?? (.noSource, "no usable source address")
    case .refused(let address):
      finding = ConnectionFailure.refusedAddress(address, for: request)
    case .notFound(let error):
      finding = ConnectionFailure.lookingUp(
        request.hostToConnectTo, error, family: request.family ?? request.source?.family,
        at: request.resolver)
    case .shortage(let number):
      finding = ConnectionFailure.connecting(to: request.url.host, SystemError(number), else: "no socket")
    case .notPermitted:
      let command = "sysctl -w net.ipv4.ping_group_range=\"0 2147483647\""
      finding = (
        .notPermitted,
        "this machine permits ping sockets to no group of this process, and it has no CAP_NET_RAW for a raw socket: "
          + "run \(command), or give it that capability"
      )
    }
    throw ProbeFailure(finding.0, finding.1, partial: response)
  }
}

package struct DatagramResult<Conversation: DatagramConversation> {
  /// The conversation at its end.
  package let conversation: Conversation
  /// A response with the times, the names and the first address.
  package var response: ProbeResponse
  /// The initial addresses of the conversation.
  package let addresses: [SocketAddress]
  /// The start of the exchange.
  package let start: ContinuousClock.Instant
  /// Whether the conversation finished before the timeout.
  package let isComplete: Bool

  init(
    _ conversation: Conversation, _ response: ProbeResponse, _ addresses: [SocketAddress],
    _ start: ContinuousClock.Instant, isComplete: Bool
  ) {
    self.conversation = conversation
    self.response = response
    self.addresses = addresses
    self.start = start
    self.isComplete = isComplete
  }

  /// The failure of an exchange to which all addresses responded with an error of the system or the network.
  package func failure(_ error: Int32) -> ProbeFailure {
    let (reason, words) = ConnectionFailure.connecting(
      to: response.url.host.isEmpty ? "the DNS server" : response.url.host,
      at: response.remoteAddress?.address, SystemError(error), else: "nothing could be sent")
    return ProbeFailure(reason, words, partial: response)
  }
}

extension DatagramDestination {
  init(_ request: ProbeRequest, servers: [SocketAddress]?) {
    self.init(connection: Destination(request, port: request.url.port ?? 0), servers: servers)
  }
}
