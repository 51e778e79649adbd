internal import ByteStreams
public import ProbeCore
internal import ProbeAres
internal import ProbeFiles
internal import ProbeLDNS
package import ProbeThreading

/// DNS queries: sends the question of a dns URL (RFC 4501) over UDP, and again over TCP if the response
/// is truncated.
///
/// A response with any response code is complete. Its body is the answer section in zone file format, one
/// line for each record; `ProbeResponse.dns` contains the entire response.
public struct DNSTransport: ProbeTransport {
  private let datagrams: DatagramConnector
  private let streams: StreamConnector

  /// Creates a transport with its own event loops.
  public init() {
    self.init(loops: EventLoops())
  }

  /// Creates a transport that shares event loops with others.
  package init(loops: EventLoops) {
    datagrams = DatagramConnector(loops: loops)
    streams = StreamConnector(loops: loops)
  }

  /// DNS, without encryption.
  public var schemes: [URLScheme: Encryption] { [.dns: .plaintext] }

  /// The threads of its sockets.
  public var executors: [any TaskExecutor] { datagrams.executors }

  /// Checks the name, type and class of the URL, and the options.
  ///
  /// - Throws: `InvalidInput` naming the part.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    _ = try DNSQuery(request)
    try datagrams.check(request)
  }

  /// The keys for connections except `proxy`, and `recursion` and `dnssec`.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] {
    // DNS has neither redirects nor proxies.
    (RequestKey.common + RequestKey.connection).filter { $0.name != "redirects" && $0.name != "proxy" } + [
      RequestKey(
        "recursion", Bool.self, default: "true", summary: "whether the DNS server may ask other servers"
      ) { recursion in
        RequestSetting { request, _ in
          request[DNSQueryOptions.self, default: DNSQueryOptions()].recursion = recursion
        }
      },
      RequestKey(
        "dnssec", Bool.self, default: "false",
        summary: "whether to request the signatures of DNSSEC (the DO bit)"
      ) { dnssec in
        RequestSetting { request, _ in
          request[DNSQueryOptions.self, default: DNSQueryOptions()].dnssec = dnssec
        }
      },
    ]
  }

  /// Sends the question, and receives the response.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far.
  public func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try refuseInvalid(request)
    return try await probe(checked: request)
  }
}

extension ProbeRequest {
  fileprivate subscript<Options: Sendable>(
    _ type: Options.Type, default value: @autoclosure () -> Options
  ) -> Options {
    get { self[type] ?? value() }
    set { self[type] = newValue }
  }
}

extension DNSTransport: CheckedTransport {
  package func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    let (query, id, message) = try question(of: request)
    if let options = request[DNSQueryOptions.self], options.usesTCP, !request.hostToConnectTo.isEmpty {
      let exchange = StreamedExchange(
        query: query, id: id, message: message, encryption: options.usesTLS ? .encrypted : .plaintext,
        start: .now, earlier: nil)
      return try await exchange.response(to: request, over: streams)
    }
    let result = try await datagrams.converse(
      DNSConversation(query, message: message, id: id), over: .udp, for: request,
      servers: try servers(for: request))
    switch result.conversation.ending {
    case .reply(let reply, let address):
      var response = result.response
      response.setPeer(result.addresses[address], of: request)
      response.timings.firstByte = result.conversation.responseTime
      return response.with(reply, maxBody: request.maxBody)
    case .truncated(let address):
      let exchange = StreamedExchange(
        query: query, id: id, message: message, encryption: .plaintext, start: result.start,
        earlier: (result.response, result.addresses[address]))
      return try await exchange.response(to: request, over: streams)
    case nil: throw failure(of: result)
    }
  }

  private func question(of request: ProbeRequest) throws -> (DNSQuery, UInt16, [UInt8]) {
    let id = UInt16.random(in: 0 ... .max)
    do {
      let query = try DNSQuery(request)
      return (query, id, try query.message(id: id))
    } catch let error as LDNSError {
      throw ProbeFailure(.noMemory, error.words)
    } catch {
      throw ProbeFailure(.invalidRequest, "\(error)")
    }
  }

  /// The name servers of the system if the request does not name a server; otherwise nil.
  private func servers(for request: ProbeRequest) throws(ProbeFailure) -> [SocketAddress]? {
    guard request.hostToConnectTo.isEmpty else { return nil }
    let all: [SocketAddress]
    do throws(FileError) {
      all = try ResolverConfiguration.ofMachine().servers
    } catch {
      throw ProbeFailure(
        error.isShortageOfDescriptors ? .noDescriptors : .dnsFailure,
        "the DNS servers of this machine cannot be read: \(error)")
    }
    let servers = all.filter { request.family == nil || $0.address.family == request.family }
    guard !servers.isEmpty else {
      throw ProbeFailure(.invalidRequest, "this machine has no DNS server of this address family")
    }
    return servers
  }

  private func failure(of result: DatagramResult<DNSConversation>) -> ProbeFailure {
    if let error = result.conversation.failure { return result.failure(error) }
    let ignored = result.conversation.ignored.map { "; what was received was ignored: \($0)" } ?? ""
    return ProbeFailure(
      .responseTimeout, "no response from the DNS server in time\(ignored)", partial: result.response)
  }
}

extension ProbeResponse {
  /// The response with the contents of a reply.
  func with(_ reply: DNSReply, maxBody: Int) -> ProbeResponse {
    var response = self
    let text = Array(reply.text.utf8)
    response.body = Array(text.prefix(maxBody))
    response.bodyIsCut = text.count > maxBody
    response.dns = reply.facts
    return response
  }
}
