internal import FoundationEssentials
internal import ProbeCore
internal import SourceDocuments

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
  /// The proxy.
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

    /// The user information of a URL.
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
