internal import FoundationEssentials
internal import ProbeCore
internal import SourceDocuments

/// Reading the settings of HTTP clients: credentials, proxies and TLS (`HTTPClientConfig` of
/// prometheus/common).
extension ModuleReading {
  func client(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    module.credentials = credentials(&reader)
    readProxy(&module, &reader)
    reader.section("tls_config", into: &module.tls, tls)
    reader.read("enable_http2", into: &module.allowsHTTP2, .goBoolean)
    if let node = reader.filled("http_headers") { readHeaderValues(&module, node) }
    if let node = reader.filled("oauth2") {
      var unused = HTTPModule()
      reader.section("oauth2", into: &unused, checkOAuth)
      cannot("ProbeKit has no OAuth 2", at: node.start)
    }
  }

  /// Warns that all clients of the exporter can choose the server that receives the credentials.
  func warnOfCredentials(at offset: Int) {
    warn(
      "these credentials are sent to any target that a request names",
      remedy: "restrict the targets with --allow-target, or use a pipeline with targets:", at: offset)
  }

  // MARK: Texts and files

  /// A text, or the file that contains it, which should exist.
  func text(_ text: String?, orIn file: Located<String>?) -> ModuleText? {
    check(file: file)
    return text.map { .text(Secret($0)) } ?? file.map { .file($0.value) }
  }

  /// A text in one of its forms; see ``form(of:_:)``.
  private func text(_ key: String, _ reader: inout MappingReader) -> ModuleText? {
    let read = text(reader.text(key), orIn: reader.locatedText(key + "_file"))
    _ = form(of: key, &reader)
    return read
  }

  /// The only form in which a text is given: itself, `_file` or `_ref`, a reference to a secret manager, which is
  /// unsupported.
  ///
  /// - Returns: The key with its node; nil if there is none.
  private func form(of key: String, _ reader: inout MappingReader) -> (key: String, node: SourceNode)? {
    if let reference = reader.locatedText(key + "_ref") {
      cannot("there is no secret manager for \(key)_ref", at: reference.node.start)
    }
    let forms = [key, key + "_file", key + "_ref"]
    reader.allowOne(of: forms)
    for form in forms {
      if let text = reader.locatedText(form) { return (form, text.node) }
    }
    return nil
  }

  // MARK: Credentials

  private func credentials(_ reader: inout MappingReader) -> ModuleCredentials? {
    reader.allowOne(of: ["basic_auth", "authorization", "oauth2", "bearer_token", "bearer_token_file"])
    let token = reader.locatedText("bearer_token")
    let file = reader.locatedText("bearer_token_file")
    var credentials = text(token?.value, orIn: file).map {
      ModuleCredentials.authorization(scheme: "Bearer", credentials: $0)
    }
    reader.section("authorization", into: &credentials, authorization)
    reader.section("basic_auth", into: &credentials, basic)
    let nodes = [token?.node, file?.node, reader.filled("authorization"), reader.filled("basic_auth")]
    for node in nodes.compactMap(\.self) { warnOfCredentials(at: node.start) }
    return credentials
  }

  private func basic(_ credentials: inout ModuleCredentials?, _ reader: inout MappingReader) {
    let user = text("username", &reader)
    let password = text("password", &reader)
    credentials = .basic(user: user ?? .text(Secret("")), password: password)
  }

  private func authorization(_ credentials: inout ModuleCredentials?, _ reader: inout MappingReader) {
    let type = reader.locatedText("type")
    let scheme = type.map { $0.value[...].trimmed } ?? ""
    if let type, scheme.lowercased() == "basic" {
      findings.add("the type of authorization cannot be basic", remedy: "use basic_auth", at: type.node)
    }
    let secret = text("credentials", &reader)
    credentials = .authorization(
      scheme: scheme.isEmpty ? "Bearer" : scheme, credentials: secret ?? .text(Secret("")))
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
      let texts = values.value("values", .list(of: .goText)) ?? []
      for value in texts { module.headers.append(name: entry.key, value: value) }
      let secrets = values.value("secrets", .list(of: .goText)) ?? []
      check(field: entry, texts + secrets)
      module.secretHeaders += secrets.map { .init(name: entry.key, value: .text(Secret($0))) }
      let files = values.value("files", .list(of: .located(.goText))) ?? []
      for file in files { check(file: file) }
      module.secretHeaders += files.map { .init(name: entry.key, value: .file($0.value)) }
      values.finish()
      if !secrets.isEmpty || !files.isEmpty || HeaderFields.isSensitive(entry.key) {
        warnOfCredentials(at: entry.keySpan.lowerBound)
      }
    }
  }

  // MARK: OAuth

  private func checkOAuth(_ unused: inout HTTPModule, _ reader: inout MappingReader) {
    _ = reader.required("client_id", .nonEmptyText, example: "client")
    _ = reader.required("token_url", .nonEmptyText, example: "https://login.example.com/token")
    for key in ["client_secret", "client_certificate_key"] { _ = text(key, &reader) }
    for key in ["client_certificate_key_id", "grant_type", "signature_algorithm", "iss", "audience"] {
      _ = reader.text(key)
    }
    _ = reader.value("scopes", .list(of: .goText))
    _ = reader.value("endpoint_params", .dictionary(of: .goText))
    _ = reader.entry("claims")
    reader.section("tls_config", into: &unused.tls, tls)
    readProxy(&unused, &reader)
  }
}

