import FoundationEssentials
import ProbeBase
import ProbeText

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
