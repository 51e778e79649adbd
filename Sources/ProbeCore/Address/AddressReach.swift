/// How far what is sent to an address goes at most.
public enum AddressReach: Hashable, Sendable {
  /// No further than this machine: loopback, or no address at all.
  case machine
  /// No further than the links that this machine is on (link-local).
  case link
  /// Wherever there is a way to, be it in a private network.
  case network
}

extension ProbeURL {
  /// How far its host's address is, as far as the host itself tells: a name other than `localhost` and those under it
  /// (RFC 6761 §6.3) or by custom the same may lead anywhere.
  public var reach: AddressReach {
    if let address { return address.reach }
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    return name.hasSuffix(".localhost") || Self.ownNames.contains(name) ? .machine : .network
  }

  /// Names of this machine in the hosts files of the usual systems.
  private static let ownNames: Set<Substring> = [
    "localhost", "localhost.localdomain", "localhost4", "localhost4.localdomain4", "localhost6",
    "localhost6.localdomain6", "ip6-localhost", "ip6-loopback",
  ]

  /// Whether somebody who was asked for this URL may send its asker to another one.
  ///
  /// This machine and its link are not for strangers to point at: whatever listens there trusts whoever comes. Whoever
  /// has asked there himself may be led on within the same server.
  ///
  /// - Parameter target: Where the answer leads.
  /// - Returns: Whether one may go there.
  package func mayLead(to target: ProbeURL) -> Bool {
    target.reach == .network || (target.host, target.port) == (host, port)
  }
}
