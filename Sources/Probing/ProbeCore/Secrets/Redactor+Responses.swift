internal import FoundationEssentials

extension ProbeRequest {
  /// Whether the request contains no secret; true for most requests.
  private var isWithoutSecrets: Bool {
    http.credentials == nil && proxy?.password == nil && tls.clientCertificate?.passphrase == nil
      && http.headers.isEmpty && otherSecrets.isEmpty
  }

  /// The secrets of the request: its credentials, the proxy's password, the passphrase of its key, the values
  /// of sensitive header fields, and ``otherSecrets``.
  package var secrets: [Secret] {
    if isWithoutSecrets { return [] }
    var secrets = otherSecrets + http.headers.sensitiveValues + secretsOfCredentials
    for field in http.headers where HeaderFields.isSensitive(field.name) {
      secrets +=
        field.name.lowercased() == "cookie" ? Self.cookies(field.value) : Self.credentials(field.value)
    }
    if let value = http.credentials?.fieldValue { secrets += value.withText(Self.credentials) }
    return secrets
  }

  /// The secrets of the credentials, of the proxy and of the client certificate.
  var secretsOfCredentials: [Secret] {
    let proxy = proxy.flatMap { proxy in
      proxy.password.map { HTTPCredentials.basic(user: proxy.user ?? "", password: $0).secrets }
    }
    return (http.credentials?.secrets ?? []) + (proxy ?? [])
      + [tls.clientCertificate?.passphrase].compactMap(\.self)
  }

  /// The secret parts of a field value: the token of `Bearer TOKEN`, the password in `Basic BASE64`.
  private static func credentials(_ value: String) -> [Secret] {
    guard let parts = value.divided(at: " ") else { return [] }
    let rest = String(parts.after)
    guard parts.before.lowercased() == "basic", let bytes = Data(base64Encoded: rest) else {
      return [Secret(rest)]
    }
    let login = String(decoding: bytes, as: UTF8.self)
    return [rest, login, String(login.divided(at: ":")?.after ?? "")].map { Secret($0) }
  }

  /// The values of cookies, except short ones, which could be ordinary words.
  private static func cookies(_ value: String) -> [Secret] {
    value.parts(between: ";").compactMap { pair in
      let text = pair.divided(at: "=")?.after ?? ""
      return text.utf8.count >= 8 ? Secret(String(text)) : nil
    }
  }

  /// A redactor for the secrets of this request, for use on its response; nil if the request has none.
  ///
  /// The secrets are its credentials, the proxy's password, the passphrase of its key, the values of header
  /// fields that usually carry credentials (``HeaderFields/isSensitive(_:)``), and ``otherSecrets``.
  public var redactor: Redactor? { Redactor(ofAll: [self]) }
}

extension Redactor {
  /// The URL without the secrets; if its host contains one, only the scheme remains.
  public func redacted(_ url: ProbeURL) -> ProbeURL {
    guard let bytes = redacted(Array(url.string.utf8), mark: Array("redacted".utf8)) else { return url }
    let shown = try? ProbeURL(String(decoding: bytes, as: UTF8.self))
    if let shown, shown.scheme == url.scheme { return shown }
    return ProbeURL(
      scheme: url.scheme, host: "redacted.invalid", explicitPort: nil, path: "", query: nil, fragment: nil)
  }

  /// A redactor for the secrets of all these requests; nil if they have none.
  package init?(ofAll requests: some Sequence<ProbeRequest>) {
    let secrets = requests.reduce(into: Set<Secret>()) { $0.formUnion($1.secrets) }
    guard !secrets.isEmpty else { return nil }
    self.init(secrets)
    if isEmpty { return nil }
  }

  /// The response without the secrets: body, head, redirects, captures and URLs.
  public func redacted(_ response: ProbeResponse) -> ProbeResponse {
    var shown = response
    shown.url = redacted(response.url)
    shown.body = redacted(response.body)
    if let head = response.head {
      shown.head?.reasonPhrase = redacted(head.reasonPhrase)
      shown.head?.fields = HeaderFields(
        head.fields.map { (name: redacted($0.name), value: redacted($0.value)) })
    }
    shown.redirects = response.redirects.map { hop in
      var shown = hop
      shown.url = redacted(hop.url)
      shown.location = hop.location.map(redacted)
      shown.target = hop.target.map(redacted)
      return shown
    }
    // A monitoring plugin chooses the names of its values.
    shown.captures = Dictionary(response.captures.map { (redacted($0), redacted($1)) }) { first, _ in first }
    for index in response.performance.indices {
      shown.performance[index].label = redacted(response.performance[index].label)
      shown.performance[index].unit = redacted(response.performance[index].unit)
    }
    shown.tls = response.tls.map(redacted)
    shown.redirectSessions = response.redirectSessions.map {
      RedirectSession(url: redacted($0.url), tls: redacted($0.tls))
    }
    return shown
  }

  /// A session without the secrets in its certificates.
  ///
  /// An interceptor can create a certificate during the handshake, with text from the request in it.
  package func redacted(_ session: TLSFacts) -> TLSFacts {
    var shown = session
    for (index, facts) in session.chain.enumerated() {
      shown.chain[index].subject = redacted(facts.subject)
      shown.chain[index].issuer = redacted(facts.issuer)
      shown.chain[index].issuerNames = facts.issuerNames.map(redacted)
      shown.chain[index].alternativeNames = facts.alternativeNames.map(redacted)
      shown.chain[index].serialNumber = redacted(facts.serialNumber)
    }
    return shown
  }

  /// The failure without the secrets.
  public func redacted(_ failure: ProbeFailure) -> ProbeFailure {
    ProbeFailure(failure.reason, redacted(failure.detail), partial: failure.partial.map(redacted))
  }
}

/// Redacts secrets without blocking the threads that connections share.
extension ProbeRequest {
  /// The maximum number of bytes of text to search, and of secrets to prepare, on the thread that receives a
  /// response.
  ///
  /// That takes about a millisecond. Longer work must not run on the thread of a transport's event loop.
  private static let maximumBytesAtOnce = 16 * 1024

  /// Whether redacting a response takes so long that it must run on another thread.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - secrets: The secrets for which a redactor has yet to be made.
  /// - Returns: Whether it must run on another thread.
  package func takesLongToRedact(_ response: ProbeResponse?, by secrets: [Secret]) -> Bool {
    // The forms (Base64 at three alignments, UTF-16, hexadecimal) are about eighteen times the secret's size.
    let forms = secrets.reduce(0) { $0 + 18 * $1.withText(\.utf8.count) }
    return forms + (response?.body.count ?? 0) + (response?.head?.fields.byteCount ?? 0)
      > Self.maximumBytesAtOnce
  }

  /// The failure without the secrets.
  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  nonisolated(nonsending) func redacted(_ failure: ProbeFailure) async -> ProbeFailure {
    let secrets = secrets
    guard !secrets.isEmpty, takesLongToRedact(failure.partial, by: secrets) else {
      return redactor?.redacted(failure) ?? failure
    }
    return await Task(executorPreference: globalConcurrentExecutor) { redactor?.redacted(failure) ?? failure }
      .value
  }
}
