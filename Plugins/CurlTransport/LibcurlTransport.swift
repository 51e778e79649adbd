internal import ByteStreams
public import ProbeCore
package import ProbeSystem

/// HTTP and HTTPS with libcurl, including HTTP/2 and HTTPS proxies; each exchange uses a new connection.
///
/// The transport reads nothing from the environment. It keeps no cookies, connections or TLS sessions, and
/// always verifies certificates. Limits apply while receiving: data beyond them is never read.
public struct LibcurlTransport: ProbeTransport {
  private let curl: CurlClient
  /// Looks up names for SOCKS proxies that receive addresses, and those that a named DNS server looks up.
  private let connector: StreamConnector
  private let authorities = Authorities()
  private let identities = ClientIdentities()

  /// Creates a transport with its own event loops.
  public init() {
    self.init(loops: EventLoops())
  }

  /// Creates a transport that shares event loops with others.
  package init(loops: EventLoops) {
    curl = CurlClient(loops: loops)
    connector = StreamConnector(loops: loops)
  }

  /// HTTP and HTTPS.
  public var schemes: [URLScheme: Encryption] { [.http: .plaintext, .https: .encrypted] }

  /// The threads of its connections.
  public var executors: [any TaskExecutor] { curl.loops.all }

  /// Checks whether the options can be put into a request, in particular that header fields contain no line
  /// breaks.
  ///
  /// - Throws: `InvalidInput` naming the option.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    try request.checkForConnecting()
    try request.checkProxyKind()
    try request.http.check(for: request.url)
    try request.checkProxyFields()
    guard !request.tls.checks.observesCertificates else {
      throw InvalidInput("the client curl always verifies certificates", remedy: "use the client own")
        .about("client")
    }
  }

  /// Checks the files of authorities and of a client certificate.
  ///
  /// If a file changes later, its new contents apply from the next exchange; while they are not valid, its
  /// previous contents do.
  ///
  /// - Throws: `InvalidInput` naming the file.
  public func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try authorities.check(request.tls, identities)
  }

  /// The keys for HTTP.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] {
    RequestKey.common + RequestKey.connection + RequestKey.http
  }

  /// Performs one exchange.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far.
  public func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try refuseInvalid(request)
    return try await probe(checked: request)
  }
}

