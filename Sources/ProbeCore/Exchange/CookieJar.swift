package import FoundationEssentials
import ProbeASCII

/// The cookies of a series of requests (RFC 6265), as a browser keeps them for a session.
///
/// A cookie is sent only to the host that set it or, with a Domain attribute, to its subdomains. There is no list
/// of public suffixes: a Domain attribute of a single label, such as `com`, is refused.
package struct CookieJar: Sendable {
  fileprivate struct Cookie {
    let name: String
    let value: String
    let domain: String
    let isHostOnly: Bool
    let path: String
    let isSecure: Bool
    let expiry: Date?
  }

  /// The maximum number of cookies to keep; the oldest ones are removed first.
  package static let capacity = 50
  /// The maximum size of a name and its value together, in bytes (RFC 6265 §6.1).
  package static let mostBytes = 4096

  private var cookies: [Cookie] = []

  /// Creates an empty jar.
  package init() {}

  /// The values of all cookies.
  package var values: [String] { cookies.map(\.value) }

  /// Keeps the cookies that a response sets.
  ///
  /// - Parameters:
  ///   - fields: The header fields of the response.
  ///   - url: The URL of its request.
  ///   - now: The current time.
  package mutating func keep(_ fields: HeaderFields, from url: ProbeURL, now: Date = .now) {
    for text in fields.values(for: "Set-Cookie") {
      guard let cookie = Cookie(text, from: url, now: now) else { continue }
      cookies.removeAll { $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path }
      if cookie.expiry.map({ $0 > now }) ?? true { cookies.append(cookie) }
      if cookies.count > Self.capacity { cookies.removeFirst() }
    }
  }

  /// The value of the Cookie field for a request; nil for none.
  ///
  /// - Parameters:
  ///   - url: The URL of the request.
  ///   - now: The current time.
  /// - Returns: The cookies, those with longer paths first (RFC 6265 §5.4).
  package func field(for url: ProbeURL, now: Date = .now) -> String? {
    let sent = cookies.filter { $0.isSent(to: url, at: now) }.enumerated().sorted { left, right in
      (-left.element.path.utf8.count, left.offset) < (-right.element.path.utf8.count, right.offset)
    }
    return sent.isEmpty ? nil : sent.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
  }
}

extension CookieJar.Cookie {
  /// Parses a Set-Cookie field (RFC 6265 §5.2); nil if the cookie is not kept.
  fileprivate init?(_ text: String, from url: ProbeURL, now: Date) {
    let parts = text.parts(between: ";")
    let (name, value) = Self.pair(parts[0])
    guard !name.isEmpty, name.utf8.count + value.utf8.count <= CookieJar.mostBytes else { return nil }
    var attributes: [String: String] = [:]
    for part in parts.dropFirst() {
      let (name, value) = Self.pair(part)
      attributes[name.lowercased()] = value
    }
    var domain = (attributes["domain"] ?? "").lowercased()
    if domain.hasPrefix(".") { domain.removeFirst() }
    if !domain.isEmpty, domain != url.host {
      guard domain.contains("."), url.address == nil, url.host.hasSuffix("." + domain) else { return nil }
    }
    (self.name, self.value) = (name, value)
    self.domain = domain.isEmpty ? url.host : domain
    isHostOnly = domain.isEmpty
    path = attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? Self.defaultPath(of: url)
    isSecure = attributes["secure"] != nil
    if let age = attributes["max-age"].flatMap({ Int32(text: $0) }) {
      expiry = now.addingTimeInterval(Double(age))
    } else {
      expiry = attributes["expires"].flatMap { Date(httpDate: $0, now: now) }
    }
  }

  /// A name and a value, without surrounding white space.
  private static func pair(_ part: Substring) -> (name: String, value: String) {
    let (name, value) = part.divided(at: "=") ?? (part, "")
    return (String(name.withoutOuterSpace), String(value.withoutOuterSpace))
  }

  /// The path of the URL up to its last slash (RFC 6265 §5.1.4).
  private static func defaultPath(of url: ProbeURL) -> String {
    guard let slash = url.path.lastIndex(of: "/"), slash > url.path.startIndex else { return "/" }
    return String(url.path[..<slash])
  }

  /// Whether the cookie is sent to a URL (RFC 6265 §5.4).
  fileprivate func isSent(to url: ProbeURL, at now: Date) -> Bool {
    guard url.host == domain || !isHostOnly && url.host.hasSuffix("." + domain) else { return false }
    let target = url.path.isEmpty ? "/" : url.path
    guard target == path || target.hasPrefix(path.hasSuffix("/") ? path : path + "/") else { return false }
    return (!isSecure || url.scheme == .https) && (expiry.map { $0 > now } ?? true)
  }
}

/// Supplies the cookies of a request, and keeps those of its responses, including redirects.
package protocol CookieKeeper: AnyObject, Sendable {
  /// The value of the Cookie field for a URL; nil for none.
  func field(for url: ProbeURL) -> String?
  /// Keeps the cookies of a response.
  func keep(_ fields: HeaderFields, from url: ProbeURL)
}

extension ProbeRequest {
  /// The request with its cookies, after those that its own header fields contain; nil if it has none.
  func withCookies() -> ProbeRequest? {
    guard let field = cookies?.field(for: url) else { return nil }
    var request = self
    let own = http.headers["Cookie"].map { [$0] } ?? []
    var fields = http.headers.filter { $0.name.lowercased() != "cookie" }.map {
      (name: $0.name, value: $0.value)
    }
    fields.append((name: "Cookie", value: (own + [field]).joined(separator: "; ")))
    request.http.headers = HeaderFields(fields)
    return request
  }
}
