internal import FoundationEssentials
internal import ProbeCore
internal import SourceDocuments

/// Reading the settings of HTTP clients: credentials, proxies and TLS (`HTTPClientConfig` of
/// prometheus/common).
extension ModuleReading {
  func readClient(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    module.credentials = credentials(&reader)
    readProxy(&module, &reader)
    if let node = reader.filled("tls_config") { module.tls = tls(node) ?? ModuleTLS() }
    module.allowsHTTP2 = reader.value("enable_http2", .goBoolean) ?? true
    if let node = reader.filled("http_headers") { readHeaderValues(&module, node) }
    if let node = reader.filled("oauth2") {
      checkOAuth(node)
      cannot("ProbeKit has no OAuth 2", at: node.span.lowerBound)
    }
  }

  /// Warns that all clients of the exporter can choose the server that receives the credentials.
  func warnOfCredentials(at offset: Int) {
    warn(
      "these credentials are sent to any target that a request names",
      remedy: "restrict the targets with --allow-target, or use a pipeline with targets:", at: offset)
  }

  // MARK: Credentials

  private func credentials(_ reader: inout MappingReader) -> ModuleCredentials? {
    reader.allowOne(of: ["basic_auth", "authorization", "oauth2", "bearer_token", "bearer_token_file"])
    var credentials: ModuleCredentials?
    for key in ["bearer_token", "bearer_token_file", "authorization", "basic_auth"] {
      guard let node = reader.filled(key) else { continue }
      switch key {
      case "basic_auth": credentials = basic(node)
      case "authorization": credentials = authorization(node)
      default:
        guard let text = reader.text(key) else { continue }
        let isFile = key == "bearer_token_file"
        if isFile { check(file: text, at: node) }
        credentials = .authorization(
          scheme: "Bearer", credentials: isFile ? .file(text) : .text(Secret(text)))
      }
      warnOfCredentials(at: node.span.lowerBound)
    }
    return credentials
  }

  private func basic(_ node: SourceNode) -> ModuleCredentials? {
    guard var reader = MappingReader(node, "basic_auth", findings) else { return nil }
    let user = text("username", &reader)
    let password = text("password", &reader)
    reader.finish()
    return .basic(user: user ?? .text(Secret("")), password: password)
  }

  private func authorization(_ node: SourceNode) -> ModuleCredentials? {
    guard var reader = MappingReader(node, "authorization", findings) else { return nil }
    let scheme = reader.text("type").map { $0[...].trimmed } ?? ""
    if scheme.lowercased() == "basic", let node = reader.filled("type") {
      findings.add("the type of authorization cannot be basic", remedy: "use basic_auth", at: node)
    }
    let credentials = text("credentials", &reader)
    reader.finish()
    return .authorization(
      scheme: scheme.isEmpty ? "Bearer" : scheme, credentials: credentials ?? .text(Secret("")))
  }

  /// A text, or the file that contains it; a reference to a secret manager is unsupported.
  private func text(_ key: String, _ reader: inout MappingReader) -> ModuleText? {
    let text = reader.text(key)
    let file = reader.text(key + "_file")
    check(file: file, at: reader.filled(key + "_file"))
    refuseReference(key, &reader)
    reader.allowOne(of: [key, key + "_file", key + "_ref"])
    return text.map { .text(Secret($0)) } ?? file.map { .file($0) }
  }

  func refuseReference(_ key: String, _ reader: inout MappingReader) {
    guard reader.text(key + "_ref") != nil, let node = reader.filled(key + "_ref") else { return }
    cannot("there is no secret manager for \(key)_ref", at: node.span.lowerBound)
  }

  // MARK: Headers

  /// The header fields that cannot be set in `http_headers`.
  private static let reserved: Set<String> = [
    "authorization", "host", "content-encoding", "content-length", "content-type", "user-agent", "connection",
    "keep-alive", "proxy-authenticate", "proxy-authorization", "www-authenticate", "accept-encoding",
    "x-prometheus-remote-write-version", "x-prometheus-remote-read-version",
    "x-prometheus-scrape-timeout-seconds", "x-amz-date", "x-amz-security-token", "x-amz-content-sha256",
  ]

