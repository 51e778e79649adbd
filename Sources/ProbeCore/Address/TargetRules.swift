/// Which hosts and addresses may be probed, for URLs from others.
package struct TargetRules: Sendable {
  /// Whether to allow addresses that no host of the public Internet has (``IPAddress/isSpecialPurpose``): private,
  /// loopback, link-local, multicast and reserved ones, and those of a cloud's metadata.
  package var allowsPrivate: Bool
  /// Hosts and addresses that are never probed.
  package var exclusions: ExclusionList
  /// How to allow such addresses, for the texts of failures; nil if there is no way.
  package var remedy: String?

  /// Rules.
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
  /// A URL without a host, as of a dns query to the machine's own server, is allowed.
  package func refusal(ofHostOf url: ProbeURL) -> AddressRefusal? {
    if let address = url.address { return refusal(of: address) }
    if let entry = exclusions.entry(forHost: url.host) { return AddressRefusal("excluded by \(entry)") }
    // `localhost`, which a proxy would resolve to its own machine.
    return allowsPrivate || url.reach == .network
      ? nil : AddressRefusal("a name of this machine", remedy: remedy)
  }

  /// Why an address is refused; nil if it is allowed.
  package func refusal(of address: IPAddress) -> AddressRefusal? {
    if let block = exclusions.block(for: address) { return AddressRefusal("excluded by \(block)") }
    guard !allowsPrivate else { return nil }
    return address.specialPurpose.map { AddressRefusal($0, remedy: remedy) }
  }
}
