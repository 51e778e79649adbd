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
    "headers", NamedTexts.self,
    default: "Cache-Control: no-cache, Pragma: no-cache and Connection: close",
    summary:
      "header fields to send, as Name: value or a list of values; each replaces the default field of its name, "
      + "and an empty list omits it"
  ) { value in
    RequestSetting { request, context throws(InvalidInput) in
      request.http.headers = HeaderFields(try value.texts(in: context, adding: &request.otherSecrets))
      request.http.omittedFields = value.empty
    }
  }

  /// Parameters to add to the query of the URL.
  public static let query = RequestKey(
    "query", NamedTexts.self, default: "none",
    summary:
      "parameters to add to the query of the URL, as name: value or a list of values; they are percent-encoded"
  ) { value in
    RequestSetting { request, context throws(InvalidInput) in
      request.http.query = try value.texts(in: context, adding: &request.otherSecrets).map {
        QueryParameter(name: $0.name, value: $0.value)
      }
    }
  }

  /// The content codings to request in the Accept-Encoding field.
  public static let acceptEncoding = RequestKey(
    "acceptEncoding", OneOrMore<String>.self, default: "gzip, deflate",
    summary:
      "the content codings to request, of gzip, deflate, br and zstd; none sends no Accept-Encoding field and leaves "
      + "the body as received"
  ) { value in
    try ValueLimits.check(value.items.count, "items")
    guard value.items.contains("none") else {
      return RequestSetting { request, _ in request.http.contentCodings = value.items }
    }
    guard value.items.count == 1 else {
      throw InvalidInput("none cannot be combined with content codings", remedy: "omit one of them")
    }
    return RequestSetting { request, _ in request.http.contentCodings = [] }
  }

  /// The maximum size of the response header.
  public static let maxHead = RequestKey(
    "maxHead", ByteCount.self, default: "64KiB",
    summary: "the size limit of the response header, such as 64KiB; a larger one fails the probe"
  ) { size in
    let bytes = try check(size, in: 1024...(16 << 20))
    return RequestSetting { request, _ in request.maxHead = bytes }
  }

  /// Whether a response with an incomplete head is accepted.
  public static let lenientHead = RequestKey(
    "lenientHead", Bool.self, default: "false",
    summary:
      "whether to accept over http, as browsers do, a head that ends with the connection and, on port 80, a "
      + "response without a status line, as content with status 200 (HTTP/0.9); gzip and Content-Length are then read "
      + "as browsers read them, too"
  ) { isAccepted in
    RequestSetting { request, _ in request.http.acceptsIncompleteHeads = isAccepted }
  }

  /// Whether a redirect without a single http or https target fails the probe.
  public static let strictRedirects = RequestKey(
    "strictRedirects", Bool.self, default: "false",
    summary:
      "whether a redirect fails the probe with http.redirect if its Location is not a URL, has another scheme than "
      + "http and https, or differs between several fields"
  ) { isStrict in
    RequestSetting { request, _ in request.strictRedirects = isStrict }
  }

  /// Whether cookies that a redirect sets are sent with the requests that follow it.
  package static let cookies = RequestKey(
    "cookies", Bool.self, default: "true",
    summary:
      "whether the cookies that a redirect sets are sent with the requests that follow it; each attempt begins "
      + "without cookies, and steps always share them"
  ) { isKept in
    RequestSetting { request, _ in request.keepsCookies = isKept }
  }

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
      // With a value of an earlier step, they are checked once it is known.
      if !credentials.areIncomplete { try credentials.check() }
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
    .method, .query, .headers, .body, .userAgent, .acceptEncoding, .maxHead, .lenientHead, .strictRedirects,
    .cookies, .client, .auth, .authorities, .clientCertificate,
  ]

  private static func nonEmpty(_ path: String) throws(InvalidInput) -> String {
    guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
    return path
  }
}
