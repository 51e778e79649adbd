package import Curl
public import ProbeCore

/// HTTP and HTTPS over libcurl: every exchange on a connection of its own, all of them on one thread.
///
/// Nothing is taken from the environment, no cookie, connection or TLS session is kept, certificates are always
/// verified. Limits hold while receiving: what is beyond them is never read.
public struct CurlTransport: ProbeTransport {
  private let loop: CurlLoop
  private let authorities = Authorities()

  /// A transport with a loop of its own.
  public init() {
    self.init(loop: CurlLoop())
  }

  /// A transport that shares a loop with others.
  package init(loop: CurlLoop) {
    self.loop = loop
  }

  /// HTTP and HTTPS.
  public var schemes: [URLScheme: Encryption] { [.http: .plaintext, .https: .encrypted] }

  /// The thread of its connections.
  public var executor: (any TaskExecutor)? { loop }

  /// Refuses what cannot be put into a request, line breaks in header fields first of all.
  ///
  /// - Throws: ``InvalidInput`` naming the option.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    try request.checkForConnecting()
    try request.http.check()
  }

  /// Does one exchange.
  ///
  /// - Throws: ``ProbeFailure`` with the reason and what was learnt so far.
  public func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var options = TransferOptions(request)
    if request.url.scheme == .https {
      options.trust = try authorities.store(additional: request.tls.additionalAuthorities)
    }
    let result = await loop.perform(options, http: TransferOptions.HTTP(request))
    let response = ProbeResponse(result, for: request)
    if result.isComplete, response.head != nil { return response }
    throw await ProbeFailure(result, of: request, partial: response)
  }
}

extension TransferResult {
  /// Whether the answer is one to judge: complete, or cut at the limit its asker set.
  fileprivate var isComplete: Bool {
    answer.headIsComplete && (code == .ok || (code == .writeError && answer.limit == .body))
  }
}
