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

extension ProbeURL {
  /// How far traffic to the URL's host can travel, judging by the host alone.
  ///
  /// `localhost`, names below it (RFC 6761 §6.3) and its aliases in hosts files are this machine. Any other
  /// name may resolve to any address.
  public var reach: AddressReach {
    if let address { return address.reach }
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    return name.hasSuffix(".localhost") || Self.ownNames.contains(name) ? .machine : .network
  }

  /// Names of this machine in the hosts files of common systems.
  private static let ownNames: Set<Substring> = [
    "localhost", "localhost.localdomain", "localhost4", "localhost4.localdomain4", "localhost6",
    "localhost6.localdomain6", "ip6-localhost", "ip6-loopback",
  ]

  /// Whether a response from this URL may redirect its client to another URL.
  ///
  /// No response from elsewhere may point to this machine or its link, because local services often trust
  /// every local client. A response from a server there may redirect within that server.
  ///
  /// - Parameter target: The URL that the response points to.
  /// - Returns: Whether the client may follow it.
  package func mayRedirect(to target: ProbeURL) -> Bool {
    target.reach == .network || (target.host, target.port) == (host, port)
  }
}

/// Distinguishes local hosts from public ones.
extension ProbeURL {
  /// Whether the host belongs to a local network: a non-public address, or a name that the public DNS does
  /// not resolve (RFC 6761, RFC 6762 §3, RFC 8375; others by convention).
  public var isLocal: Bool {
    if let address { return address.isSpecialPurpose }
    let labels = host.split(separator: ".")
    guard labels.count > 1, let last = labels.last else { return true }
    return Self.localDomains.contains(last) || host.hasSuffix(".home.arpa")
  }

  private static let localDomains: Set<Substring> = [
    "client", "home", "internal", "intranet", "lan", "local", "localdomain", "localhost", "portal", "private",
  ]
}

/// A parameter of a URL's query: a name and its value, as plain text.
package struct QueryParameter: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension ProbeURL {
  /// The URL with parameters added to its query, percent-encoded (RFC 3986 §2.1).
  ///
  /// - Throws: ``InvalidInput`` if the URL is then too long.
  package func adding(_ parameters: [QueryParameter]) throws(InvalidInput) -> ProbeURL {
    guard !parameters.isEmpty else { return self }
    let pairs = parameters.map {
      "\($0.name.utf8.percentEncodedComponent())=\($0.value.utf8.percentEncodedComponent())"
    }
    let known = query.map { $0.isEmpty ? [] : [$0] } ?? []
    let url = ProbeURL(
      scheme: scheme, host: host, explicitPort: explicitPort, path: path,
      query: (known + pairs).joined(separator: "&"), fragment: fragment)
    guard url.string.utf8.count <= ProbeURL.maximumLength else {
      throw InvalidInput(
        "the URL with its query is \(url.string.utf8.count) bytes long, more than \(ProbeURL.maximumLength)"
      ).about("query")
    }
    return url
  }
}
