import ProbeCore

/// What a URL that an answer names tells about a login.
extension ProbeURL {
  /// Whether a browser opens it as a page of the web; anything else is no place to log in.
  var isWebPage: Bool { scheme == .http || scheme == .https }

  /// Whether its host is one of a local network: an address that is not public, or a name that the public DNS does
  /// not know (RFC 6761, RFC 6762 §3, RFC 8375; the others by custom).
  var isLocal: Bool {
    if let address { return address.isSpecialPurpose }
    let labels = host.split(separator: ".")
    guard labels.count > 1, let last = labels.last else { return true }
    return Self.localDomains.contains(last) || host.hasSuffix(".home.arpa")
  }

  private static let localDomains: Set<Substring> = [
    "client", "home", "internal", "intranet", "lan", "local", "localdomain", "localhost", "portal", "private",
  ]

  /// Whether two URLs ask the same of the same server.
  func isSameRequest(as other: ProbeURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port && requestTarget == other.requestTarget
  }
}
