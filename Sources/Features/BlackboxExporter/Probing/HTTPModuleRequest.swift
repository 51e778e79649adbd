import ProbeCore
import ProbePipeline

/// The request of an HTTP module for a target.
struct HTTPModuleRequest {
  /// The URL of the target.
  let url: ProbeURL
  private let module: HTTPModule
  /// The host to request instead of the target's: the Host field of the module or the parameter `hostname`.
  private let host: String?

  /// Parses a target: a URL, or a host for which `http://` is assumed.
  ///
  /// - Throws: `InvalidInput` if it is not a URL.
  init(_ target: String, _ module: HTTPModule, hostname: String?) throws(InvalidInput) {
    let lower = target.prefix(8).lowercased()
    let hasScheme = lower.hasPrefix("http://") || lower.hasPrefix("https://")
    url = try ProbeURL(hasScheme ? target : "http://" + target)
    self.module = module
    host = hostname ?? module.headers["Host"]
  }

  /// The proxy for the target; nil for none.
  var proxy: ProbeProxy? { module.proxy(for: url) }

  /// Whether the proxy looks the target up.
  var leavesLookupToProxy: Bool { module.leavesLookupToProxy && proxy != nil }

  /// Whether a proxy receives the request with the name of the target, as from blackbox_exporter; otherwise a
  /// connection or a tunnel leads to the address that was looked up.
  var isForwarded: Bool {
    url.scheme == .http && proxy.map { [.http, .https].contains($0.kind) } == true
  }

  /// The request.
  ///
  /// - Parameters:
  ///   - address: The address to connect to; nil if the proxy looks it up.
  ///   - timeout: The timeout.
  /// - Returns: The request, for which TLS verifies the module's or the target's server name.
  /// - Throws: `InvalidInput` if a file of the module cannot be read, or the request cannot be sent.
  func request(to address: IPAddress?, timeout: Duration) throws(InvalidInput) -> ProbeRequest {
    var request = ProbeRequest(url, within: timeout)
    try setDestination(of: &request, address)
    request.redirects = module.followsRedirects ? Self.maximumRedirects : 0
    request.maxBody = Self.maximumBody
    request.proxy = proxy
    // The targets of redirects may be among the hosts for which no proxy is used, or not.
    if module.proxy != nil, !module.noProxy.isEmpty {
      request.proxyAfterRedirect = { [module] target in module.proxy(for: target) }
    }
    try setFields(of: &request)
    request.tls = try module.tls.options()
    request.http.offersHTTP2 = module.allowsHTTP2
    request.cookies = SessionCookies()
    request.followsFirstLocation = true
    return request
  }

  /// The maximum number of redirects that Go's client follows.
  static let maximumRedirects = 10
  /// The maximum number of bytes to receive of a body.
  static let maximumBody = 16 << 20

  /// Sets the destination of the connection and the name of the server.
  private func setDestination(of request: inout ProbeRequest, _ address: IPAddress?) throws(InvalidInput) {
    // TLS verifies the host of the URL, which is replaced if another name is to be verified; the connection
    // still goes to the target.
    let name = url.scheme == .https ? module.tls.serverName ?? host.map(Self.withoutPort) : nil
    if let name, name.lowercased() != url.host { request.url = try url.replacingHost(name) }
    if let target = address?.description ?? (request.url.host == url.host ? nil : url.host), !isForwarded {
      request.connectTo = [
        ConnectTo(host: request.url.host, port: request.url.port, targetHost: target, targetPort: url.port)
      ]
    }
    if let host = host ?? (request.url.host == url.host ? nil : Self.authority(of: url)) {
      request.http.headers.append(name: "Host", value: host)
    }
  }

