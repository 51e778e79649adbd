import ProbeCore

extension CheckCommand {
  /// How requests leave this machine and authenticate.
  var accessOptions: [OptionSpec<CheckOptions>] {
    [
      .option(
        "--retries", value: "N", help: "how often to try again after a failure that may pass", default: "0"
      ) {
        let count = try wholeNumber($1, in: 0...100)
        $0.probing.override("--retries") { request, _ in request.retries = count }
      },
      .option(
        "--proxy", value: "URL", help: "a proxy to go through: http://, https:// or socks5h://host:port"
      ) {
        let proxy = try ProbeProxy($1)
        $0.probing.override("--proxy") { request, _ in request.proxy = proxy }
      },
      .option("--proxy-user", value: "USER:SOURCE", help: "who to log in to the proxy as; SOURCE as below") {
        let login = try SecretArgument.login($1)
        $0.probing.override("--proxy-user", late: true) { request, context throws(InvalidInput) in
          request.proxy?.user = login.user
          request.proxy?.password = try context.secret(login.source)
        }
      },
      .option(
        "--interface", value: "NAME|ADDRESS", help: "the interface or address of this machine to leave by"
      ) {
        let source = try ProbeSource($1)
        $0.probing.override("--interface") { request, _ in request.source = source }
      },
      .option(
        "--http-version", value: "VERSION", help: "the version of HTTP to speak: 1.0, 1.1 or 2",
        default: "automatic"
      ) {
        let version = try HTTPVersion($1)
        $0.probing.override("--http-version") { request, _ in request.http.version = version }
      },
      .option(
        "--client", value: "CLIENT", help: "the HTTP client: own, or curl for libcurl", default: "automatic"
      ) {
        let client = try HTTPClient($1)
        $0.probing.override("--client") { request, _ in request.http.client = client }
      },
      .option("--bearer", value: "SOURCE", help: "a token to send; SOURCE is env:NAME or file:PATH") {
        let source = try SecretArgument.source($1[...])
        $0.probing.override("--bearer", late: true) { request, context throws(InvalidInput) in
          request.http.credentials = .bearer(try context.secret(source))
        }
      },
      .option("--basic", value: "USER:SOURCE", help: "a user and a password to send") {
        let login = try SecretArgument.login($1)
        $0.probing.override("--basic", late: true) { request, context throws(InvalidInput) in
          request.http.credentials = .basic(user: login.user, password: try context.secret(login.source))
        }
      },
      .option("--client-cert", value: "FILE", help: "a PEM file with a certificate to show, and its key") {
        options, path in
        options.probing.override("--client-cert") { request, _ in
          request.tls.clientCertificate = ClientCertificate(certificateFile: path)
        }
      },
      .option("--client-key", value: "FILE", help: "a PEM file with the key, when it is another one") {
        options, path in
        options.probing.override("--client-key", late: true) { request, _ in
          request.tls.clientCertificate?.keyFile = path
        }
      },
      .option("--client-passphrase", value: "SOURCE", help: "what the key is encrypted with") {
        let source = try SecretArgument.source($1[...])
        $0.probing.override("--client-passphrase", late: true) { request, context throws(InvalidInput) in
          request.tls.clientCertificate?.passphrase = try context.secret(source)
        }
      },
    ]
  }
}

/// A secret given on the command line by its source, never by its value.
private enum SecretArgument {
  /// A source, `env:NAME` or `file:PATH`.
  ///
  /// - Throws: ``InvalidInput`` for anything else; it is never quoted, because it may be the secret itself.
  static func source(_ text: Substring) throws(InvalidInput) -> SecretSource {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch parts.first {
    case "env" where parts.count == 2 && !parts[1].isEmpty: return .environment(parts[1])
    case "file" where parts.count == 2 && !parts[1].isEmpty: return .file(parts[1])
    default:
      throw InvalidInput(
        "a secret cannot stand on the command line, where others can read it",
        remedy: "name a variable or a file that holds it, as env:NAME or file:PATH")
    }
  }

  /// A user name and the source of the password, `USER:env:NAME` or `USER:file:PATH`.
  ///
  /// - Throws: ``InvalidInput`` for anything else.
  static func login(_ text: String) throws(InvalidInput) -> (user: String, source: SecretSource) {
    guard let colon = text.firstIndex(of: ":") else {
      throw InvalidInput(
        "there is no password", remedy: "name where it comes from, as USER:env:NAME or USER:file:PATH")
    }
    return (String(text[..<colon]), try source(text[text.index(after: colon)...]))
  }
}