/// Reading `tls_config`.
extension ModuleReading {
  func tls(_ tls: inout ModuleTLS, _ reader: inout MappingReader) {
    tls.authorities = text(reader.text("ca"), orIn: reader.locatedText("ca_file"))
    let (certificateFile, keyFile) = (reader.locatedText("cert_file"), reader.locatedText("key_file"))
    for file in [certificateFile, keyFile] { check(file: file) }
    tls.clientCertificate = certificateFile.map {
      ClientCertificate(certificateFile: $0.value, keyFile: keyFile?.value)
    }
    tls.serverName = reader.text("server_name")
    let observes = reader.value("insecure_skip_verify", .located(.goBoolean))
    if let observes, observes.value {
      tls.checks.observesCertificates = true
      warn(
        "certificates are still checked: a server that fails gets no credentials, and a metric reports the error",
        at: observes.node.start)
    }
    readVersions(&tls.checks, &reader)
    _ = form(of: "ca", &reader)
    let (certificate, key) = (form(of: "cert", &reader), form(of: "key", &reader))
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
          at: part.node.start)
      } else {
        warnOfCredentials(at: part.node.start)
      }
    }
  }

  private func readVersions(_ checks: inout TLSChecks, _ reader: inout MappingReader) {
    let names = TLSVersion.named.keys.sorted()
    let lowest = reader.choice("min_version", among: names, "a TLS version")
    let highest = reader.choice("max_version", among: names, "a TLS version")
    checks.maximumVersion = highest.flatMap { TLSVersion.named[$0.value] }
    guard let minimum = lowest.flatMap({ TLSVersion.named[$0.value] }) else { return }
    checks.minimumVersion = minimum
    if let highest, let maximum = checks.maximumVersion, minimum > maximum {
      findings.add("max_version is lower than min_version", remedy: "swap them", at: highest.node)
    }
  }
}

extension TLSVersion {
  /// The versions by their names in configurations of Prometheus.
  static let named: [String: TLSVersion] = ["TLS10": .v1_0, "TLS11": .v1_1, "TLS12": .v1_2, "TLS13": .v1_3]
}

/// Reading the proxy of a module.
extension ModuleReading {
  private func readProxy(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    let url = reader.locatedText("proxy_url")
    let exceptions = reader.locatedText("no_proxy")
    let environment = reader.value("proxy_from_environment", .located(.goBoolean))
    let usesEnvironment = environment?.value ?? false
    let hasProxy = url != nil || usesEnvironment
    if let url {
      do throws(InvalidInput) { module.proxy = try ProbeProxy(goURL: url.value) } catch {
        findings.add(error, at: url.node)
      }
    }
    if let exceptions {
      module.noProxy = exceptions.value.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
      if !hasProxy {
        findings.add(
          "no_proxy needs a proxy", remedy: "add proxy_url, or remove no_proxy", at: exceptions.node)
      }
    }
    if let environment, usesEnvironment {
      reader.allowOne(of: ["proxy_from_environment", "proxy_url", "no_proxy"])
      findings.warn(
        "ProbeKit does not read proxies from the environment, and probes without one",
        remedy: "write it as proxy_url", at: environment.node.start)
    }
    readProxyHeaders(&module, &reader, hasProxy: hasProxy)
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
        let login = ProxyLogin(basic: values[0])
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

extension ProbeProxy {
  /// A proxy in the form that Go's clients accept: with credentials in its URL, and the default port of its scheme.
  ///
  /// - Throws: `InvalidInput` if it is none.
  fileprivate init(goURL text: String) throws(InvalidInput) {
    guard let colon = text.firstRange(of: "://") else {
      throw InvalidInput(
        "proxy_url has no scheme",
        remedy: "write it as http://host:port, https://host:port or socks5://host:port")
    }
    let scheme = text[..<colon.lowerBound].lowercased()
    var authority = text[colon.upperBound...].prefix { !"/?#".contains($0) }
    var login: ProxyLogin?
    if let at = authority.lastIndex(of: "@") {
      login = ProxyLogin(userInformation: authority[..<at])
      authority = authority[at...].dropFirst()
    }
    // An IPv6 address contains colons too.
    let hasPort = authority.reversed().prefix { $0 != "]" }.contains(":")
    let ports = ["http": 80, "https": 443, "socks5": 1080, "socks5h": 1080]
    let port = hasPort ? "" : ports[scheme].map { ":\($0)" } ?? ""
    // With both schemes, Go's clients leave the resolution of names to such a proxy.
    try self.init(
      "\(scheme == "socks5" ? "socks5h" : scheme)://\(authority)\(port)", user: login?.user,
      password: login?.password)
    try check()
  }
}

/// A user name and a password for a proxy.
private struct ProxyLogin {
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