  private func setFields(of request: inout ProbeRequest) throws(InvalidInput) {
    request.http.method = module.method
    // A header field of the module replaces the credentials, unless it is empty (`HTTPClientConfig` of prometheus/common).
    let credentials = module.headers["Authorization"]?.isEmpty == false ? nil : module.credentials
    let omitted = credentials == nil ? ["host"] : ["host", "authorization"]
    for field in module.headers where !omitted.contains(field.name.lowercased()) {
      if field.name.lowercased() == "user-agent" {
        request.http.userAgent = field.value
      } else {
        request.http.headers.append(name: field.name, value: field.value)
      }
    }
    for field in module.secretHeaders {
      let value = try field.value.secret()
      request.otherSecrets.append(value)
      request.http.headers.append(name: field.name, value: value.withText(\.self))
    }
    // The fields are those of blackbox_exporter, which has none of these by default.
    let defaults = ["Accept", "Accept-Encoding", "Cache-Control", "Pragma"]
    request.http.omittedFields = defaults.filter { request.http.headers[$0] == nil }
    // The body is decoded as the module specifies, regardless of the server's Content-Encoding.
    request.http.contentCodings = []
    request.http.body = try module.body.map { body throws(InvalidInput) in try body.bytes() }
    if let credentials { request.http.credentials = try credentials.forRequest() }
  }

  private static func authority(of url: ProbeURL) -> String {
    let host = url.host.bracketedHost
    return url.explicitPort.map { "\(host):\($0)" } ?? host
  }

  private static func withoutPort(_ host: String) -> String {
    guard host.last != "]", let colon = host.lastIndex(of: ":") else { return host }
    return String(host[..<colon])
  }
}

extension HTTPModule {
  /// The proxy for a URL; nil for none.
  fileprivate func proxy(for url: ProbeURL) -> ProbeProxy? {
    proxy.flatMap { NoProxy(noProxy).includes(url) ? nil : $0 }
  }
}

extension ModuleCredentials {
  /// The credentials to send, read from their files.
  ///
  /// - Throws: `InvalidInput` if a file cannot be read.
  fileprivate func forRequest() throws(InvalidInput) -> HTTPCredentials {
    switch self {
    case .basic(let user, let password):
      return .basic(
        user: try user.secret().withText(\.self),
        password: try password.map { password throws(InvalidInput) in try password.secret() } ?? Secret(""))
    case .authorization(let scheme, let credentials):
      return .authorization(try credentials.secret().withText { Secret("\(scheme) \($0)") })
    }
  }
}

extension ProbeURL {
  /// The URL with another host.
  ///
  /// - Throws: `InvalidInput` if it is not a host.
  fileprivate func replacingHost(_ host: String) throws(InvalidInput) -> ProbeURL {
    let port = explicitPort.map { ":\($0)" } ?? ""
    return try ProbeURL(
      "\(scheme)://\(host.bracketedHostIfBare)\(port)\(path)\(query.map { "?\($0)" } ?? "")")
  }
}

/// The hosts for which no proxy is used, in the format of the environment variable `NO_PROXY` in Go.
///
/// An entry is `*`, an address, a block, or a domain: `example.com` with its subdomains, or `.example.com`
/// for the subdomains only; a domain or an address may have a port.
struct NoProxy {
  private let entries: [String]

  init(_ entries: [String]) {
    self.entries = entries.flatMap { $0.split(separator: ",") }.map { entry in
      entry.filter { !$0.isWhitespace }.lowercased()
    }
  }

  /// Whether the host of a URL is one of them.
  func includes(_ url: ProbeURL) -> Bool {
    entries.contains { entry in
      if entry == "*" { return true }
      if entry.contains("/") {
        guard let address = url.address, let block = try? AddressBlock(entry) else { return false }
        return block.contains(address)
      }
      let (host, port) = Self.parts(entry)
      guard port == nil || port == url.port else { return false }
      if let address = IPAddress(host) { return address == url.address }
      let domain = host.hasPrefix("*.") ? host.dropFirst(1) : host[...]
      if domain.hasPrefix(".") { return url.host.hasSuffix(domain) }
      return !domain.isEmpty && (url.host == domain || url.host.hasSuffix("." + domain))
    }
  }

  private static func parts(_ entry: String) -> (host: String, port: UInt16?) {
    if IPAddress(entry) != nil { return (entry, nil) }
    let bare = { (host: Substring) in String(host.drop { $0 == "[" }.prefix { $0 != "]" }) }
    guard let colon = entry.lastIndex(of: ":"), let port = UInt16(text: entry[entry.index(after: colon)...])
    else {
      return (bare(entry[...]), nil)
    }
    return (bare(entry[..<colon]), port)
  }
}
