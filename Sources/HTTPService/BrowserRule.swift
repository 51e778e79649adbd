internal import ProbeCore

/// Refuses requests that pages of other sites make a browser send.
///
/// A browser says where a request comes from in `Sec-Fetch-Site`, `Sec-Fetch-Mode` and `Sec-Fetch-Dest` (Fetch Metadata
/// Request Headers §2), which a page cannot set. It sends them to trustworthy origins only: those with https, and
/// loopback. For others, and in older browsers, the Origin field (RFC 6454 §7) shows a request of another origin.
/// Programs such as Prometheus and curl send none of these, and are not affected.
enum BrowserRule {
  /// The reason for refusing a request, or nil if it is accepted.
  ///
  /// - A request across sites is refused unless it is the GET or HEAD of a navigation to a document. Content of a frame
  ///   is not a document.
  /// - A request with another method is also refused if it comes from another origin of the same site, or its Origin
  ///   or, without one, its Referer is not the requested host and port.
  static func fault(of request: HTTPServiceRequest) -> HTTPServiceFault? {
    let isSafe = request.method == "GET" || request.method == "HEAD"
    let sites = request.tokens("sec-fetch-site")
    if sites.contains("cross-site") {
      return isSafe && isNavigation(request) ? nil : refusal
    }
    // The browser has compared the origins itself, before a proxy could change the Host field.
    if !sites.isEmpty, sites.allSatisfy({ $0 == "same-origin" }) { return nil }
    // Values other than these are ignored (Fetch Metadata Request Headers §2.4).
    let isSameSite = sites.contains("same-site")
    if isSafe, isSameSite || sites.contains("none") { return nil }
    if isSameSite { return refusal }
    let origins = request.values("origin")
    let isFromOther =
      origins.isEmpty && !isSafe
      ? request.values("referer").contains { !request.isSameOrigin($0) }
      : origins.contains { !request.isSameOrigin($0) }
    return isFromOther ? refusal : nil
  }

  private static func isNavigation(_ request: HTTPServiceRequest) -> Bool {
    request.tokens("sec-fetch-mode") == ["navigate"] && request.tokens("sec-fetch-dest") == ["document"]
  }

  private static let refusal = HTTPServiceFault(
    status: 403, "a page of another site cannot use this service", fix: "open the URL in a tab of its own")
}

extension HTTPServiceRequest {
  fileprivate func values(_ name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// The distinct tokens in fields with a name, in lower case, without parameters (RFC 8941 §3.3.4).
  fileprivate func tokens(_ name: String) -> Set<String> {
    Set(
      values(name).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
        $0.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
      })
  }

  /// Whether the host and the port of a URL, or of an origin, are the requested ones.
  ///
  /// The scheme is not compared, because a proxy may have removed the encryption.
  fileprivate func isSameOrigin(_ text: String) -> Bool {
    guard let own = authority?.lowercased(), let mark = text.firstRange(of: "://") else { return false }
    let ports = ["http": ":80", "https": ":443"]
    guard let port = ports[text[..<mark.lowerBound].lowercased()] else { return false }
    let other = text[mark.upperBound...].prefix { !"/?#\\".contains($0) }.lowercased()
    return own == other || own == other + port || own + port == other
  }
}
