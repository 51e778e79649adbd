/// A URL scheme in its canonical, lower-case form (RFC 3986 §3.1).
public struct URLScheme: Hashable, Sendable {
  /// The scheme's name in lower case, without the colon.
  public let name: String

  /// Creates a scheme from its name, in any case.
  public init(_ name: String) {
    self.name = name.lowercased()
  }

  /// Plain HTTP.
  public static let http = URLScheme("http")
  /// HTTP over TLS.
  public static let https = URLScheme("https")
  /// A plain TCP connection.
  public static let tcp = URLScheme("tcp")
  /// A TCP connection inside TLS.
  public static let tls = URLScheme("tls")
  /// Datagrams over UDP.
  public static let udp = URLScheme("udp")
  /// A query to a DNS server (RFC 4501).
  public static let dns = URLScheme("dns")
  /// A query to a DNS server over TLS (RFC 7858).
  public static let dnsTLS = URLScheme("dns+tls")
  /// A query to a DNS server over HTTPS (RFC 8484).
  public static let dnsHTTPS = URLScheme("dns+https")
  /// Echo requests to a host (ping).
  public static let icmp = URLScheme("icmp")

  /// The default port of the scheme, or nil if a URL must name a port.
  public var defaultPort: UInt16? {
    switch self {
    case .http: 80
    case .https: 443
    case .dns: 53
    case .dnsTLS: 853
    case .dnsHTTPS: 443
    default: nil
    }
  }

  /// The protocol-specific parts that no response to a URL of the scheme has.
  ///
  /// Empty for the scheme of a custom transport, whose responses may have any part.
  package var missingParts: ResponseParts {
    switch self {
    case .http, .https: [.dns, .ping]
    case .tcp, .tls, .udp: [.http, .dns, .ping]
    case .dns, .dnsTLS, .dnsHTTPS: [.http, .ping]
    case .icmp: [.http, .dns]
    case .check: [.http, .dns, .ping]
    default: []
    }
  }

  /// Returns the scheme if the bytes start with a scheme and a colon.
  static func prefix(of text: some Collection<UInt8>) -> Substring.UTF8View? {
    guard let first = text.first, first.isASCIILetter else { return nil }
    let end = text.firstIndex { byte in
      !(byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "."))
    }
    guard let end, text[end] == UInt8(ascii: ":") else { return nil }
    return Substring(decoding: text[..<end], as: UTF8.self).utf8
  }
}

extension URLScheme: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a scheme from its name, in any case.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The scheme's name.
  public var description: String { name }
}

/// Whether a scheme's exchanges are encrypted and authenticated, or can be read and forged in transit.
public enum Encryption: Hashable, Sendable {
  /// Encrypted, and the peer's identity is verified.
  case encrypted
  /// Anyone on the path can read and respond.
  case plaintext
  /// Not known, because another program makes the exchanges and they cannot be seen.
  ///
  /// The HTTPS-only policy does not apply to them, and they do not show that a network lets traffic through.
  case unknown
}