  private func readHeaderValues(_ module: inout HTTPModule, _ node: SourceNode) {
    let reader = MappingReader(node, "http_headers", findings)
    for entry in reader?.entries ?? [] where entry.value.scalar?.isNull != true {
      if Self.reserved.contains(entry.key.lowercased()) {
        findings.add(
          "http_headers cannot set \(entry.fieldName)", remedy: "use headers, or the setting for it",
          at: entry.keySpan.lowerBound)
      }
      guard var values = MappingReader(entry.value, entry.fieldName, findings) else { continue }
      for value in values.value("values", .list(of: .goText)) ?? [] {
        module.headers.append(name: entry.key, value: value)
      }
      let secrets = values.value("secrets", .list(of: .goText)) ?? []
      module.secretHeaders += secrets.map { .init(name: entry.key, value: .text(Secret($0))) }
      let files = values.value("files", .list(of: .located(.goText))) ?? []
      for file in files {
        check(file: file.value, at: file.node)
        module.secretHeaders.append(.init(name: entry.key, value: .file(file.value)))
      }
      values.finish()
      if !secrets.isEmpty || !files.isEmpty || HeaderFields.isSensitive(entry.key) {
        warnOfCredentials(at: entry.keySpan.lowerBound)
      }
    }
  }

  // MARK: OAuth

  private func checkOAuth(_ node: SourceNode) {
    guard var reader = MappingReader(node, "oauth2", findings) else { return }
    _ = reader.required("client_id", .nonEmptyText, example: "client")
    _ = reader.required("token_url", .nonEmptyText, example: "https://login.example.com/token")
    for key in ["client_secret", "client_certificate_key"] { _ = text(key, &reader) }
    for key in ["client_certificate_key_id", "grant_type", "signature_algorithm", "iss", "audience"] {
      _ = reader.text(key)
    }
    _ = reader.value("scopes", .list(of: .goText))
    _ = reader.value("endpoint_params", .dictionary(of: .goText))
    _ = reader.entry("claims")
    if let tlsNode = reader.filled("tls_config") { _ = tls(tlsNode) }
    var unused = HTTPModule()
    readProxy(&unused, &reader)
    reader.finish()
  }
}

/// Reading `tls_config`.
extension ModuleReading {
  func tls(_ node: SourceNode) -> ModuleTLS? {
    guard var reader = MappingReader(node, "tls_config", findings) else { return nil }
    var tls = ModuleTLS()
    tls.authorities = reader.text("ca").map { Array($0.utf8) }
    tls.authorityFile = reader.text("ca_file")
    tls.certificateFile = reader.text("cert_file")
    tls.keyFile = reader.text("key_file")
    tls.serverName = reader.text("server_name")
    tls.observes = reader.value("insecure_skip_verify", .goBoolean) ?? false
    tls.minimumVersion = version("min_version", &reader)
    tls.maximumVersion = version("max_version", &reader)
    for key in ["ca_file", "cert_file", "key_file"] { check(file: reader.text(key), at: reader.filled(key)) }
    for key in ["ca", "cert", "key"] {
      refuseReference(key, &reader)
      reader.allowOne(of: [key, key + "_file", key + "_ref"])
    }
    readClientCertificate(&reader)
    if let low = tls.minimumVersion, let high = tls.maximumVersion, low > high,
      let node = reader.filled("max_version")
    {
      findings.add("max_version is lower than min_version", remedy: "swap them", at: node)
    }
    if tls.observes, let node = reader.filled("insecure_skip_verify") {
      warn(
        "certificates are still checked: a server that fails gets no credentials, and a metric reports the error",
        at: node.span.lowerBound)
    }
    reader.finish()
    return tls
  }

  private func readClientCertificate(_ reader: inout MappingReader) {
    func given(_ name: String) -> (key: String, node: SourceNode)? {
      for key in [name, name + "_file", name + "_ref"] where reader.text(key) != nil {
        if let node = reader.filled(key) { return (key, node) }
      }
      return nil
    }
    let (certificate, key) = (given("cert"), given("key"))
    if let certificate, key == nil {
      findings.add("\(certificate.key) needs a key", remedy: "add key_file", at: certificate.node)
    }
    if let key, certificate == nil {
      findings.add("\(key.key) needs a certificate", remedy: "add cert_file", at: key.node)
    }
    for part in [certificate, key].compactMap(\.self) {
      if part.key == "cert" || part.key == "key" {
        cannot(
          "ProbeKit reads the client's certificate and its key from files only, not from \(part.key)",
          at: part.node.span.lowerBound)
      } else {
        warnOfCredentials(at: part.node.span.lowerBound)
      }
    }
  }

  private func version(_ key: String, _ reader: inout MappingReader) -> TLSVersion? {
    let versions: [String: TLSVersion] = ["TLS10": .v1_0, "TLS11": .v1_1, "TLS12": .v1_2, "TLS13": .v1_3]
    guard let name = reader.text(key), let node = reader.filled(key) else { return nil }
    guard let version = versions[name] else {
      findings.add(
        "\(Excerpt(name)) is not a TLS version", remedy: "use \(versions.keys.sorted().alternatives)",
        at: node)
      return nil
    }
    return version
  }
}

