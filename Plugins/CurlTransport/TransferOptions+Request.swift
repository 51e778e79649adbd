internal import ByteStreams
internal import ProbeTLS
internal import ProbeCore
internal import ProbeSystem

extension TransferOptions {
  /// Creates the connection settings for libcurl.
  init(_ request: ProbeRequest) {
    self.init(url: request.url.string, timeout: request.timeout)
    connectTimeout = request.connectTimeout
    family = request.family ?? request.source?.family
    connectTo = request.connectToRule?.curlForm
    interface = request.source?.curlForm
    proxy = request.proxy
    let rules = request.rulesForConnecting
    if let known = request.addressesForCurl {
      knownAddresses = known
      // No other address, however libcurl may have found it.
      refusesAddress = { text in
        IPAddress(text).map { !known.all.contains($0) || rules.refusal(of: $0) != nil } ?? true
      }
    } else if !rules.isEmpty {
      refusesAddress = { text in IPAddress(text).map { rules.refusal(of: $0) != nil } ?? true }
    }
  }
}

extension ProbeSource {
  fileprivate var curlForm: String {
    switch kind {
    case .interface(let name): "if!\(name)"
    case .address(let address): "host!\(address)"
    }
  }
}

extension TransferOptions.HTTP {
  init(_ request: ProbeRequest) {
    let http = request.http
    let fields = http.sendsDefaultFields ? .usual : HeaderLines(http)
    self.init(
      method: http.method, headers: fields.lines, body: http.body, maxHead: request.maxHead,
      maxBody: request.maxBody)
    if let furtherReading = request.furtherReading {
      self.furtherReading = furtherReading
      makeResponse = { ProbeResponse($0, for: request) }
    }
    bodyKeeping = request.bodyKeeping
    allowsHTTP09 = request.url.scheme == .http && request.url.port == 80 && request.bodyKeeping == nil
    contentCodings = fields.codings
    version = http.version
  }
}

/// The header lines of a request, and the content codings they request.
private struct HeaderLines {
  var lines: [String]
  let codings: String?

  init(_ http: HTTPRequestOptions) {
    lines = http.sentFields().map { field in
      // For libcurl, `Name:` means "leave this field out" and `Name;` means "send it empty".
      field.value.allSatisfy(\.isWhitespace) ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    // libcurl adds default fields.
    lines += http.omittedFields.map { "\($0):" }
    codings = http.contentCodings.isEmpty ? nil : http.contentCodings.joined(separator: ", ")
  }

  /// The lines of a request with default options, which nearly every request has; created only once.
  static let usual = HeaderLines(HTTPRequestOptions())
}

extension ConnectTo {
  fileprivate var curlForm: String {
    let host = targetHost?.bracketedHost ?? ""
    return "::\(host):\(targetPort.map(String.init) ?? "")"
  }
}

extension ProbeRequest {
  /// The known addresses of the host to connect to, and the port; nil if libcurl looks up the name itself.
  fileprivate var addressesForCurl: (all: [IPAddress], port: UInt16)? {
    guard resolver != nil, let found = addressesOfHost,
      let port = proxy?.port ?? connectToRule?.targetPort ?? url.port
    else { return nil }
    return (found.addresses.map(\.address), port)
  }

  /// Checks that this version of libcurl supports the proxy.
  ///
  /// - Throws: ``InvalidInput`` naming the proxy.
  func checkProxyKind() throws(InvalidInput) {
    guard proxy?.kind == .https, !CurlFeatures.supportsEncryptedProxies else { return }
    throw InvalidInput(
      "the libcurl of this machine cannot speak to an https proxy",
      remedy: "use an http, socks5h or socks5 one"
    ).about("proxy")
  }
}

extension HTTPRequestOptions {
  func check(for url: ProbeURL) throws(InvalidInput) {
    try checkFields()
    try checkVersion(for: url)
    guard !acceptsIncompleteHeads else {
      throw InvalidInput(
        "the client curl does not support lenientHead", remedy: "omit it, or use the client own"
      ).about("lenientHead", "client")
    }
    guard version != .v2 || CurlFeatures.supportsHTTP2 else {
      throw InvalidInput("the libcurl of this machine does not speak HTTP/2", remedy: "use 1.1")
        .about("httpVersion")
    }
    let known = CurlFeatures.contentCodings
    for coding in contentCodings where !known.contains(coding) {
      throw InvalidInput(
        "the content coding \(Excerpt(coding)) is unknown",
        remedy: "this libcurl has \(known.joined(separator: ", "))"
      ).about("acceptEncoding", "client")
    }
  }
}

extension ProbeResponse {
  /// Creates the complete or partial response of a transfer.
  init(_ result: TransferResult, for request: ProbeRequest) {
    self.init(
      url: request.url,
      head: HTTPResponseHead(wireBytes: result.response.wholeLines),
      body: result.response.body,
      bodyIsCut: result.response.limit == .body || result.isCompleteToLimit && result.code != .ok,
      timings: ProbeTimings(result.moments, wasLookedUp: request.hostToResolve != nil),
      tls: result.handshake?.session
    )
    setPeer(result.remote ?? result.tried, of: request)
    if let seconds = result.retryAfter { retryAfter = .seconds(seconds) }
    guard result.hasOnlyContent else { return }
    if result.isHTTP09 { deviations = [.http09] } else { body = [] }
  }
}

extension ProbeTimings {
  fileprivate init(_ moments: TransferResult.Moments, wasLookedUp: Bool) {
    func span(_ start: Int64, _ end: Int64) -> Duration? {
      end > 0 ? .microseconds(max(0, end - start)) : nil
    }
    self.init(
      resolve: wasLookedUp ? span(0, moments.resolved) : nil,
      connect: span(moments.resolved, moments.connected),
      tls: span(moments.connected, moments.secured),
      firstByte: span(max(moments.requested, moments.connected), moments.responded),
      total: span(0, moments.finished)
    )
  }
}
