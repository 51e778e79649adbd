/// Resolves a reference from the network, such as a Location header field.
extension ProbeURL {
  /// Resolves a reference against this URL (RFC 3986 §5.2), as leniently as browsers do (WHATWG URL §4.4).
  ///
  /// Surrounding white space, and line breaks and tabs within, are dropped. A backslash counts as a slash.
  /// Other characters that are not valid in a URL are percent-encoded. Credentials are omitted: a probe never
  /// sends them, and `http://bank.example@evil.example/` leads to `evil.example`. With http and https, there
  /// can be too few or too many slashes: `https:///evil.example` has a host, and `http:x` is relative to an
  /// http URL. A non-ASCII host is converted. Unlike in browsers, an emoji has no ASCII form, and an IPv4
  /// address consists of four decimal numbers.
  ///
  /// - Returns: nil if the result has no scheme or no host, or is longer than ``maximumLength``.
  public func resolve(_ reference: String) -> ProbeURL? {
    resolve(reference) { Array($0) }
  }

  /// Resolves a reference in a page that is not in UTF-8; with http and https, its query is in the page's
  /// charset.
  ///
  /// - Parameters:
  ///   - reference: The reference.
  ///   - encode: Converts a query from UTF-8 to the bytes to percent-encode.
  /// - Returns: The same as ``resolve(_:)``.
  package func resolve(_ reference: String, encodingQuery encode: (ArraySlice<UInt8>) -> [UInt8]) -> ProbeURL?
  {
    guard reference.utf8.count <= Self.maximumLength else { return nil }
    let (scheme, found) = parts(of: reference)
    var parts = found
    if (scheme ?? self.scheme).isSpecial, let query = parts.query, query.contains(where: { $0 >= 0x80 }) {
      parts.query = encode(query)[...]
    }
    let isRelative =
      parts.authority == nil && (scheme == nil || scheme == self.scheme && self.scheme.isSpecial)
    let result = isRelative ? relative(parts) : Self.network(parts, scheme: scheme ?? self.scheme)
    guard let result, result.string.utf8.count <= Self.maximumLength else { return nil }
    return result
  }

  /// Whether a reference has user information, which ``resolve(_:)`` omits.
  package func hasUserInformation(_ reference: String) -> Bool {
    parts(of: reference).parts.authority?.contains(UInt8(ascii: "@")) ?? false
  }

  /// The scheme of a reference, if it has one, and its parts, neither validated nor resolved.
  private func parts(of reference: String) -> (scheme: URLScheme?, parts: ReferenceParts) {
    let bytes = Self.cleaned(reference)
    let prefix = URLScheme.prefix(of: bytes)
    let scheme = prefix.map { URLScheme(String(decoding: bytes[..<$0.count], as: UTF8.self)) }
    let parts = ReferenceParts(
      leniently: bytes[(prefix.map { $0.count + 1 } ?? 0)...], scheme, from: self.scheme)
    return (scheme, parts)
  }

  private func relative(_ parts: ReferenceParts) -> ProbeURL {
    ProbeURL(
      scheme: scheme,
      host: host,
      explicitPort: explicitPort,
      path: parts.path.isEmpty ? path : Self.removingDotSegments(merged(parts.path.percentEncoded(.path))),
      query: parts.query?.percentEncoded(scheme.query) ?? (parts.path.isEmpty ? query : nil),
      fragment: parts.fragment?.percentEncoded(.fragment)
    )
  }

  private static func cleaned(_ reference: String) -> [UInt8] {
    let kept = reference.utf8.filter {
      $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
    }
    var bytes = Array(kept.trimming { $0 <= 0x20 })
    // Only before the query, in which a backslash is data.
    let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
    for index in bytes[..<end].indices where bytes[index] == UInt8(ascii: "\\") {
      bytes[index] = UInt8(ascii: "/")
    }
    return bytes
  }

  private static func network(_ parts: ReferenceParts, scheme: URLScheme) -> ProbeURL? {
    guard let whole = parts.authority else { return nil }
    let withoutUser = whole.lastIndex(of: UInt8(ascii: "@")).map { whole[($0 + 1)...] } ?? whole
    guard let authority = try? Authority(withoutUser) else { return nil }
    return ProbeURL(
      scheme: scheme,
      host: authority.host,
      explicitPort: authority.port,
      path: removingDotSegments(parts.path.percentEncoded(.path)),
      query: parts.query?.percentEncoded(scheme.query),
      fragment: parts.fragment?.percentEncoded(.fragment)
    )
  }

  /// RFC 3986 §5.2.3.
  private func merged(_ reference: String) -> String {
    if reference.hasPrefix("/") { return reference }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" + reference }
    return String(path[...slash]) + reference
  }

  /// RFC 3986 §5.2.4; a percent-encoded dot is a dot (WHATWG URL, "single-dot URL path segment").
  private static func removingDotSegments(_ path: String) -> String {
    guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
      return path
    }
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment.withPlainDots {
      case ".":
        if isLast { kept.append("") }
      case "..":
        // The first element is the empty text before the leading slash; it stays.
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      default:
        kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }
}

extension ReferenceParts {
  /// Parses a reference after its scheme, if it has one, with too few or too many slashes.
  ///
  /// - Parameters:
  ///   - rest: The text after the scheme.
  ///   - scheme: The scheme of the reference, or nil if it has none.
  ///   - base: The scheme of the base URL.
  fileprivate init(leniently rest: ArraySlice<UInt8>, _ scheme: URLScheme?, from base: URLScheme) {
    let hasAuthority = rest.starts(with: "//".utf8)
    let isSpecial = (scheme ?? base).isSpecial
    // WHATWG URL §4.4, "special relative or authority state" and "special authority ignore slashes state".
    if isSpecial, hasAuthority || scheme.map({ $0 != base }) == true {
      self.init("//".utf8 + rest.drop { $0 == UInt8(ascii: "/") })
    } else {
      self.init(rest)
    }
  }
}

extension Substring {
  /// The segment with `%2e` as a dot if it consists of one or two dots, otherwise unchanged.
  fileprivate var withPlainDots: Substring {
    guard utf8.count <= 6, utf8.contains(UInt8(ascii: "%")) else { return self }
    switch lowercased() {
    case "%2e": return "."
    case "%2e.", ".%2e", "%2e%2e": return ".."
    default: return self
    }
  }
}
