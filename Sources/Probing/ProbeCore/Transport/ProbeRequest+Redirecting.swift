extension ProbeRequest {
  /// The request that follows a redirect (RFC 9110 §15.4).
  ///
  /// 303, and 301 and 302 after a POST, change the method to GET. Credentials are dropped if the origin
  /// changes, and so is everything else that contains a secret.
  func redirected(by hop: RedirectHop, to target: ProbeURL) -> ProbeRequest {
    var next = self
    next.url = target
    if let proxyAfterRedirect { next.proxy = proxyAfterRedirect(target) }
    // Its time is a part of the first exchange.
    next.knownAddresses?.lookupTime = .zero
    let becomesGet = hop.status == 303 ? http.method != "HEAD" : hop.status <= 302 && http.method == "POST"
    if becomesGet {
      next.http.method = "GET"
      next.http.removeBody()
    }
    if !url.hasSameOrigin(as: target) {
      next.http.headers = next.http.headers.without(["Host"])
      next = next.withoutCredentials
    }
    return next
  }

  /// The request without its credentials, its client certificate, and everything else that contains a secret.
  ///
  /// The URL is unchanged.
  package var withoutCredentials: ProbeRequest {
    var request = self
    request.http.headers = http.headers.withoutSensitiveFields.without(otherSecrets)
    if let body = http.body, holdsSecret(in: body) { request.http.removeBody() }
    if holdsSecret(in: http.userAgent.utf8) { request.http.userAgent = HTTPRequestOptions().userAgent }
    request.http.credentials = nil
    request.tls.clientCertificate = nil
    return request
  }

  /// Whether the bytes contain one of ``otherSecrets`` verbatim.
  package func holdsSecret(in bytes: some Collection<UInt8>) -> Bool {
    otherSecrets.contains { $0.isContained(in: bytes) }
  }

  /// Whether a redirect would send a secret of this request to another origin in its URL, in any spelling.
  nonisolated(nonsending) func leaksSecret(to target: ProbeURL) async -> Bool {
    guard !otherSecrets.isEmpty, !url.hasSameOrigin(as: target) else { return false }
    let secrets = otherSecrets
    @Sendable func isLeak() -> Bool { Redactor(secrets).redacted(target) != target }
    guard takesLongToRedact(nil, by: secrets) else { return isLeak() }
    return await Task(executorPreference: globalConcurrentExecutor) { isLeak() }.value
  }
}

extension Secret {
  /// Whether the bytes contain the secret verbatim.
  fileprivate func isContained(in bytes: some Collection<UInt8>) -> Bool {
    withText { text in !text.isEmpty && bytes.firstRange(of: text.utf8) != nil }
  }
}

extension HTTPRequestOptions {
  /// Removes the body, and the header fields that describe it.
  fileprivate mutating func removeBody() {
    body = nil
    headers = headers.without([
      "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location",
      "Transfer-Encoding", "Expect",
    ])
  }
}

extension HeaderFields {
  fileprivate func without(_ names: [String]) -> HeaderFields {
    HeaderFields(
      filter { field in !names.contains { $0.lowercased() == field.name.lowercased() } }
        .map { (name: $0.name, value: $0.value) })
  }

  /// The fields whose values contain none of these secrets.
  fileprivate func without(_ secrets: [Secret]) -> HeaderFields {
    guard !secrets.isEmpty else { return self }
    return HeaderFields(
      filter { field in !secrets.contains { $0.isContained(in: field.value.utf8) } }
        .map { (name: $0.name, value: $0.value) })
  }

  /// The fields that do not usually carry credentials.
  fileprivate var withoutSensitiveFields: HeaderFields {
    HeaderFields(
      filter { !HeaderFields.isSensitive($0.name) }.map { (name: $0.name, value: $0.value) })
  }
}
