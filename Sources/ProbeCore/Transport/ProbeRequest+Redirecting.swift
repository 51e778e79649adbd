extension ProbeRequest {
  /// The request that follows a redirect (RFC 9110 §15.4).
  ///
  /// 303, and 301 and 302 after a POST, change the method to GET. Credentials are dropped if the origin
  /// changes.
  func redirected(by hop: RedirectHop, to target: ProbeURL) -> ProbeRequest {
    var next = self
    next.url = target
    let becomesGet = hop.status == 303 ? http.method != "HEAD" : hop.status <= 302 && http.method == "POST"
    if becomesGet {
      next.http.method = "GET"
      next.http.body = nil
      next.http.headers = next.http.headers.without([
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location",
        "Transfer-Encoding", "Expect",
      ])
    }
    if (target.scheme, target.host, target.port) != (url.scheme, url.host, url.port) {
      next.http.headers = next.http.headers.without(["Host"]).withoutSensitiveFields
      next.http.credentials = nil
      next.tls.clientCertificate = nil
    }
    return next
  }
}

extension HeaderFields {
  fileprivate func without(_ names: [String]) -> HeaderFields {
    HeaderFields(
      filter { field in !names.contains { $0.lowercased() == field.name.lowercased() } }
        .map { (name: $0.name, value: $0.value) })
  }

  /// The fields that do not usually carry credentials.
  fileprivate var withoutSensitiveFields: HeaderFields {
    HeaderFields(
      filter { !HeaderFields.isSensitive($0.name) }.map { (name: $0.name, value: $0.value) })
  }
}
