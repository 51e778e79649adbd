import ProbeCore

extension CheckCommand {
  /// How a request gets out of here and into where it goes.
  var accessOptions: [OptionSpec<CheckOptions>] {
    [
      .option(
        "--retries", value: "N", help: "how often to try again after a failure that may pass", default: "0"
      ) {
        let count = try wholeNumber($1, in: 0...100)
        $0.adjustRequests { $0.retries = count }
      },
      .option(
        "--proxy", value: "URL", help: "a proxy to go through: http://, https:// or socks5h://host:port"
      ) { $0.proxy = try ProbeProxy($1) },
      .option("--proxy-user", value: "USER:SOURCE", help: "who to log in to the proxy as; SOURCE as below") {
        $0.secrets.append(
          try NamedSecret("--proxy-user", login: $1) { request, user, password in
            request.proxy?.user = user
            request.proxy?.password = password
          })
      },
      .option(
        "--interface", value: "NAME|ADDRESS", help: "the interface or address of this machine to leave by"
      ) {
        let source = try ProbeSource($1)
        $0.adjustRequests { $0.source = source }
      },
      .option(
        "--http-version", value: "VERSION", help: "the version of HTTP to speak: 1.0, 1.1 or 2",
        default: "automatic"
      ) {
        let version = try HTTPVersion($1)
        $0.adjustRequests { $0.http.version = version }
      },
      .option(
        "--client", value: "CLIENT", help: "the HTTP client: own, or curl for libcurl", default: "automatic"
      ) {
        let client = try HTTPClient($1)
        $0.adjustRequests { $0.http.client = client }
      },
      .option("--bearer", value: "SOURCE", help: "a token to send; SOURCE is env:NAME or file:PATH") {
        $0.secrets.append(try NamedSecret("--bearer", source: $1[...]) { $0.http.credentials = .bearer($1) })
      },
      .option("--basic", value: "USER:SOURCE", help: "a user and a password to send") {
        $0.secrets.append(
          try NamedSecret("--basic", login: $1) { request, user, password in
            request.http.credentials = .basic(user: user, password: password)
          })
      },
      .option("--client-cert", value: "FILE", help: "a PEM file with a certificate to show, and its key") {
        $0.clientCertificate = $1
      },
      .option("--client-key", value: "FILE", help: "a PEM file with the key, when it is another one") {
        $0.clientKey = $1
      },
      .option("--client-passphrase", value: "SOURCE", help: "what the key is encrypted with") {
        $0.secrets.append(
          try NamedSecret("--client-passphrase", source: $1[...]) { request, passphrase in
            request.tls.clientCertificate?.passphrase = passphrase
          })
      },
    ]
  }
}
