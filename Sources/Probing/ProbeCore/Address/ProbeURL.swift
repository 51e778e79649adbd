/// An absolute URL that can be probed: scheme, host, port, path and query, never credentials.
///
/// The generic syntax is that of RFC 3986; the text is ASCII, with everything else percent-encoded. There are
/// two parsers: ``init(_:)`` for a URL that a person wrote, which is strict and gives reasons, and
/// ``resolve(_:)`` for a reference from the network, which is as lenient as browsers are.
public struct ProbeURL: Sendable {
  private final class Parts: Sendable {
    let scheme: URLScheme
    let host: String
    let explicitPort: UInt16?
    let path: String
    let query: String?
    let fragment: String?
    let string: String

    init(
      scheme: URLScheme, host: String, explicitPort: UInt16?, path: String, query: String?, fragment: String?
    ) {
      self.scheme = scheme
      self.host = host
      self.explicitPort = explicitPort
      self.path = path
      self.query = query
      self.fragment = fragment
      var string = scheme.name + "://"
      string += host.bracketedHost
      if let explicitPort { string += ":\(explicitPort)" }
      string += path
      if let query { string += "?" + query }
      if let fragment { string += "#" + fragment }
      self.string = string
    }
  }

  // On the heap, because URLs are copied far more often than they are created.
  private let parts: Parts

  /// Creates a URL from parts that are already validated and encoded.
  init(
    scheme: URLScheme, host: String, explicitPort: UInt16?, path: String, query: String?, fragment: String?
  ) {
    parts = Parts(
      scheme: scheme, host: host, explicitPort: explicitPort, path: path, query: query, fragment: fragment)
  }
}

extension ProbeURL {
  /// The scheme.
  public var scheme: URLScheme { parts.scheme }
  /// The host in ASCII and lower case: a name, internationalized ones as `xn--…`, an IPv4 address, or an
  /// IPv6 address without its brackets.
  ///
  /// Empty only for a dns URL without a server, such as `dns:///example.com`.
  public var host: String { parts.host }
  /// The explicit port of the URL, or nil.
  public var explicitPort: UInt16? { parts.explicitPort }
  /// The path, percent-encoded; empty or starting with a slash.
  public var path: String { parts.path }
  /// The query, percent-encoded, without its question mark.
  public var query: String? { parts.query }
  /// The fragment, percent-encoded, without its number sign; it is never sent.
  public var fragment: String? { parts.fragment }
  /// The whole URL.
  public var string: String { parts.string }
}

extension ProbeURL {
  /// The port to connect to: the explicit one, or the default of the scheme.
  public var port: UInt16? { explicitPort ?? scheme.defaultPort }

  /// The host as an address, or nil when it is a name.
  public var address: IPAddress? { IPAddress(host) }

  /// The path and query, as in a request line (RFC 9112 §3.2.1).
  public var requestTarget: String {
    let path = self.path.isEmpty ? "/" : self.path
    return query.map { "\(path)?\($0)" } ?? path
  }

  /// The URL without its query and fragment and, if it is still longer than this number of bytes, without its path.
  package func shortened(to length: Int) -> ProbeURL {
    func without(path: String) -> ProbeURL {
      ProbeURL(
        scheme: scheme, host: host, explicitPort: explicitPort, path: path, query: nil, fragment: nil)
    }
    let short = without(path: path)
    return short.string.utf8.count > length ? without(path: path.isEmpty ? "" : "/") : short
  }

  /// Whether the other URL has the same scheme, host and port (RFC 6454 §5).
  package func hasSameOrigin(as other: ProbeURL) -> Bool {
    (scheme, host, port) == (other.scheme, other.host, other.port)
  }

  /// Whether the other URL has the same origin, path, query and fragment, even if only one names the default port.
  func isEquivalent(to other: ProbeURL) -> Bool {
    hasSameOrigin(as: other) && requestTarget == other.requestTarget && fragment == other.fragment
  }

  /// Whether the other URL has an unrelated host: not the same, not the same with or without `www.`, and not
  /// a subdomain.
  public func isOffHost(_ other: ProbeURL) -> Bool {
    func rooted(_ name: String) -> Substring { name.hasSuffix(".") ? name.dropLast() : name[...] }
    func bare(_ name: Substring) -> Substring { name.hasPrefix("www.") ? name.dropFirst(4) : name }
    let (mine, theirs) = (rooted(host), rooted(other.host))
    if bare(mine) == bare(theirs) { return false }
    // Compare with the host itself: for `www.com`, every host of .com would be a subdomain if `www.` were
    // removed.
    return address != nil || !theirs.hasSuffix("." + mine)
  }
}

extension ProbeURL: Hashable {
  /// Two URLs are equal when their texts are.
  public static func == (left: ProbeURL, right: ProbeURL) -> Bool {
    left.string == right.string
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(string)
  }
}

extension ProbeURL: CustomStringConvertible {
  /// The whole URL.
  public var description: String { string }
}
