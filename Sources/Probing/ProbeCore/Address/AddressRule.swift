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

  /// Creates a refusal.
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
