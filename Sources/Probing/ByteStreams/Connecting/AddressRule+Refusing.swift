package import ProbeCore
import ProbeSystem

extension AddressRule {
  /// The reason for refusing a connection to an address; nil if the rule allows it.
  package func refusal(of address: IPAddress) -> AddressRefusal? {
    switch self {
    case .offThisMachine:
      return address.reach == .network ? nil : .ownAddress
    case .networkInUse(let peer):
      guard address.reach == .network else { return .ownAddress }
      guard address.isSpecialPurpose else { return nil }
      let isOfTheNetwork = InterfaceSubnets.towards(peer).contains { $0.contains(address) }
      return isOfTheNetwork ? nil : AddressRefusal("a private address outside the network in use")
    case .targets(let rules):
      return rules.refusal(of: address)
    }
  }
}

extension [AddressRule] {
  /// The reason for refusing a connection to an address, from the first rule that does; nil if all allow it.
  package func refusal(of address: IPAddress) -> AddressRefusal? {
    for rule in self {
      if let refusal = rule.refusal(of: address) { return refusal }
    }
    return nil
  }
}
