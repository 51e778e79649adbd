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
