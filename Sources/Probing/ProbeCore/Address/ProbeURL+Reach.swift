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
