/// A rule about the addresses that a request may connect to.
///
/// It applies to the addresses of a host name and to an address in a URL, but not to an address from a
/// `connectTo` rule or of a proxy, which the user has chosen. Rules about targets also apply to the target host of a
/// request through a proxy.
package enum AddressRule: Sendable {
  /// No address of this machine or of its links.
  case offThisMachine
  /// No address of this machine or of its links, and no private one (``IPAddress/isSpecialPurpose``) outside
  /// the subnets of the interface through which the system reaches `peer`.
  ///
  /// A URL from a portal must not make this machine connect to another of its networks. If `peer` is nil,
  /// every private address is refused.
  case networkInUse(peer: IPAddress?)
  /// No address that these rules refuse.
  case targets(TargetRules)
}

extension AddressRule {
  /// Why the host of a URL is refused before any lookup; nil if its addresses decide.
  package func refusal(ofHostOf url: ProbeURL) -> AddressRefusal? {
    switch self {
    case .offThisMachine, .networkInUse: url.reach == .network ? nil : .ownAddress
    case .targets(let rules): rules.refusal(ofHostOf: url)
    }
  }
}

/// Why an address or a host is refused.
package struct AddressRefusal: Hashable, Sendable {
  /// A noun phrase to follow "is", such as `a private address`.
  package var description: String
  /// The remedy, or nil if there is none.
  package var remedy: String?

  package init(_ description: String, remedy: String? = nil) {
    self.description = description
    self.remedy = remedy
  }

  /// An address of this machine or of its links, or a name of this machine.
  package static let ownAddress = AddressRefusal("an address of this machine or of its link")
}

extension AddressRefusal {
  /// The message of a failure.
  ///
  /// - Parameters:
  ///   - host: The host of the URL.
  ///   - address: The refused address of the host; nil if the host itself is refused.
  /// - Returns: The text.
  package func words(for host: String, at address: IPAddress? = nil) -> String {
    let isOther = address.map { $0 != IPAddress(host) } ?? false
    let resolved = isOther ? " resolves to \(address.map(\.description) ?? ""), which" : ""
    return "\(host)\(resolved) is \(description): \(remedy ?? "not connected")"
  }
}

/// Which hosts and addresses may be probed, for URLs from others.
package struct TargetRules: Sendable, Changeable {
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

  /// Whether an address is needed to decide about a host, in addition to its name, which may be an allowed one.
  fileprivate func needsAddresses(isNamed: Bool) -> Bool {
    !allowsPrivate || refusesLinkLocal || exclusions.hasBlocks || only != nil && !isNamed
  }

  /// Decides about a host that a proxy looks up, by the addresses that this machine finds.
  ///
  /// The proxy may choose any address of the host, so all of them must be allowed. A host without an address here is
  /// allowed only if no address is needed, or ``only`` has its name.
  ///
  /// - Parameters:
  ///   - url: The URL whose host the proxy looks up.
  ///   - find: Looks the host up; it is not called without need.
  /// - Returns: The addresses; nil if none is needed.
  /// - Throws: `policy.address`, or the failure of the lookup if that is no statement about the host.
  package func judge(
    hostBehindProxy url: ProbeURL, _ find: () async throws(ProbeFailure) -> FoundAddresses?
  ) async throws(ProbeFailure) -> FoundAddresses? {
    if let refusal = refusal(ofHostOf: url) {
      throw ProbeFailure(.addressRefused, refusal.words(for: url.host))
    }
    let isNamed = only?.entry(forHost: url.host) != nil
    guard url.address == nil, needsAddresses(isNamed: isNamed) else { return nil }
    let found: FoundAddresses?
    do throws(ProbeFailure) { found = try await find() } catch {
      guard error.reason.traits.contains(.lookup) else { throw error }
      found = nil
    }
    guard let found, !found.addresses.isEmpty else {
      guard !isNamed else { return nil }
      let words = "a name that only the proxy can look up, so that its addresses are unknown"
      // Otherwise the exclusions alone are the reason, which nothing overrides.
      let isRestricted = !allowsPrivate || refusesLinkLocal || only != nil
      throw ProbeFailure(
        .addressRefused, AddressRefusal(words, remedy: isRestricted ? remedy : nil).words(for: url.host))
    }
    let rules = forAddresses(ofHostOf: url)
    for address in found.addresses.map(\.address) {
      guard let refusal = rules.refusal(of: address) else { continue }
      throw ProbeFailure(.addressRefused, refusal.words(for: url.host, at: address))
    }
    return found
  }

  /// The rules for the addresses of a host.
  ///
  /// If the host is allowed by name, its addresses need not be in ``only``.
  package func forAddresses(ofHostOf url: ProbeURL) -> TargetRules {
    guard let only, only.entry(forHost: url.host) != nil else { return self }
    return with(\.only, nil)
  }
}
