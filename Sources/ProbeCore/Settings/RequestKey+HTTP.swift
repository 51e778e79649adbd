/// The keys for HTTP and its TLS layer.
extension RequestKey {
  /// The request method (RFC 9110 §9).
  public static let method = RequestKey(
    "method", String.self, default: "GET", summary: "the request method, such as HEAD"
  ) { method in
    RequestSetting { request, _ in request.http.method = method }
  }

  /// Header fields to send.
  public static let headers = RequestKey(
    "headers", HeadersValue.self,
    default: "Cache-Control: no-cache, Pragma: no-cache and Connection: close",
    summary:
      "header fields to send, as Name: value or a list of values; each replaces the default field of its name"
  ) { value in
    RequestSetting { request, _ in request.http.headers = value.fields }
  }

  /// The request body.
  public static let body = RequestKey("body", String.self, default: "none", summary: "the content to send") {
    text in
    // The bytes are shared by all requests that use this setting.
    let bytes = Array(text.utf8)
    return RequestSetting { request, _ in request.http.body = bytes }
  }

  /// The User-Agent field.
  public static let userAgent = RequestKey(
    "userAgent", String.self, default: "ProbeKit/ and the version", summary: "the User-Agent field"
  ) { text in
    RequestSetting { request, _ in request.http.userAgent = text }
  }

  /// The HTTP client to use.
  public static let client = RequestKey(
    "client", String.self, as: .checkedWhenDecoded(.choice(HTTPClient.all.map(\.rawValue))),
    default: "own; curl for HTTP/2 and https proxies",
    summary:
      "the HTTP client: own reads responses as browsers do; curl is libcurl, which refuses most malformed ones"
  ) { name in
    let client = try HTTPClient(name)
    return RequestSetting { request, _ in request.http.client = client }
  }

  /// The credentials to send.
  public static let auth = RequestKey(
    "auth", CredentialsValue.self, default: "none", summary: "the credentials to send"
  ) { value in
    RequestSetting { request, context throws(InvalidInput) in
      let credentials = try value.credentials(in: context)
      try credentials.check()
      request.http.credentials = credentials
    }
  }

  /// A PEM file of certificate authorities trusted besides the machine's own.
  public static let authorities = RequestKey(
    "ca", String.self,
    summary: "a PEM file of certificate authorities to trust in addition to those of the system"
  ) { path in
    let path = try nonEmpty(path)
    return RequestSetting { request, context in request.tls.additionalAuthorities = context.path(path) }
  }

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

  /// The keys of HTTP and HTTPS.
  public static let http: [RequestKey] = [
    .method, .headers, .body, .userAgent, .client, .auth, .authorities, .clientCertificate,
  ]

  private static func nonEmpty(_ path: String) throws(InvalidInput) -> String {
    guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
    return path
  }
}
