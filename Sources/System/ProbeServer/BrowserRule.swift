package import ProbeBase

/// Refuses requests that pages of other sites make a browser send.
///
/// A browser reports the origin of a request in `Sec-Fetch-Site`, `Sec-Fetch-Mode` and `Sec-Fetch-Dest` (Fetch Metadata
/// Request Headers §2), which a page cannot set. It sends them to trustworthy origins only: those with https, and
/// loopback. For others, and in older browsers, the Origin field (RFC 6454 §7) shows a request of another origin.
/// Programs such as Prometheus and curl send none of these, and are not affected.
enum BrowserRule {
  /// The reason for refusing a request, or nil if it is accepted.
  ///
  /// - A request of another origin is refused, even if the origin is of the same site, such as another port of this
  ///   machine. Only the GET or HEAD with which a browser leaves for a document is accepted: content of a frame is not a
  ///   document.
  /// - What a browser fetches in advance is refused, unless it is of the same origin.
  /// - Without Fetch Metadata, a request is refused if its Origin or, without one, the Referer of another method, is not
  ///   the requested host and port.
  static func failure(of request: HTTPServiceRequest) -> HTTPServiceFailure? {
    let isSafe = request.method == "GET" || request.method == "HEAD"
    let sites = request.tokens("sec-fetch-site")
    // The browser has compared the origins itself, before a proxy could change the Host field.
    if !sites.isEmpty, sites.allSatisfy({ $0 == "same-origin" }) { return nil }
    // Chromium has no site for what the speculation rules of a page name, as for an address that a person entered.
    if purposes.contains(where: { !request.values($0).isEmpty }) { return refusal }
    if sites.contains("cross-site") || sites.contains("same-site") {
      return isSafe && isNavigation(request) ? nil : refusal
    }
    // Values other than these are ignored (Fetch Metadata Request Headers §2.4).
    if isSafe, sites.contains("none") { return nil }
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

  /// Fields that only a request has that is not for immediate use by a person, such as a prefetch or prerender.
  ///
  /// `Sec-Purpose` is that of the Fetch standard (§3.6); older versions of Chromium, Safari and Firefox have the others.
  private static let purposes = ["sec-purpose", "purpose", "x-purpose", "x-moz"]

  private static let refusal = HTTPServiceFailure(
    status: 403, "a page of another site cannot use this service", remedy: "open the URL in a tab of its own")
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

/// The hosts for which a service accepts requests.
///
/// A page of any site can make a browser send requests to loopback under the site's own name (DNS rebinding).
/// A service on a loopback address therefore accepts only names of this machine.
package struct HostRule: Hashable, Sendable {
  /// The accepted hosts in lower case, or nil for any.
  private let names: Set<String>?

  /// Any host, for a Unix socket: no browser connects to it.
  package static let any = HostRule(names: nil)

  private init(names: Set<String>?) {
    self.names = names
  }

  package init(for address: IPAddress) {
    names = address.isLoopback ? ["localhost", "127.0.0.1", "[::1]", address.bracketed] : nil
  }

  /// The reason for refusing a request, or nil if it is accepted.
  func failure(of request: HTTPServiceRequest) -> HTTPServiceFailure? {
    guard let names, let other = request.hosts.first(where: { !names.contains($0.lowercased()) }) else {
      return nil
    }
    return HTTPServiceFailure(
      status: 421, "the host \(Excerpt(other)) is not this service", remedy: "use localhost or 127.0.0.1")
  }
}
