import ProbeCore
import CommandKit

extension CheckCommand {
  /// The options for routing and authenticating requests.
  var accessOptions: [OptionSpec<CheckOptions>] {
    [
      .option(
        "--retries", value: "N", help: "the number of retries after a temporary failure", default: "0"
      ) {
        let count = try wholeNumber($1, in: 0...100)
        $0.probing.override("--retries") { request, _ in request.retries = count }
      },
      .option(
        "--proxy", short: "-x", value: "[PROTOCOL://]HOST:PORT",
        help: "the proxy to use: http://, which may be left out, https://, socks5h:// or socks5://"
      ) {
        let proxy = try ProbeProxy($1.contains("://") ? $1 : "http://" + $1)
        $0.probing.override("--proxy") { request, _ in request.proxy = proxy }
      },
      .option(
        "--proxy-user", value: "USER:SOURCE",
        help: "user name and password for the proxy; for SOURCE see --bearer"
      ) {
        let login = try SecretArgument.login($1)
        $0.probing.override("--proxy-user", late: true) { request, context throws(InvalidInput) in
          request.proxy?.user = login.user
          request.proxy?.password = try context.secret(login.source)
        }
      },
      .source(\.probing),
      .option(
        "--http-version", value: "VERSION", takes: .oneOf(["1.0", "1.1", "2"]),
        help: "the HTTP version: 1.0, 1.1 or 2",
        default: "automatic"
      ) {
        let version = try HTTPVersion($1)
        $0.probing.override("--http-version") { request, _ in request.http.version = version }
      },
      .option(
        "--client", value: "CLIENT", takes: .oneOf(HTTPClient.all.map(\.rawValue)),
        help: "the HTTP client: own, or curl for libcurl", default: "automatic"
      ) {
        let client = try HTTPClient($1)
        $0.probing.override("--client") { request, _ in request.http.client = client }
      },
      .option("--bearer", value: "SOURCE", help: "a bearer token to send; SOURCE is env:NAME or file:PATH") {
        let source = try SecretArgument.source($1[...])
        $0.probing.override("--bearer", late: true) { request, context throws(InvalidInput) in
          request.http.credentials = .bearer(try context.secret(source))
        }
      },
      .option("--basic", value: "USER:SOURCE", help: "user name and password for HTTP authentication") {
        let login = try SecretArgument.login($1)
        $0.probing.override("--basic", late: true) { request, context throws(InvalidInput) in
          request.http.credentials = .basic(user: login.user, password: try context.secret(login.source))
        }
      },
      .option(
        "--client-cert", value: "FILE", takes: .file,
        help: "a PEM file with the client certificate and its key"
      ) {
        options, path in
        options.probing.override("--client-cert") { request, _ in
          request.tls.clientCertificate = ClientCertificate(certificateFile: path)
        }
      },
      .option(
        "--client-key", value: "FILE", takes: .file,
        help: "a PEM file with the key, if it is in another file"
      ) {
        options, path in
        options.probing.override("--client-key", late: true) { request, _ in
          request.tls.clientCertificate?.keyFile = path
        }
      },
      .option("--client-passphrase", value: "SOURCE", help: "the passphrase of the key") {
        let source = try SecretArgument.source($1[...])
        $0.probing.override("--client-passphrase", late: true) { request, context throws(InvalidInput) in
          request.tls.clientCertificate?.passphrase = try context.secret(source)
        }
      },
    ]
  }
}

extension ProbingOptions {
  /// The errors in combinations of request options.
  var accessMistakes: [InvalidInput] {
    var mistakes = Self.familyMistakes(given)
    if given.isSuperset(of: ["--bearer", "--basic"]) {
      mistakes.append(
        InvalidInput("--bearer and --basic cannot be combined", remedy: "omit one of them"))
    }
    if given.contains("--proxy-user"), !given.contains("--proxy") {
      mistakes.append(
        InvalidInput("--proxy-user is for a proxy", remedy: "add --proxy, or omit the option"))
    }
    if !given.contains("--client-cert") {
      mistakes += ["--client-key", "--client-passphrase"].filter(given.contains).map {
        InvalidInput(
          "\($0) is for a client certificate", remedy: "add --client-cert, or omit the option")
      }
    }
    return mistakes
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
        "secrets are not allowed on the command line, where other users can read them",
        remedy: "name a variable or a file that contains it, as env:NAME or file:PATH")
    }
  }

  /// A user name and the source of the password, `USER:env:NAME` or `USER:file:PATH`.
  ///
  /// - Throws: ``InvalidInput`` for anything else.
  static func login(_ text: String) throws(InvalidInput) -> (user: String, source: SecretSource) {
    guard let parts = text.divided(at: ":") else {
      throw InvalidInput(
        "the password is missing", remedy: "name its source, as USER:env:NAME or USER:file:PATH")
    }
    return (String(parts.before), try source(parts.after))
  }
}
