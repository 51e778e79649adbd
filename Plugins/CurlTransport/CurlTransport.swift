internal import ByteStreams
internal import ProbeCurl
public import ProbeCore
package import ProbeThreading

/// HTTP and HTTPS over libcurl: HTTP/2 and https proxies too; every exchange on a connection of its own.
///
/// Nothing is taken from the environment, no cookie, connection or TLS session is kept, certificates are always
/// verified. Limits hold while receiving: what is beyond them is never read.
public struct CurlTransport: ProbeTransport {
  private let curl: CurlClient
  private let authorities = Authorities()
  private let identities = ClientIdentities()

  /// A transport with loops of its own.
  public init() {
    self.init(loops: EventLoops())
  }

  /// A transport that shares its loops with others.
  package init(loops: EventLoops) {
    curl = CurlClient(loops: loops)
  }

  /// HTTP and HTTPS.
  public var schemes: [URLScheme: Encryption] { [.http: .plaintext, .https: .encrypted] }

  /// The threads of its connections.
  public var executors: [any TaskExecutor] { curl.loops.all }

  /// Refuses what cannot be put into a request, line breaks in header fields first of all.
  ///
  /// - Throws: `InvalidInput` naming the option.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    try request.checkForConnecting()
    try request.checkProxyKind()
    try request.http.check(for: request.url)
    try request.checkProxyFields()
  }

  /// Refuses a file of authorities or of a client certificate that cannot be used.
  ///
  /// A file that changes later counts as it is then, from the next exchange on; while it cannot be used, as it was.
  ///
  /// - Throws: `InvalidInput` naming the file.
  public func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try authorities.check(request.tls, identities)
  }

  /// The keys of HTTP.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] {
    RequestKey.common + RequestKey.connection + RequestKey.http
  }

  /// Does one exchange.
  ///
  /// - Throws: `ProbeFailure` with the reason and what was learnt so far.
  public func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try refuseInvalid(request)
    return try await probe(checked: request)
  }
}

extension CurlTransport: CheckedTransport {
  package func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    let result = try await curl.perform { () throws(ProbeFailure) in try options(for: request) }
    return try await answer(result, to: request)
  }

  // Not a part of its caller: thousands of probes wait there, each with room for what it needs until it returns.
  @inline(never)
  private func answer(
    _ result: TransferResult, to request: ProbeRequest
  ) async throws(ProbeFailure) -> ProbeResponse {
    let response = ProbeResponse(result, for: request)
    guard result.isComplete, let head = response.head, result.framingFault(request) == nil else {
      if let redirect = response.asRedirect(endedBy: result) { return redirect }
      throw await ProbeFailure(result, of: request, partial: response)
    }
    if let failure = request.unwantedAnswer(head, response) { throw failure }
    return response
  }

  private func options(
    for request: ProbeRequest
  ) throws(ProbeFailure) -> (TransferOptions, TransferOptions.HTTP) {
    var options = TransferOptions(request)
    if request.url.scheme == .https || request.proxy?.kind == .https {
      options.trust = try authorities.store(for: request.tls, isInUse: true)
    }
    if request.url.scheme == .https, let certificate = request.tls.clientCertificate {
      options.identity = try identities.identity(certificate, isInUse: true)
    }
    return (options, TransferOptions.HTTP(request))
  }
}

extension ProbeRequest {
  /// The failure that a complete answer is when the proxy gave it, or when it is in another version of HTTP than the
  /// one that was to be spoken.
  fileprivate func unwantedAnswer(_ head: HTTPResponseHead, _ response: ProbeResponse) -> ProbeFailure? {
    if let proxy, url.scheme == .http, head.status == 407 {
      return ProbeFailure(
        .proxyRefused, "the proxy \(proxy) responded with status 407: it requires authentication",
        partial: response)
    }
    guard url.scheme == .https, http.version == .v2, head.version != "2" else { return nil }
    return ProbeFailure(
      .httpProtocol, "the server speaks HTTP/\(head.version), and HTTP/2 was asked for", partial: response)
  }
}

extension ProbeResponse {
  /// The redirect that the answer is although its body, or what follows the Location in its head, did not come whole;
  /// nil when it is none.
  ///
  /// Browsers follow a redirect whatever its body does.
  fileprivate func asRedirect(endedBy result: TransferResult) -> ProbeResponse? {
    guard result.answer.limit != .head, result.code.isOfTheAnswer,
      RedirectHop(of: head, from: url)?.target != nil
    else { return nil }
    var redirect = self
    redirect.bodyIsCut = true
    return redirect
  }
}

extension CurlCode {
  /// Whether the server or the network caused it, and not this machine or the caller.
  fileprivate var isOfTheAnswer: Bool {
    switch self {
    case .ok, .partialFile, .badEncoding, .receiveError, .weirdReply, .timedOut, .gotNothing, .http2,
      .http2Stream, .badArgument:
      true
    default: false
    }
  }
}

extension TransferResult {
  /// Whether the answer is one to judge: complete, or cut at the limit its asker set.
  fileprivate var isComplete: Bool {
    answer.headIsComplete && (code == .ok || (code == .writeError && answer.limit == .body))
  }
}
