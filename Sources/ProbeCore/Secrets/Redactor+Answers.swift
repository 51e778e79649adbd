extension ProbeRequest {
  /// Whether nothing in it is secret, which is what most requests are asked for.
  private var isWithoutSecrets: Bool {
    http.credentials == nil && proxy?.password == nil && tls.clientCertificate?.passphrase == nil
      && http.headers.isEmpty
  }

  /// What takes the secrets of this request out of what is said of its answer; nil when it has none.
  ///
  /// Secrets are its credentials, the proxy's password, the passphrase of its key, and the values of header fields that
  /// usually carry such.
  public var redactor: Redactor? {
    if isWithoutSecrets { return nil }
    var secrets = http.headers.sensitiveValues + (http.credentials?.secrets ?? [])
    if let proxy, let password = proxy.password {
      secrets += HTTPCredentials.basic(user: proxy.user ?? "", password: password).secrets
    }
    if let passphrase = tls.clientCertificate?.passphrase { secrets.append(passphrase) }
    // `Bearer TOKEN` as a header field by hand: the token alone is the secret too.
    for value in http.headers.sensitiveValues {
      value.withText { text in
        guard let space = text.firstIndex(of: " ") else { return }
        secrets.append(Secret(String(text[text.index(after: space)...])))
      }
    }
    let redactor = Redactor(secrets)
    return redactor.isEmpty ? nil : redactor
  }
}

extension Redactor {
  /// The answer without the secrets: body, head, redirects, captures and URLs.
  public func response(_ response: ProbeResponse) -> ProbeResponse {
    var shown = response
    shown.url = url(response.url)
    shown.body = bytes(response.body)
    if let head = response.head {
      shown.head?.reasonPhrase = text(head.reasonPhrase)
      shown.head?.fields = HeaderFields(
        head.fields.map { (name: text($0.name), value: text($0.value)) })
    }
    shown.redirects = response.redirects.map { hop in
      RedirectHop(
        url: url(hop.url), status: hop.status, location: hop.location.map(text), target: hop.target.map(url))
    }
    shown.captures = response.captures.mapValues(text)
    return shown
  }

  /// The failure without the secrets.
  public func failure(_ failure: ProbeFailure) -> ProbeFailure {
    ProbeFailure(failure.reason, text(failure.detail), partial: failure.partial.map(response))
  }
}
