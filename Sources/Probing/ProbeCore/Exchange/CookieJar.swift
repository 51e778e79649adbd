internal import ProbeBase
internal import ProbeText
package import FoundationEssentials

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

  package init() {}

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

/// A cookie with its attributes (RFC 6265bis §5.6 and §5.7).
struct Cookie: Sendable {
  let name: String
  let value: String
  private(set) var domain: String
  private(set) var isHostOnly = true
  private(set) var path: String
  private(set) var isSecure = false
  private(set) var expiry: Date?

  /// The maximum size of an attribute's value in bytes; a longer one is ignored.
  private static let maximumAttributeBytes = 1024
  /// The maximum time to keep a cookie in seconds, 400 days (RFC 6265bis §5.5).
  private static let maximumAge = 400 * 86_400

  /// Parses a Set-Cookie field; nil if the cookie is not kept.
  init?(_ text: String, from url: ProbeURL, now: Date) {
    guard !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let (name, value) = Self.pair(parts[0]), let value, !name.isEmpty,
      name.utf8.count + value.utf8.count <= CookieJar.maximumBytes
    else { return nil }
    (self.name, self.value) = (name, value)
    (domain, path) = (url.host, Self.defaultPath(of: url))
    var attributes = Attributes()
    for part in parts.dropFirst() {
      guard let (name, value) = Self.pair(part), value?.utf8.count ?? 0 <= Self.maximumAttributeBytes else {
        continue
      }
      attributes.add(name.lowercased(), value ?? "", now: now)
    }
    guard setDomain(attributes.domain, of: url) else { return nil }
    if let path = attributes.path, path.utf8.first == UInt8(ascii: "/") { self.path = path }
    isSecure = attributes.isSecure
    expiry = (attributes.maxAge ?? attributes.expires).map {
      min($0, now.addingTimeInterval(Double(Self.maximumAge)))
    }
    // Over http, anybody on the path could have set it.
    guard !isSecure || url.scheme == .https, hasPrefixProperties(attributes) else { return nil }
  }

  /// The attributes, of which the last valid one of each name counts.
  private struct Attributes {
    var domain = ""
    var path: String?
    var isSecure = false
    var maxAge: Date?
    var expires: Date?

    mutating func add(_ name: String, _ value: String, now: Date) {
      switch name {
      case "domain": domain = value.lowercased()
      case "path": path = value
      case "secure": isSecure = true
      case "max-age":
        if let seconds = Cookie.seconds(value) { maxAge = now.addingTimeInterval(Double(seconds)) }
      case "expires": if let date = Date(cookieDate: value) { expires = date }
      default: break
      }
    }
  }

  /// The seconds of a Max-Age attribute: digits, with a minus sign before a time that has passed; nil if it is ignored.
  fileprivate static func seconds(_ text: String) -> Int? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    return ExternalNumber(text: text)?.value
  }

  /// Sets the domain.
  ///
  /// - Returns: Whether a server may set a cookie for it.
  private mutating func setDomain(_ attribute: String, of url: ProbeURL) -> Bool {
    let given = attribute.hasPrefix(".") ? String(attribute.dropFirst()) : attribute
    guard !given.isEmpty else { return true }
    // Anybody may have a host of a public suffix (RFC 6265 §5.3, step 5).
    guard !PublicSuffixes.standard.isPublicSuffix(given) else { return given == url.host }
    guard given == url.host || url.address == nil && Self.isSubdomain(url.host, of: given) else {
      return false
    }
    (domain, isHostOnly) = (given, url.address != nil)
    return true
  }

  /// Whether the cookie meets the requirements of its name's prefix (RFC 6265bis §4.1.3).
  private func hasPrefixProperties(_ attributes: Attributes) -> Bool {
    let name = name.lowercased()
    if name.hasPrefix("__secure-") { return isSecure }
    guard name.hasPrefix("__host-") else { return true }
    return isSecure && isHostOnly && attributes.path == "/"
  }

  /// A name and a value without surrounding white space; the value is nil without an equals sign.
  private static func pair(_ part: Substring.UTF8View) -> (name: String, value: String?)? {
    func trimmed(_ bytes: Substring.UTF8View) -> String? {
      String(bytes.trimming(where: \.isFieldSpace))
    }
    guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else { return trimmed(part).map { ($0, nil) } }
    guard let name = trimmed(part[..<sign]), let value = trimmed(part[part.index(after: sign)...]) else {
      return nil
    }
    return (name, value)
  }

  /// The path of the URL up to its last slash (RFC 6265bis §5.1.4).
  private static func defaultPath(of url: ProbeURL) -> String {
    guard let slash = url.path.lastIndex(of: "/"), slash > url.path.startIndex else { return "/" }
    return String(url.path[..<slash])
  }
}

