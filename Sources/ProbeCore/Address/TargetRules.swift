/// Which hosts and addresses may be probed, for URLs from others.
package struct TargetRules: Sendable {
  /// Whether to allow addresses that no host of the public Internet has (``IPAddress/isSpecialPurpose``): private,
  /// loopback, link-local, multicast and reserved ones, and those of a cloud's metadata.
  package var allowsPrivate: Bool
  /// Whether to refuse link-local addresses and those of a cloud's metadata even if private ones are allowed.
  package var refusesLinkLocal = false
  /// The only hosts and addresses that may be probed, even private ones; nil for no such restriction.
  package var only: ExclusionList?
  /// Hosts and addresses that are never probed.
  package var exclusions: ExclusionList
  /// How to allow such addresses, for failure messages; nil if they cannot be allowed.
  package var remedy: String?

  /// Creates rules.
  package init(
    allowsPrivate: Bool = false, exclusions: ExclusionList = ExclusionList(), remedy: String? = nil
  ) {
    self.allowsPrivate = allowsPrivate
    self.exclusions = exclusions
    self.remedy = remedy
  }
}

extension TargetRules {
  /// Why the host of a URL is refused before any lookup; nil if its addresses decide.
  ///
  /// A URL without a host, such as that of a dns query to the system's own server, is allowed.
  package func refusal(ofHostOf url: ProbeURL) -> AddressRefusal? {
    if let address = url.address { return refusal(of: address) }
    if let entry = exclusions.entry(forHost: url.host) { return AddressRefusal("excluded by \(entry)") }
    // Its addresses may be among the allowed ones.
    guard only == nil else { return nil }
    // `localhost`, which a proxy would resolve to its own machine.
    return allowsPrivate || url.reach == .network
      ? nil : AddressRefusal("a name of this machine", remedy: remedy)
  }

  /// Why an address is refused; nil if it is allowed.
  package func refusal(of address: IPAddress) -> AddressRefusal? {
    if let block = exclusions.block(for: address) { return AddressRefusal("excluded by \(block)") }
    if let only {
      return only.block(for: address) == nil ? AddressRefusal("not an allowed target", remedy: remedy) : nil
    }
    guard !allowsPrivate || refusesLinkLocal && address.reach == .link else { return nil }
    return address.specialPurpose.map { AddressRefusal($0, remedy: remedy) }
  }

  /// The rules for the addresses of a host.
  ///
  /// If the host is allowed by name, its addresses need not be in ``only``.
  package func forAddresses(ofHostOf url: ProbeURL) -> TargetRules {
    guard let only, only.entry(forHost: url.host) != nil else { return self }
    var rules = self
    rules.only = nil
    return rules
  }
}