extension LibcurlTransport: CheckedTransport {
  package func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    guard !request.resolvesForProxy else {
      let (addressed, time) = try await connector.addressedForProxy(request)
      return try await probe(addressed, after: time)
    }
    guard request.resolver == nil || request.hostToResolve == nil else {
      return try await probe(resolving: request)
    }
    return try await exchange(request)
  }

  /// Looks up the name at the DNS server of the request, and performs an exchange with its addresses.
  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  private func probe(resolving request: ProbeRequest) async throws(ProbeFailure) -> ProbeResponse {
    var request = request
    let found: FoundAddresses
    if let known = request.addressesOfHost {
      found = known
    } else {
      found = try await connector.addresses(for: request)
    }
    request.knownAddresses = found
    var facts = ConnectionFacts()
    facts.resolver = request.usedResolver
    (facts.addresses, facts.aliases) = (found.addresses, found.aliases)
    do throws(ProbeFailure) {
      var response = try await finish(request, after: found.lookupTime)
      response.connection = facts
      return response
    } catch {
      var failure = error
      failure.partial?.connection = facts
      throw failure
    }
  }

  private func exchange(_ request: ProbeRequest) async throws(ProbeFailure) -> ProbeResponse {
    let result = try await curl.perform { () throws(ProbeFailure) in try options(for: request) }
    return try await response(to: request, endedBy: result)
  }

  /// Performs an exchange through a proxy that receives an address, after the lookup of that address.
  private func probe(_ request: ProbeRequest, after time: Duration) async throws(ProbeFailure)
    -> ProbeResponse
  {
    guard request.resolver != nil, request.hostToResolve != nil else {
      return try await finish(request, after: time)
    }
    // The name of the proxy itself.
    var request = request
    var limited = request
    limited.timeout -= time
    guard limited.timeout > .zero else {
      throw ProbeFailure(.resolveTimeout, "no time was left after the name was looked up")
    }
    let found = try await connector.addresses(for: limited)
    request.knownAddresses = found
    return try await finish(request, after: time + found.lookupTime)
  }

  /// Performs an exchange after a lookup, whose duration counts.
  private func finish(_ request: ProbeRequest, after time: Duration) async throws(ProbeFailure)
    -> ProbeResponse
  {
    var request = request
    request.timeout -= time
    request.connectTimeout? -= time
    let limit = min(request.timeout, request.connectTimeout ?? request.timeout)
    guard limit > .zero else {
      throw ProbeFailure(.resolveTimeout, "no time was left after the name was looked up")
    }
    var lookup = ProbeTimings(resolve: time, total: time)
    do throws(ProbeFailure) {
      var response = try await exchange(request)
      response.timings.add(lookup)
      return response
    } catch {
      var failure = error
      lookup.add(failure.partial?.timings ?? ProbeTimings())
      failure.partial?.timings = lookup
      throw failure
    }
  }

  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  private func response(
    to request: ProbeRequest, endedBy result: TransferResult
  ) async throws(ProbeFailure) -> ProbeResponse {
    let response = ProbeResponse(result, for: request)
    guard let head = response.head, result.isComplete(for: request) else {
      if let redirect = response.asRedirect(endedBy: result) { return redirect }
      throw await ProbeFailure(result, of: request, partial: response)
    }
    if let failure = request.failure(for: response, head) { throw failure }
    return response
  }

  private func options(
    for request: ProbeRequest
  ) throws(ProbeFailure) -> (TransferOptions, TransferOptions.HTTP) {
    var options = TransferOptions(request)
    if request.url.scheme == .https || request.proxy?.kind == .https {
      options.trust = try authorities.store(for: request.tls, isInUse: true)
      options.checks = request.tls.checks
      options.host = request.url.host
    }
    if request.url.scheme == .https, let certificate = request.tls.clientCertificate {
      options.identity = try identities.identity(certificate, isInUse: true)
    }
    return (options, TransferOptions.HTTP(request))
  }
}

extension ProbeRequest {
  /// The failure if the proxy sent the complete response, or if the response has another version of HTTP than
  /// requested.
  fileprivate func failure(for response: ProbeResponse, _ head: HTTPResponseHead) -> ProbeFailure? {
    if let proxy, url.scheme == .http, head.status == 407 {
      return ProbeFailure(
        .proxyRefused, "the proxy \(proxy) responded with status 407: it requires authentication",
        partial: response)
    }
    guard url.scheme == .https, http.version == .v2, head.version != "2" else { return nil }
    return ProbeFailure(
      .httpProtocol, "the server speaks HTTP/\(head.version), but HTTP/2 was requested", partial: response)
  }
}

extension ProbeResponse {
  /// The redirect in a response whose body, or whose head after the Location field, is incomplete; nil if
  /// there is none.
  ///
  /// Browsers follow a redirect regardless of its body.
  fileprivate func asRedirect(endedBy result: TransferResult) -> ProbeResponse? {
    // For a NUL in the head, browsers refuse the response.
    guard result.response.limit != .head, result.code.isCausedRemotely, !result.message.hasPrefix("Nul byte"),
      RedirectHop(of: head, from: url)?.target != nil
    else { return nil }
    var redirect = self
    redirect.bodyIsCut = true
    return redirect
  }
}

extension CurlCode {
  /// Whether the server or the network caused it, rather than this machine or the caller.
  fileprivate var isCausedRemotely: Bool {
    switch self {
    case .ok, .partialFile, .badEncoding, .receiveError, .weirdReply, .timedOut, .gotNothing, .http2,
      .http2Stream, .badArgument:
      true
    default: false
    }
  }
}

extension TransferResult {
  /// Whether the response can be judged: it is complete, or truncated at the limit of the request.
  fileprivate func isComplete(for request: ProbeRequest) -> Bool {
    guard response.headIsComplete else { return false }
    if isCompleteToLimit, code.isCausedRemotely || code == .writeError { return true }
    return (code == .ok || (code == .writeError && response.limit == .body)) && framingError(request) == nil
  }
}
