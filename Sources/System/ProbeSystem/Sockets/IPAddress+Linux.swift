internal import Glibc
package import ProbeBase

extension IPAddress {
  /// The address in a socket address, without its zone, or nil if it has another family.
  ///
  /// - Parameter address: A `sockaddr` of its family's size. It is untyped, because the module of that type
  ///   depends on the order of imports.
  package init?(socketAddress address: UnsafeRawPointer?) {
    guard let address = unsafe address else { return nil }
    switch unsafe Int32(truncatingIfNeeded: address.load(as: sockaddr.self).sa_family) {
    case AF_INET:
      let bits = unsafe address.load(as: sockaddr_in.self).sin_addr.s_addr
      self.init(v4: UInt32(bigEndian: bits))
    case AF_INET6:
      var bytes = unsafe address.load(as: sockaddr_in6.self).sin6_addr
      let bits = unsafe withUnsafeBytes(of: &bytes) { unsafe $0.loadUnaligned(as: UInt128.self) }
      self.init(v6: UInt128(bigEndian: bits))
    default: return nil
    }
  }
}
