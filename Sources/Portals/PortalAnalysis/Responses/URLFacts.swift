import ProbeBase
import ProbeCore
import ProbeText

/// What a URL indicates about its resource.
struct URLFacts {
  let url: ProbeURL
  /// Whether it is on a host other than the requested one.
  let isOffHost: Bool
  /// The first word of a portal in it, if those of portals prevail.
  let portal: String?
  /// The first word of a block page or an error in it, if those prevail.
  let blockPage: String?
  /// Whether it is in the local network.
  let isLocal: Bool
  /// Whether its query has an address of this client: a MAC address, or a field for one.
  let hasClient: Bool
  /// Whether its query has the requested URL or its host.
  let hasOriginal: Bool
  let isAdministration: Bool
  let endsSession: Bool
  /// Whether its path is that of a session that exists, such as `/status`.
  let hasSessionPath: Bool
  let hasPort: Bool
  /// Whether it has neither a path nor a query.
  let isRoot: Bool
  /// Whether its host or its path has a word of a login, but none of a network.
  let isAccountLogin: Bool
  /// Whether its host or its path has a word of a network, such as a hotspot.
  let hasNetworkWord: Bool

  /// Reads a URL; the parts of the requested URL are ignored.
  init(_ url: ProbeURL, requestedURL: ProbeURL, host: HostFacts) {
    self.url = url
    isOffHost = host.isOffHost
    isLocal = host.isLocal
    let words = URLWords(url, hasHost: isOffHost, hasPath: url.path != requestedURL.path)
    let (portal, blockPage) = (words.portal, words.blockPage)
    self.portal = portal > blockPage ? words.portalWord : nil
    self.blockPage = blockPage > portal ? words.blockPageWord : nil
    let query = (url.query ?? "").utf8.prefix(Self.maximumQuery).map(\.asciiLowercased)
    hasClient = words.hasClientField || Self.hasHardwareAddress(query)
    hasOriginal = query.contains(bytes: requestedURL.host.utf8)
    let path = PathWords(url)
    endsSession = path.endsSession
    isAdministration = path.isAdministration || PagePath.isAdministration(inQuery: query)
    hasSessionPath = PagePath.isSessionPath(url.path)
    hasPort = url.explicitPort != nil
    isRoot = url.path.utf8.count <= 1 && url.query == nil
    hasNetworkWord = words.hostAndPath[.network].distinct > 0
    isAccountLogin = words.hostAndPath[.login].distinct > 0 && !hasNetworkWord
  }

  /// How much of a query is read: a page may have hundreds of long URLs.
  private static let maximumQuery = 4096

  /// Whether a query in lower case has a MAC address: six pairs of hexadecimal digits with separators.
  private static func hasHardwareAddress(_ query: [UInt8]) -> Bool {
    guard query.count >= hardwareAddressLength else { return false }
    var text: [UInt8] = []
    text.reserveCapacity(query.count)
    for byte in query {
      text.append(byte)
      if byte == UInt8(ascii: "a"), text.suffix(3).elementsEqual("%3a".utf8) {
        text.removeLast(3)
        text.append(UInt8(ascii: ":"))
      }
    }
    return text.indices.dropLast(hardwareAddressLength - 1).contains { start in
      // The first separator is the quickest to look at.
      isSeparator(text[start + 2])
        && (0..<hardwareAddressLength).allSatisfy { offset in
          let byte = text[start + offset]
          return offset % 3 == 2 ? isSeparator(byte) : byte.hexDigitValue != nil
        }
    }
  }

  /// The length of a MAC address with its separators.
  private static let hardwareAddressLength = 17

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-")
  }
}

/// What the host of a URL indicates, whatever its scheme and port.
struct HostFacts {
  /// Whether it is unrelated to the requested one.
  let isOffHost: Bool
  /// Whether it is in the local network.
  let isLocal: Bool
  /// Whether it is a public site's.
  let isPublicSite: Bool

  init(_ url: ProbeURL, requestedURL: ProbeURL) {
    isOffHost = requestedURL.isOffHost(url)
    isLocal = url.isLocal
    isPublicSite = isOffHost && PublicSites.contain(url)
  }
}

/// Public sites that no portal runs, so none of their URLs is a login URL.
///
/// Gateways redirect there once a client is logged in, and pages link there for a search or an advertisement.
enum PublicSites {
  /// Whether a URL is one of theirs.
  static func contain(_ url: ProbeURL) -> Bool {
    let host = url.host.hasSuffix(".") ? url.host.dropLast() : url.host[...]
    let labels = host.utf8.split(separator: UInt8(ascii: "."))
    guard labels.count > 1 else { return false }
    return labels.dropLast().contains { label in
      let domain = host[label.startIndex...]
      return hosts.contains(String(domain))
        || label.count <= maximumLength && names.contains(String(Substring(label))) && isSite(domain)
    }
  }

  /// Whether a domain is registered directly below a suffix of a registry, as google.co.jp is.
  ///
  /// Anybody may have google.github.io.
  private static func isSite(_ domain: Substring) -> Bool {
    let suffix = domain.drop { $0 != "." }.dropFirst()
    return PublicSuffixes.standard.isPublicSuffix(String(suffix), ofRegistry: true)
      && !PublicSuffixes.standard.isPublicSuffix(String(domain))
  }

  private static let lines = PackageResources.public_sites_txt.split(separator: UInt8(ascii: "\n"))
    .filter { $0.first != UInt8(ascii: "#") }
    .map { String(decoding: $0, as: UTF8.self) }
  private static let names = Set(lines.filter { !$0.contains(".") })
  private static let maximumLength = names.map(\.utf8.count).max() ?? 0
  private static let hosts = Set(lines.filter { $0.contains(".") })
}
