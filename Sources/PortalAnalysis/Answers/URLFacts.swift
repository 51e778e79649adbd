import ProbeASCII
import ProbeCore

/// What a URL says about what is behind it.
struct URLFacts {
  /// The first word of a portal in it, if those of portals prevail.
  let portal: String?
  /// The first word of a block page or an error in it, if those prevail.
  let wall: String?
  /// Whether it is in the local network.
  let isLocal: Bool
  /// Whether its query has an address of this client: a MAC address, or a field for one.
  let hasClient: Bool
  /// Whether its query has the requested URL or its host.
  let hasOriginal: Bool
  let isAdministration: Bool
  let endsSession: Bool
  /// Whether its path is that of a session that exists, such as `/status`.
  let isOfSession: Bool
  let hasPort: Bool
  /// Whether it has neither a path nor a query.
  let isRoot: Bool
  /// Whether its host or its path has a word of a login, and neither one of a network.
  let isLoginPlace: Bool
  /// Whether its host or its path has a word of a network, such as a hotspot.
  let isOfNetwork: Bool

  init(_ url: ProbeURL, asked: ProbeURL, hasHost: Bool, hasPath: Bool) {
    let said = URLWords(url, hasHost: hasHost, hasPath: hasPath)
    portal = said.portal > said.wall ? said.portalWords.first ?? "" : nil
    wall = said.wall > said.portal ? said.wallWords.first ?? "" : nil
    isLocal = url.isLocal
    let query = String((url.query ?? "").prefix(Self.maximumQuery)).lowercased()
    hasClient = Self.hasHardwareAddress(query) || said.hasClientField
    hasOriginal = !query.isEmpty && query.contains(asked.host)
    isAdministration = PagePath.isAdministration(url.path) || PagePath.isAdministration(inQuery: query)
    isOfSession = PagePath.isOfSession(url.path)
    endsSession = PagePath.endsSession(url.requestTarget)
    hasPort = url.explicitPort != nil
    isRoot = url.path.utf8.count <= 1 && url.query == nil
    isOfNetwork = said.place[.network].distinct > 0
    isLoginPlace = said.place[.login].distinct > 0 && said.place[.network].distinct == 0
  }

  /// How much of a query is read: a page may have hundreds of long URLs.
  private static let maximumQuery = 4096

  /// Whether a query has a MAC address: six pairs of hexadecimal digits with separators.
  private static func hasHardwareAddress(_ query: String) -> Bool {
    let text = Array(query.replacing("%3a", with: ":").utf8)
    func isDigit(_ byte: UInt8) -> Bool {
      byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
    return text.indices.dropLast(16).contains { start in
      (0..<17).allSatisfy { offset in
        let byte = text[start + offset]
        return offset % 3 == 2 ? byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") : isDigit(byte)
      }
    }
  }
}
