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
