/// The keys for HTTP and its TLS layer.
extension RequestKey {
  /// The request method (RFC 9110 §9).
  public static let method = RequestKey(
    "method", \.http.method, default: "GET", summary: "the request method, such as HEAD"
  ).option(RequestOption("--request", short: "-X", value: "METHOD"))

  /// Header fields to send.
  public static let headers = RequestKey(
    "headers", NamedTexts.self,
    default: "Cache-Control: no-cache, Pragma: no-cache and Connection: close",
    summary: "header fields to send, as Name: value or a list of values"
  ) { value in
    RequestSetting { request, context throws(InvalidInput) in
      request.http.headers = HeaderFields(try value.texts(in: context, adding: &request.otherSecrets))
      request.http.omittedFields = value.empty
    }
  }.addingOptions { (value: NamedTexts) in
    RequestSetting { request, context throws(InvalidInput) in
      for field in try value.texts(in: context, adding: &request.otherSecrets) {
        request.http.headers.append(name: field.name, value: field.value)
      }
    }
  }
  .option(
    RequestOption("--header", short: "-H", value: "'NAME: VALUE'", help: "a header field to send") {
      text throws(InvalidInput) in
      guard let field = text.divided(at: ":") else {
        throw InvalidInput("the header field has no colon", remedy: "write it as 'Name: value'")
      }
      let value = field.after.drop { $0 == " " || $0 == "\t" }
      return .mapping(String(field.before), .list([.text(String(value))]))
    }.with(\.repeats, true)
  )
  .variables(.texts).extendingDefault.secrecy(.names)
  .explained(
    "Each field replaces the default one of its name; in a file, an empty list omits it. A field with a secret is "
      + "not sent to another origin after a redirect.",
    example: "{ Accept-Language: de, Pragma: [], X-Api-Key: { env: KEY } }")

  /// Parameters to add to the query of the URL.
  public static let query = RequestKey(
    "query", NamedTexts.self, default: "none",
    summary: "parameters to add to the query of the URL, as name: value or a list of values"
  ) { value in
    RequestSetting { request, context throws(InvalidInput) in
      request.http.query = try value.texts(in: context, adding: &request.otherSecrets).map {
        QueryParameter(name: $0.name, value: $0.value)
      }
    }
  }.variables(.texts)
    .explained(
      "Names and values are percent-encoded.", example: "{ user: guest, tag: [a, b], key: { env: KEY } }")

  /// The content codings to request in the Accept-Encoding field.
  public static let acceptEncoding = RequestKey(
    "acceptEncoding", \.http.contentCodings, default: "gzip, deflate",
    summary: "the content codings to request, of gzip, deflate, br and zstd"
  ) { (value: OneOrMore<String>) in
    try ValueLimits.check(value.items.count, "items")
    guard value.items.contains("none") else { return value.items }
    guard value.items.count == 1 else {
      throw InvalidInput("none cannot be combined with content codings", remedy: "omit one of them")
    }
    return []
  }.explained(
    "With none, no Accept-Encoding field is sent, and the body remains as received.", example: "[gzip, br]")

  /// The maximum size of the response header.
  public static let maxHead = RequestKey(
    "maxHead", \.maxHead.asByteCount, in: ByteCount(1024)...ByteCount(16 << 20),
    summary: "the size limit of the response header, such as 64KiB"
  ).explained("A larger one fails the probe.")

  /// Whether a response with an incomplete head is accepted.
  public static let lenientHead = RequestKey(
    "lenientHead", \.http.acceptsIncompleteHeads, default: "false",
    summary: "whether to accept incomplete response headers over http, as browsers do"
  ).explained(
    "The header may then end with the connection and, on port 80, a response without a status line is content with "
      + "status 200 (HTTP/0.9). Content-Length and gzip are then read as browsers read them, too.")

  /// Whether a redirect without a single http or https target fails the probe.
  public static let strictRedirects = RequestKey(
    "strictRedirects", \.strictRedirects, default: "false",
    summary:
      "whether a redirect fails the probe with http.redirect if its Location is not one http or https URL"
  ).explained(
    "Such a Location is not a URL, has another scheme, or differs between several fields. If false, such a redirect "
      + "is a response like any other.")

  /// Whether cookies that a redirect sets are sent with the requests that follow it.
  package static let cookies = RequestKey(
    "cookies", \.keepsCookies, default: "true",
    summary: "whether the cookies that a redirect sets are sent with the requests that follow it"
  ).explained("Each attempt begins without cookies, and steps always share them.")

  /// The request body.
  public static let body = RequestKey(
    "body", TextOrSecret.self, default: "none", summary: "the content to send"
  ) { value in
    guard case .text(let text) = value else {
      return RequestSetting { request, context throws(InvalidInput) in
        request.http.body = Array(try value.text(in: context, adding: &request.otherSecrets).utf8)
      }
    }
    // The bytes are shared by all requests that use this setting.
    let bytes = Array(text.utf8)
    return RequestSetting { request, _ in request.http.body = bytes }
  }.variables(.text).secrecy(.content)
    .explained("With --explain, its size is shown. A redirect to another origin drops a body with a secret.")

  /// The User-Agent field.
  public static let userAgent = RequestKey(
    "userAgent", \.http.userAgent, default: "ProbeKit/ and the version", summary: "the User-Agent field"
  )
  .option(
    RequestOption(
      "--user-agent", short: "-A", value: "TEXT", in: ["check", "scan", "capture"],
      help: "the User-Agent field to send; some portals send WISPr only to certain clients")
  )
  .variables(.text)
  .option(
    RequestOption(
      "--contact", value: "URL|MAIL", in: ["scan"],
      help: "a contact to name in the User-Agent field, for the operators of the servers"
    ) { text throws(InvalidInput) in .text(try userAgent(contact: text)) }
    .with(\.exclusions, ["--user-agent"]))

