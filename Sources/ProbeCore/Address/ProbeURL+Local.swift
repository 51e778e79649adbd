/// Whether a URL's host can be reached from anywhere.
extension ProbeURL {
  /// Whether its host is one of a local network: an address that is not public, or a name that the public DNS does not
  /// know (RFC 6761, RFC 6762 §3, RFC 8375; the others by custom).
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
