/// The proxy for a probe.
///
/// HTTPS and TCP use a tunnel (CONNECT, RFC 9110 §9.3.6, or SOCKS); plain HTTP sends its request to an HTTP
/// proxy. The proxy resolves names, except one of the kind ``Kind/socks5WithLocalNames``.
public struct ProbeProxy: Hashable, Sendable {
  /// The protocol of the proxy.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The scheme of the proxy's URL.
    public let rawValue: String

    /// Creates a kind from its scheme.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// HTTP.
    public static let http = Kind(rawValue: "http")
    /// HTTP over TLS; the proxy's certificate is verified like a server's.
    public static let https = Kind(rawValue: "https")
    /// SOCKS version 5 (RFC 1928); the proxy resolves names.
    public static let socks5 = Kind(rawValue: "socks5h")
    /// SOCKS version 5 (RFC 1928); this machine resolves names, and the proxy receives an address.
    public static let socks5WithLocalNames = Kind(rawValue: "socks5")

    /// Every kind that the bundled transports know.
    package static let all: [Kind] = [.http, .https, .socks5, .socks5WithLocalNames]

    /// Whether it is a kind of SOCKS, through which every connection is a tunnel.
    package var isSOCKS: Bool { self == .socks5 || self == .socks5WithLocalNames }
  }

  /// The protocol of the proxy.
  public let kind: Kind
  /// The host name or address of the proxy.
  public let host: String
  /// The port of the proxy.
  public let port: UInt16
  /// The user name for the proxy, or nil for none.
  public var user: String?
  /// The password for the proxy.
  public var password: Secret?

  /// Parses the URL of a proxy, such as `http://proxy.example:3128` or `socks5h://127.0.0.1:1080`.
  ///
  /// - Parameters:
  ///   - text: The URL; it must have a port, and neither a path nor a query.
  ///   - user: The user name for the proxy.
  ///   - password: The password for the proxy.
  /// - Throws: ``InvalidInput`` naming the part that is not valid.
  public init(_ text: String, user: String? = nil, password: Secret? = nil) throws(InvalidInput) {
    let form = "write it as http://host:port, https://host:port, socks5h://host:port or socks5://host:port"
    let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
    if let scheme, ["socks", "socks4", "socks4a"].contains(scheme) {
      let version =
        scheme == "socks" ? "names no version of SOCKS" : "is SOCKS version 4, which is not supported"
      throw InvalidInput(
        "\(scheme):// \(version)",
        remedy:
          "use socks5h://, with which the proxy resolves names, or socks5://, with which this machine does")
    }
    guard let scheme, let kind = Kind.all.first(where: { $0.rawValue == scheme }) else {
      throw InvalidInput("\(Excerpt(text.withoutCredentials)) is not the URL of a proxy", remedy: form)
    }
    guard !text.utf8.contains(UInt8(ascii: "@")) else {
      throw InvalidInput(
        "the proxy's URL contains credentials, which are not allowed because URLs appear in logs and reports",
        remedy: "specify them separately")
    }
    let url = try ProbeURL(text)
    guard let port = url.explicitPort else {
      throw InvalidInput("the proxy \(Excerpt(text)) has no port", remedy: form)
    }
    guard url.path.isEmpty || url.path == "/", url.query == nil else {
      throw InvalidInput("a proxy's URL has no path or query", remedy: form)
    }
    self.kind = kind
    self.host = url.host
    self.port = port
    self.user = user
    self.password = password
  }

  /// Checks whether the user name and the password can be sent to the proxy.
  ///
  /// - Throws: ``InvalidInput`` naming the part that is not valid, never a secret.
  package func check() throws(InvalidInput) {
    guard let user else {
      guard password == nil else {
        throw InvalidInput("the proxy has a password without a user name", remedy: "give it a user name")
      }
      return
    }
    try HTTPCredentials.check(user: user, password: password, of: "the proxy")
    // RFC 1929 §2 has one byte for each length.
    let lengths = [user.utf8.count, password?.withText(\.utf8.count) ?? 0]
    guard !kind.isSOCKS || lengths.allSatisfy({ $0 <= 255 }) else {
      throw InvalidInput("the user name or the password of the proxy is longer than the 255 bytes of SOCKS")
    }
  }
}

extension ProbeProxy: CustomStringConvertible {
  /// The URL of the proxy, without credentials.
  public var description: String {
    "\(kind.rawValue)://\(host.host(withPort: port))"
  }
}
