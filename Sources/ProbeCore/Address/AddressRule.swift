/// A rule about the addresses that a request may connect to.
///
/// It applies to the addresses of a name and to an address in a URL, but not where a `connectTo` rule or a proxy names
/// the address: that is the user's choice.
package enum AddressRule: Sendable {
  /// No address of this machine or of its links.
  case offThisMachine
  /// No address of this machine or of its links, and no private one (``IPAddress/isSpecialPurpose``) outside the subnets
  /// of the interface from which the system reaches an address.
  ///
  /// A URL from a portal must not make this machine connect to another of its networks. Without an address, every
  /// private one is refused.
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
  /// What it is, to follow "is", such as `a private address`.
  package var description: String
  /// What to do about it; nil for nothing.
  package var remedy: String?

  /// A refusal.
  package init(_ description: String, remedy: String? = nil) {
    self.description = description
    self.remedy = remedy
  }

  /// An address of this machine or of its links, or a name of this machine.
  package static let ownAddress = AddressRefusal("an address of this machine or of its link")
}

extension AddressRefusal {
  /// The text of a failure.
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