  /// The User-Agent with a contact, as crawlers send it: `ProbeKit/0.3.0 (+https://example.com/probes)`.
  ///
  /// - Throws: ``InvalidInput`` if the contact is not valid in a comment of a header field (RFC 9110 §5.6.5).
  private static func userAgent(contact: String) throws(InvalidInput) -> String {
    guard !contact.isEmpty, contact.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !contact.contains(where: { "()\\".contains($0) })
    else {
      throw InvalidInput(
        "\(Excerpt(contact)) cannot be a contact",
        remedy: "give a URL or a mail address in ASCII, without spaces, parentheses and backslashes")
    }
    return "ProbeKit/\(probeKitVersion) (+\(contact))"
  }

  /// The HTTP client to use.
  public static let client = RequestKey(
    "client", \.http.client, as: .checkedWhenDecoded(.choice(HTTPClient.all.map(\.rawValue))),
    default: "automatic: own, or curl for HTTP/2 and https proxies",
    summary:
      "the HTTP client: own reads responses as browsers do; curl is libcurl, which refuses most malformed ones"
  ) { (name: String) in try HTTPClient(name) }
  .option(
    RequestOption("--client", value: "CLIENT").with(\.completion, .words(HTTPClient.all.map(\.rawValue))))

  /// The version of HTTP.
  static let httpVersion = RequestKey(
    "httpVersion", \.http.version, default: "automatic", summary: "the HTTP version: 1.0, 1.1 or 2"
  ) { (name: String) in try HTTPVersion(name) }
  .option(
    RequestOption("--http-version", value: "VERSION").with(\.completion, .words(["1.0", "1.1", "2"]))
  )
  .notInFiles

  /// The credentials to send.
  public static let auth = RequestKey(
    "auth", CredentialsValue.self, default: "none", summary: "the credentials to send"
  ) { value in
    RequestSetting { request, context throws(InvalidInput) in
      let credentials = try value.credentials(in: context)
      // With a value of an earlier step, they are checked once it is known.
      if !credentials.areIncomplete { try credentials.check() }
      request.http.credentials = credentials
    }
  }
  .option(
    RequestOption(
      "--bearer", value: "SOURCE", help: "a bearer token to send; SOURCE is env:NAME or file:PATH"
    ) { text throws(InvalidInput) in .mapping("bearer", try SecretArgument.source(text[...])) }
  )
  .option(
    RequestOption(
      "--basic", value: "USER:SOURCE", help: "user name and password for HTTP authentication"
    ) { text throws(InvalidInput) in .mapping("basic", try SecretArgument.login(text)) }
    .with(\.exclusions, ["--bearer"])
  )
  .explained(
    "Credentials are sent to the origin of the URL only, not to another one after a redirect.",
    example: "{ basic: { user: probe, password: { env: PASSWORD } } }")

  /// A PEM file of certificate authorities trusted besides the machine's own.
  public static let authorities = RequestKey(
    "ca", String.self,
    summary: "a PEM file of certificate authorities to trust in addition to those of the system"
  ) { path in
    let path = try nonEmpty(path)
    return RequestSetting { request, context in request.tls.additionalAuthorities = context.path(path) }
  }
  .option(
    RequestOption(
      "--cacert", value: "FILE", in: RequestOption.ofRuns.union(["portal", "login"]),
      help:
        "a PEM file of certificate authorities to trust in addition to the system's, in place of that of pipelines"
    ).with(\.completion, .file)
  ).local

  /// The certificate to present to a server that requests one.
  public static let clientCertificate = RequestKey(
    "clientCertificate", ClientCertificateValue.self,
    default: "none",
    summary: "the client certificate: a PEM file with the certificate and its key, or a mapping"
  ) { value in
    let certificate = try nonEmpty(value.certificate)
    return RequestSetting { request, context throws(InvalidInput) in
      request.tls.clientCertificate = ClientCertificate(
        certificateFile: context.path(certificate), keyFile: value.key.map(context.path),
        passphrase: try value.passphrase.map { source throws(InvalidInput) in try context.secret(source) })
    }
  }
  .option(
    RequestOption(
      "--client-cert", value: "FILE", help: "a PEM file with the client certificate and its key"
    ) { path in .mapping("certificate", .text(path)) }.with(\.completion, .file)
  )
  .option(
    RequestOption(
      "--client-key", value: "FILE", help: "a PEM file with the key, if it is in another file"
    ) { path in .mapping("key", .text(path)) }
    .with(\.completion, .file).with(\.requirement, "--client-cert")
  )
  .option(
    RequestOption(
      "--client-passphrase", value: "SOURCE", help: "the passphrase of the key; for SOURCE see --bearer"
    ) {
      text throws(InvalidInput) in .mapping("passphrase", try SecretArgument.source(text[...]))
    }.with(\.requirement, "--client-cert")
  ).local
  .explained(
    "The certificate is presented to the origin of the URL only, not to another one after a redirect. If the files "
      + "change, later connections use the new contents.",
    example: "{ certificate: client.pem, passphrase: { env: PASSPHRASE } }")

  /// The keys of HTTP and HTTPS.
  public static let http: [RequestKey] = [
    .method, .query, .headers, .body, .userAgent, .acceptEncoding, .maxHead, .lenientHead, .strictRedirects,
    .cookies, .client, .httpVersion, .auth, .authorities, .clientCertificate,
  ]

  private static func nonEmpty(_ path: String) throws(InvalidInput) -> String {
    guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
    return path
  }
}
