/// Restricts a request to addresses of the Internet and of the network that an earlier exchange used.
///
/// Addresses of this machine and link-local ones are refused, and private ones (``IPAddress/isSpecialPurpose``)
/// outside the subnets of the interface from which the system reaches ``peer``. A URL from a portal must not
/// make this machine connect to another of its networks.
package struct PrivateAddressLimit: Hashable, Sendable {
  /// The remote address of the earlier exchange; nil if it is not known, which refuses all private addresses.
  package var peer: IPAddress?

  /// A limit.
  package init(peer: IPAddress?) {
    self.peer = peer
  }
}
