internal import ByteStreams
public import ProbeCore
internal import ProbeStreams
package import ProbeSystem

/// DNS queries: sends the question of a dns URL (RFC 4501) over UDP, and again over TCP if the response
/// is truncated; that of a dns+tls URL over TLS (RFC 7858), and that of a dns+https URL over HTTPS (RFC 8484).
///
/// A response with any response code is complete. Its body is the answer section in zone file format, one
/// line for each record; `ProbeResponse.dns` contains the entire response.
public struct DNSTransport: ProbeTransport {
  private let datagrams: DatagramConnector
  private let streams: StreamConnector
  /// The transport of queries over HTTPS.
  private let http: (any ProbeTransport)?

  /// Creates a transport with its own event loops, without dns+https.
  public init() {
    self.init(loops: EventLoops())
  }

  /// Creates a transport with its own event loops.
  ///
  /// - Parameter http: The transport of queries over HTTPS. It should support HTTP/2, because some servers
  ///   require it.
  public init(http: any ProbeTransport) {
    self.init(loops: EventLoops(), http: http)
  }

  /// Creates a transport that shares event loops with others.
  package init(loops: EventLoops, http: (any ProbeTransport)? = nil) {
    datagrams = DatagramConnector(loops: loops)
    streams = StreamConnector(loops: loops)
    self.http = http
  }

  /// DNS without encryption, over TLS and, if it has a transport for that, over HTTPS.
  public var schemes: [URLScheme: Encryption] {
    var schemes: [URLScheme: Encryption] = [.dns: .plaintext, .dnsTLS: .encrypted]
    if http != nil { schemes[.dnsHTTPS] = .encrypted }
    return schemes
  }

  /// The threads of its sockets.
  public var executors: [any TaskExecutor] { datagrams.executors }

  /// Checks the name, type and class of the URL, and the options.
  ///
  /// - Throws: `InvalidInput` naming the part.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    _ = try DNSQuery(request)
    switch request.url.scheme {
    case .dnsTLS: try streams.check(request)
    case .dnsHTTPS: try http?.check(HTTPSExchange.request(for: request, message: []))
    default: try datagrams.check(request)
    }
  }

  /// Checks the files of authorities and of a client certificate.
  ///
  /// - Throws: `InvalidInput` naming the file.
  public func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    switch request.url.scheme {
    case .dnsTLS: try streams.checkFiles(of: request)
    case .dnsHTTPS: try http?.checkFiles(of: HTTPSExchange.request(for: request, message: []))
    default: break
    }
  }

  /// The keys for connections, those for TLS if it is used, `recursion` and `dnssec`, and for HTTPS `path`.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] {
    // DNS has no redirects, and datagrams have no proxies.
    let connection = (RequestKey.common + RequestKey.connection).filter {
      $0.name != "redirects" && ($0.name != "proxy" || scheme != .dns)
    }
    let tls = scheme == .dns ? [] : [RequestKey.authorities, .clientCertificate]
    return connection + tls + Self.queryKeys + (scheme == .dnsHTTPS ? [Self.pathKey] : [])
  }

  private static let queryKeys = [
    RequestKey(
      "recursion", \.dnsQuery.recursion, default: "true",
      summary: "whether the DNS server may ask other servers"),
    RequestKey(
      "dnssec", \.dnsQuery.dnssec, default: "false",
      summary: "whether to request the signatures of DNSSEC (the DO bit)"),
  ]

  private static let pathKey = RequestKey(
    "path", \.dnsQuery.path, default: "/dns-query",
    summary: "the path of the server for queries over HTTPS; path in the query of a URL takes precedence")

  /// Sends the question, and receives the response.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far.
  public func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try refuseInvalid(request)
    return try await probe(checked: request)
  }
}

extension ProbeRequest {
  /// The options of a DNS query, or their defaults.
  var dnsQuery: DNSQueryOptions {
    get { self[DNSQueryOptions.self] ?? DNSQueryOptions() }
    set { self[DNSQueryOptions.self] = newValue }
  }
}

