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
  /// How far what is sent to its host goes at most, as far as the host itself tells.
  ///
  /// `localhost`, names below it (RFC 6761 §6.3) and its aliases in hosts files are this machine. Any other name may lead
  /// anywhere.
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

  /// Whether an answer to this URL may lead its client to another URL.
  ///
  /// No answer from elsewhere may point to this machine or its link: local services often trust every local client. An
  /// answer of a server there may redirect within that server.
  ///
  /// - Parameter target: Where the answer leads.
  /// - Returns: Whether one may go there.
  package func mayLead(to target: ProbeURL) -> Bool {
    target.reach == .network || (target.host, target.port) == (host, port)
  }
}
