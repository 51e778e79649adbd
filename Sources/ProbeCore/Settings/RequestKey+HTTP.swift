/// The keys for HTTP and its TLS layer.
extension RequestKey {
  /// The request method (RFC 9110 §9).
  public static let method = RequestKey("method", String.self, summary: "the request method, such as HEAD") {
    method in
    RequestSetting { request, _ in request.http.method = method }
  }

  /// Header fields to send.
  public static let headers = RequestKey(
    "headers", HeadersValue.self, summary: "header fields to send, as Name: value"
  ) { value in
    RequestSetting { request, _ in request.http.headers = value.fields }
  }

  /// The request body.
  public static let body = RequestKey("body", String.self, summary: "the content to send") { text in
    // The bytes are shared by all requests that use this setting.
    let bytes = Array(text.utf8)
    return RequestSetting { request, _ in request.http.body = bytes }
  }

  /// The User-Agent field.
  public static let userAgent = RequestKey("userAgent", String.self, summary: "the User-Agent field") {
    text in
    RequestSetting { request, _ in request.http.userAgent = text }
  }

  /// The HTTP client to use.
  public static let client = RequestKey(
    "client", String.self,
    summary: "the HTTP client: own, or curl for libcurl; automatic unless told otherwise"
  ) { name in
    let client = try HTTPClient(name)
    return RequestSetting { request, _ in request.http.client = client }
  }

  /// The credentials to send.
  public static let auth = RequestKey(
    "auth", CredentialsValue.self,
    summary: "what to show to be let in: bearer, or basic with user and password"
  ) { value in
    RequestSetting { request, context throws(InvalidInput) in
      let credentials = try value.credentials(in: context)
      try credentials.check()
      request.http.credentials = credentials
    }
  }

  /// A PEM file of certificate authorities trusted besides the machine's own.
  public static let authorities = RequestKey(
    "ca", String.self, summary: "a PEM file of authorities to trust besides the machine's own"
  ) { path in
    let path = try nonEmpty(path)
    return RequestSetting { request, context in request.tls.additionalAuthorities = context.path(path) }
  }

  /// The certificate to present to a server that requests one.
  public static let clientCertificate = RequestKey(
    "clientCertificate", ClientCertificateValue.self,
    summary: "the PEM files of a certificate to show to servers that ask for one"
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
