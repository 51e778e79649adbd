/// How far traffic to an address can travel.
public enum AddressReach: Hashable, Sendable {
  /// Only within this machine: loopback, or the unspecified address.
  case machine
  /// Only on the links that this machine is attached to (link-local), or to a cloud's metadata.
  case link
  /// Anywhere with a route, including private networks.
  case network
}
