internal import ByteStreams
internal import Curl
internal import ProbeCore

extension TransferOptions {
  /// What libcurl needs to know to connect.
  init(_ request: ProbeRequest) {
    self.init(url: request.url.string, timeout: request.timeout)
    connectTimeout = request.connectTimeout
    family = (request.family ?? request.source?.family).map(Family.init)
    connectTo = request.connectToRule?.curlForm
    interface = request.source?.curlForm
    proxy = request.proxy.map(Proxy.init)
    if request.staysOffThisMachine, request.proxy == nil, request.connectToRule?.targetHost == nil {
      refusesAddress = { IPAddress($0)?.reach != .network }
    }
  }
}

extension TransferOptions.Family {
  /// The family by libcurl's name.
  init(_ family: IPFamily) {
    switch family {
    case .v4: self = .v4
    case .v6: self = .v6
    }
  }
}

extension TransferOptions.Proxy {
  init(_ proxy: ProbeProxy) {
    let password = proxy.password?.withText(\.self) ?? ""
    self.init(
      url: proxy.description, isEncrypted: proxy.kind == .https, login: proxy.user.map { ($0, password) })
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
    let fields = http.saysTheUsual ? .usual : HeaderLines(http)
    self.init(
      method: http.method, headers: fields.lines, body: http.body, maxHead: request.maxHead,
      maxBody: request.maxBody)
    contentCodings = fields.codings
    switch http.version {
    case .v1_0: version = .v1_0
    case .v1_1: version = .v1_1
    case .v2: version = .v2
    default: break
    }
  }
}

/// The header lines of a request, and the content codings they ask for.
private struct HeaderLines {
  var lines: [String]
  let codings: String?

  init(_ http: HTTPRequestOptions) {
    lines = http.headers.map { field in
      // libcurl takes `Name:` as "leave this field out" and `Name;` as "send it empty".
      field.value.allSatisfy(\.isWhitespace) ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    // libcurl would make this line itself, at twice the cost.
    codings = http.contentCodings.isEmpty ? nil : http.contentCodings.joined(separator: ", ")
    if let codings, http.headers["Accept-Encoding"] == nil { lines.append("Accept-Encoding: \(codings)") }
    if http.headers["User-Agent"] == nil { lines.append("User-Agent: \(http.userAgent)") }
    // An answer that a cache on the way has kept says nothing of the network behind it (RFC 9111 §5.2.1.4); the second
    // is for those that know HTTP/1.0 alone (§5.4).
    for name in ["Cache-Control", "Pragma"] where http.headers[name] == nil {
      lines.append("\(name): no-cache")
    }
    if let credentials = http.credentials {
      lines.append(credentials.fieldValue.withText { "Authorization: \($0)" })
    }
  }

  /// Those of a request that says nothing of its own; nearly every one has them, so that they are made once.
  static let usual = HeaderLines(HTTPRequestOptions())
}

extension HTTPRequestOptions {
  private static let usual = HTTPRequestOptions()

  /// Whether its header lines are those of a request that nobody has changed.
  fileprivate var saysTheUsual: Bool {
    headers.isEmpty && credentials == nil && contentCodings == Self.usual.contentCodings
      && userAgent == Self.usual.userAgent
  }
}

extension ConnectTo {
  fileprivate var curlForm: String {
    let host = targetHost.map { $0.contains(":") ? "[\($0)]" : $0 } ?? ""
    return "::\(host):\(targetPort.map(String.init) ?? "")"
  }
}

extension ProbeRequest {
  /// Refuses a proxy that this libcurl cannot speak to.
  ///
  /// - Throws: ``InvalidInput`` naming it.
  func checkProxyKind() throws(InvalidInput) {
    guard proxy?.kind == .https, !CurlFeatures.supportsEncryptedProxies else { return }
    throw InvalidInput(
      "the libcurl of this machine cannot speak to an https proxy", remedy: "use an http or socks5h one")
  }

  /// Refuses two logins at one proxy.
  func checkProxyFields() throws(InvalidInput) {
    guard proxy?.user != nil, http.headers["Proxy-Authorization"] != nil else { return }
    throw InvalidInput(
      "the header field Proxy-Authorization stands beside the proxy's user", remedy: "leave one of them out")
  }
}

extension HTTPRequestOptions {
  func check(for url: ProbeURL) throws(InvalidInput) {
    guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenCharacter) else {
      throw InvalidInput("\(Excerpt(method)) is not a request method", remedy: "use one such as GET or HEAD")
    }
    guard userAgent.utf8.allSatisfy(\.isFieldCharacter) else {
      throw InvalidInput(
        "the user agent contains a control character", remedy: "use visible characters and spaces")
    }
    for (position, field) in headers.enumerated() {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isTokenCharacter) else {
        throw InvalidInput(
          "\(Excerpt(field.name)) is not a header field name", remedy: "write it as in Accept")
      }
      // The raw bytes: as text, a line break with a space behind it would read as a folded value.
      guard headers.rawValue(at: position).allSatisfy(\.isFieldCharacter) else {
        throw InvalidInput(
          "the header field \(field.name) contains a control character",
          remedy: "use visible characters and spaces")
      }
    }
    if let credentials {
      try credentials.check()
      guard headers["Authorization"] == nil else {
        throw InvalidInput(
          "the header field Authorization stands beside credentials", remedy: "leave one of them out")
      }
    }
    try checkVersion(for: url)
    let known = CurlFeatures.contentCodings
    for coding in contentCodings where !known.contains(coding) {
      throw InvalidInput(
        "the content coding \(Excerpt(coding)) is unknown",
        remedy: "this libcurl has \(known.joined(separator: ", "))")
    }
  }

  private func checkVersion(for url: ProbeURL) throws(InvalidInput) {
    guard HTTPVersion.all.contains(version) else {
      throw InvalidInput("\(Excerpt(version.rawValue)) is no version of HTTP", remedy: "use 1.0, 1.1 or 2")
    }
    guard version == .v2 else { return }
    guard CurlFeatures.speaksHTTP2 else {
      throw InvalidInput("the libcurl of this machine does not speak HTTP/2", remedy: "use 1.1")
    }
    guard url.scheme == .https else {
      throw InvalidInput("HTTP/2 is spoken inside TLS alone", remedy: "use an https URL, or version 1.1")
    }
  }
}

extension UInt8 {
  /// RFC 9110 §5.5, bytes above ASCII included.
  fileprivate var isFieldCharacter: Bool {
    self == UInt8(ascii: "\t") || (self >= 0x20 && self != 0x7F)
  }
}
