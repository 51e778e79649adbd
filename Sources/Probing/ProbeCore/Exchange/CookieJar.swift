package import FoundationEssentials
import ProbeBase

/// The cookies of a series of requests, as a browser keeps them for a session (RFC 6265, and its revision
/// draft-ietf-httpbis-rfc6265bis §5).
///
/// A cookie is sent only to the host that set it or, with a Domain attribute, to the hosts of that domain. A Domain
/// attribute that is a public suffix, such as `com` or `co.uk`, is refused, unless it is the host itself: then the cookie
/// is sent only to that host. A cookie without a name is ignored. HttpOnly and SameSite have no effect, because every request is the user's own.
package struct CookieJar: Sendable {
  /// The maximum number of cookies to keep.
  ///
  /// Expired ones are removed first, then the oldest ones without Secure, so that a response over http cannot remove
  /// Secure cookies.
  package static let capacity = 50
  /// The maximum size of a name and its value together, in bytes (RFC 6265bis §5.6).
  package static let maximumBytes = 4096

  /// The cookies in the order of their creation; a replaced cookie keeps its position (RFC 6265bis §5.7).
  private var cookies: [Cookie] = []

  /// Creates an empty jar.
  package init() {}

  /// The number of cookies.
  package var count: Int { cookies.count }
  /// The values that reports do not show, even if a response repeats them.
  ///
  /// Shorter ones are usually ordinary words, such as the name of a language.
  package var secretValues: [String] {
    cookies.map(\.value).filter { $0.utf8.count >= Self.minimumSecretBytes }
  }

  private static let minimumSecretBytes = 6

  /// Keeps the cookies that a response sets.
  ///
  /// - Parameters:
  ///   - fields: The header fields of the response.
  ///   - url: The URL of its request.
  ///   - now: The current time.
  package mutating func keep(_ fields: HeaderFields, from url: ProbeURL, now: Date = .now) {
    for text in fields.values(for: "Set-Cookie") {
      guard let cookie = Cookie(text, from: url, now: now), !isProtected(from: cookie, of: url) else {
        continue
      }
      let position = cookies.firstIndex { $0.isSame(as: cookie) }
      guard !cookie.isExpired(at: now) else {
        if let position { cookies.remove(at: position) }
        continue
      }
      if let position { cookies[position] = cookie } else { cookies.append(cookie) }
      guard cookies.count > Self.capacity else { continue }
      cookies.removeAll { $0.isExpired(at: now) }
      guard cookies.count > Self.capacity else { continue }
      cookies.remove(at: cookies.firstIndex { !$0.isSecure } ?? 0)
    }
  }

  /// Whether a Secure cookie keeps out one of a response over http, which anybody on the path could have written
  /// (RFC 6265bis §5.7, "leave Secure cookies alone").
  private func isProtected(from cookie: Cookie, of url: ProbeURL) -> Bool {
    guard url.scheme != .https else { return false }
    return cookies.contains { $0.isSecure && $0.name == cookie.name && $0.overlaps(cookie) }
  }

  /// The value of the Cookie field for a request; nil for none.
  ///
  /// - Parameters:
  ///   - url: The URL of the request.
  ///   - now: The current time.
  /// - Returns: The cookies, those with longer paths first (RFC 6265bis §5.8.3).
  package func field(for url: ProbeURL, now: Date = .now) -> String? {
    let sent = cookies.filter { $0.isSent(to: url, at: now) }.enumerated().sorted { left, right in
      (-left.element.path.utf8.count, left.offset) < (-right.element.path.utf8.count, right.offset)
    }
    return sent.isEmpty ? nil : sent.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
  }
}

/// Supplies the cookies of a request, and keeps those of its responses, including redirects.
package protocol CookieKeeper: AnyObject, Sendable {
  /// The value of the Cookie field for a URL; nil for none.
  func field(for url: ProbeURL) -> String?
  /// Keeps the cookies of a response.
  func keep(_ fields: HeaderFields, from url: ProbeURL)
  /// Begins an attempt of the probe.
  func begin()
}

extension CookieKeeper {
  /// Does nothing: the cookies of earlier attempts, and of earlier probes, are kept.
  package func begin() {}
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