extension DNSTransport: CheckedTransport {
  package func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    let scheme = request.url.scheme
    let (query, id, message) = try question(of: request)
    if scheme == .dnsHTTPS {
      guard let http else {
        throw ProbeFailure(.invalidRequest, "this transport has none for queries over HTTPS")
      }
      return try await HTTPSExchange(query: query, http: http).response(to: request, message: message)
    }
    let usesTCP = request.dnsQuery.usesTCP && !request.hostToConnectTo.isEmpty
    if usesTCP || scheme == .dnsTLS {
      let exchange = StreamedExchange(
        query: query, id: id, message: message, encryption: scheme == .dnsTLS ? .encrypted : .plaintext,
        start: .now, earlier: nil)
      return try await exchange.response(to: request, over: streams)
    }
    let result = try await datagrams.converse(
      DNSConversation(query, message: message, id: id), over: .udp, for: request,
      servers: try servers(for: request))
    switch result.conversation.ending {
    case .response(let dns, let address):
      var response = result.response
      response.setPeer(result.addresses[address], of: request)
      response.timings.firstByte = result.conversation.responseTime
      return response.with(dns, maxBody: request.maxBody)
    case .truncated(let address):
      var response = result.response
      response.timings.firstByte = result.conversation.responseTime
      let exchange = StreamedExchange(
        query: query, id: id, message: message, encryption: .plaintext, start: result.start,
        earlier: (response, result.addresses[address]))
      return try await exchange.response(to: request, over: streams)
    case nil: throw failure(of: result)
    }
  }

  private func question(of request: ProbeRequest) throws -> (DNSQuery, UInt16, [UInt8]) {
    let id = request.url.scheme == .dnsHTTPS ? HTTPSExchange.id : UInt16.random(in: 0 ... .max)
    do {
      let query = try DNSQuery(request)
      return (query, id, try query.message(id: id))
    } catch let error as LDNSError {
      throw ProbeFailure(.noMemory, error.words)
    } catch {
      throw ProbeFailure(.invalidRequest, "\(error)")
    }
  }

  /// The resolver of the request, or else the name servers of the system, if its URL does not name a server; otherwise
  /// nil.
  private func servers(for request: ProbeRequest) throws(ProbeFailure) -> [SocketAddress]? {
    guard request.hostToConnectTo.isEmpty else { return nil }
    let all: [SocketAddress]
    if let resolver = request.resolver { all = [resolver] } else { all = try serversOfMachine() }
    let servers = all.filter { request.family == nil || $0.address.family == request.family }
    guard !servers.isEmpty else {
      let whose = request.resolver == nil ? "this machine has no DNS server" : "the resolver is not"
      throw ProbeFailure(.invalidRequest, "\(whose) of this address family")
    }
    return servers
  }

  private func serversOfMachine() throws(ProbeFailure) -> [SocketAddress] {
    do throws(FileError) {
      return try ResolverConfiguration.ofMachine().servers
    } catch {
      throw ProbeFailure(
        error.isShortageOfDescriptors ? .noDescriptors : .dnsFailure,
        "the DNS servers of this machine cannot be read: \(error)")
    }
  }

  private func failure(of result: DatagramResult<DNSConversation>) -> ProbeFailure {
    if let error = result.conversation.failure { return result.failure(error) }
    let ignored = result.conversation.ignored.map { "; what was received was ignored: \($0)" } ?? ""
    return ProbeFailure(
      .responseTimeout, "no response from the DNS server in time\(ignored)", partial: result.response)
  }
}

extension DNSTransport: AddressFinding {
  package func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses? {
    // Datagram sockets look up names themselves.
    request.url.scheme == .dns ? nil : try await streams.addresses(for: request)
  }
}

extension ProbeResponse {
  /// The response with the contents of a DNS message.
  func with(_ dns: DNSResponse, maxBody: Int) -> ProbeResponse {
    var response = self
    let text = Array(dns.text.utf8)
    response.body = Array(text.prefix(maxBody))
    response.bodyIsCut = text.count > maxBody
    response.dns = dns.facts
    return response
  }
}