/// Reading the proxy of a module.
extension ModuleReading {
  func readProxy(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    let url = reader.text("proxy_url")
    let exceptions = reader.text("no_proxy")
    let usesEnvironment = reader.value("proxy_from_environment", .goBoolean) ?? false
    if let url, let node = reader.filled("proxy_url") {
      do throws(InvalidInput) { module.proxy = try ModuleProxy(url).proxy } catch {
        findings.add(error, at: node)
      }
    }
    if let exceptions, let node = reader.filled("no_proxy") {
      module.noProxy = exceptions.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
      if url == nil, !usesEnvironment {
        findings.add("no_proxy needs a proxy", remedy: "add proxy_url, or remove no_proxy", at: node)
      }
    }
    if usesEnvironment, let node = reader.filled("proxy_from_environment") {
      reader.allowOne(of: ["proxy_from_environment", "proxy_url", "no_proxy"])
      findings.warn(
        "ProbeKit does not read proxies from the environment, and probes without one",
        remedy: "write it as proxy_url", at: node.span.lowerBound)
    }
    readProxyHeaders(&module, &reader, hasProxy: url != nil || usesEnvironment)
  }

  /// Reads the header fields for the proxy; only its credentials are supported.
  private func readProxyHeaders(_ module: inout HTTPModule, _ reader: inout MappingReader, hasProxy: Bool) {
    guard let headers = reader.value("proxy_connect_header", .dictionary(of: .list(of: .goText))),
      !headers.isEmpty, let node = reader.filled("proxy_connect_header")
    else { return }
    if !hasProxy {
      findings.add(
        "proxy_connect_header needs a proxy", remedy: "add proxy_url, or remove proxy_connect_header",
        at: node)
    }
    for (entry, values) in headers where !values.isEmpty {
      if entry.key.lowercased() == "proxy-authorization", values.count == 1,
        let login = ModuleProxy.Login(basic: values[0])
      {
        module.proxy?.user = login.user
        module.proxy?.password = login.password
      } else {
        cannot(
          "of proxy_connect_header, ProbeKit sends only Proxy-Authorization with Basic",
          at: entry.keySpan.lowerBound)
      }
    }
  }
}

/// A proxy in the form that Go's clients accept: with credentials in its URL, and the default port of its
/// scheme.
private struct ModuleProxy {
  let proxy: ProbeProxy

  init(_ text: String) throws(InvalidInput) {
    guard let colon = text.firstRange(of: "://") else {
      throw InvalidInput(
        "proxy_url has no scheme",
        remedy: "write it as http://host:port, https://host:port or socks5://host:port")
    }
    let scheme = text[..<colon.lowerBound].lowercased()
    var authority = text[colon.upperBound...].prefix { !"/?#".contains($0) }
    var login: Login?
    if let at = authority.lastIndex(of: "@") {
      login = Login(userInformation: authority[..<at])
      authority = authority[at...].dropFirst()
    }
    // An IPv6 address contains colons too.
    let hasPort = authority.reversed().prefix { $0 != "]" }.contains(":")
    let ports = ["http": 80, "https": 443, "socks5": 1080, "socks5h": 1080]
    let port = hasPort ? "" : ports[scheme].map { ":\($0)" } ?? ""
    // With both schemes, Go's clients leave the resolution of names to such a proxy.
    proxy = try ProbeProxy(
      "\(scheme == "socks5" ? "socks5h" : scheme)://\(authority)\(port)", user: login?.user,
      password: login?.password)
    try proxy.check()
  }

  /// A user name and a password for a proxy.
  struct Login {
    let user: String
    let password: Secret?

    init?(userInformation text: Substring) {
      let parts = text.divided(at: ":")
      user = Self.decoded(parts?.before ?? text)
      password = parts.map { Secret(Self.decoded($0.after)) }
    }

    /// The text with its percent-encoded bytes decoded (RFC 3986 §2.1), if the result is UTF-8.
    private static func decoded(_ text: Substring) -> String {
      String(validating: text.utf8.percentDecoded(), as: UTF8.self) ?? String(text)
    }

    /// The value of a header field with the scheme Basic (RFC 7617).
    ///
    /// The placeholder of a secret is accepted too, so that the text of a configuration can be parsed.
    init?(basic value: String) {
      let words = value.split(separator: " ")
      guard words.last.map(String.init) != ConfigurationText.placeholder else {
        (user, password) = (ConfigurationText.placeholder, Secret(ConfigurationText.placeholder))
        return
      }
      guard words.count == 2, words[0].lowercased() == "basic",
        let data = Data(base64Encoded: String(words[1])),
        let text = String(validating: data, as: UTF8.self), let parts = text.divided(at: ":")
      else { return nil }
      user = String(parts.before)
      password = Secret(String(parts.after))
    }
  }
}