extension Cookie {
  /// Whether it replaces another cookie, or is replaced by it.
  func isSame(as other: Cookie) -> Bool {
    name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
  }

  /// Whether both may be sent to the same URL, and a path of this cookie includes that of the other.
  func overlaps(_ other: Cookie) -> Bool {
    let isOneDomain =
      domain == other.domain || Self.isSubdomain(domain, of: other.domain)
      || Self.isSubdomain(other.domain, of: domain)
    return isOneDomain && Self.includes(other.path, in: path)
  }

  /// Whether its time is over.
  func isExpired(at now: Date) -> Bool { expiry.map { $0 <= now } ?? false }

  /// Whether the cookie is sent to a URL (RFC 6265bis §5.8.3).
  func isSent(to url: ProbeURL, at now: Date) -> Bool {
    guard url.host == domain || !isHostOnly && Self.isSubdomain(url.host, of: domain) else { return false }
    guard Self.includes(url.path.isEmpty ? "/" : url.path, in: path) else { return false }
    return (!isSecure || url.scheme == .https) && !isExpired(at: now)
  }

  private static func isSubdomain(_ host: String, of domain: String) -> Bool {
    host.utf8.count > domain.utf8.count && host.hasSuffix("." + domain)
  }

  /// Whether a path is another one or below it (RFC 6265bis §5.1.4).
  private static func includes(_ path: String, in cookiePath: String) -> Bool {
    let (bytes, start) = (path.utf8, cookiePath.utf8)
    guard bytes.starts(with: start) else { return false }
    return bytes.count == start.count || start.last == UInt8(ascii: "/")
      || bytes.dropFirst(start.count).first == UInt8(ascii: "/")
  }
}

extension Date {
  private static let monthsOfCookies = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Parses the date of an Expires attribute, in any order of its parts (RFC 6265bis §5.1.1).
  init?(cookieDate text: String) {
    let isDelimiter: (UInt8) -> Bool = { byte in
      switch byte {
      case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
      default: false
      }
    }
    var (time, day, month, year): ([Int]?, Int?, Int?, Int?)
    for token in text.utf8.split(whereSeparator: isDelimiter) {
      if time == nil, let found = Self.time(token) {
        time = found
      } else if day == nil, let found = Self.number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = Self.month(token) {
        month = found
      } else if year == nil, let found = Self.number(token, digits: 2...4) {
        year = found
      }
    }
    guard let time, let day, let month, var year else { return nil }
    if (70...99).contains(year) { year += 1900 } else if year < 70 { year += 2000 }
    // The standard has no leap seconds.
    guard year >= 1601, time[2] < 60,
      let seconds = UTCTime.unix(
        year: year, month: month, day: day, hour: time[0], minute: time[1], second: time[2])
    else { return nil }
    self.init(timeIntervalSince1970: Double(seconds))
  }

  /// A number with this many digits, after which anything but a digit may follow.
  private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
    let number = token.prefix { $0.isASCIIDigit }
    guard digits.contains(number.count) else { return nil }
    return String(number).flatMap { Int(text: $0) }
  }

  private static func month(_ token: Substring.UTF8View) -> Int? {
    guard let name = String(token.prefix(3))?.lowercased() else { return nil }
    return monthsOfCookies.firstIndex(of: name).map { $0 + 1 }
  }

  /// Hours, minutes and seconds, after which anything but a digit may follow.
  private static func time(_ token: Substring.UTF8View) -> [Int]? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let isWhole = parts.dropLast().allSatisfy { $0.allSatisfy { $0.isASCIIDigit } }
    let numbers = parts.compactMap { number($0, digits: 1...2) }
    return isWhole && numbers.count == 3 ? numbers : nil
  }
}
