package import Glibc
package import ProbeCore

extension IPAddress {
  /// The address in a socket address, without its zone, or nil when that is of another family.
  package init?(_ address: UnsafePointer<sockaddr>?) {
    guard let address = unsafe address else { return nil }
    switch unsafe Int32(address.pointee.sa_family) {
    case AF_INET:
      let bits = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        unsafe $0.pointee.sin_addr.s_addr
      }
      self.init(v4: UInt32(bigEndian: bits))
    case AF_INET6:
      let bits = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        var bytes = unsafe pointer.pointee.sin6_addr
        return unsafe withUnsafeBytes(of: &bytes) { unsafe $0.loadUnaligned(as: UInt128.self) }
      }
      self.init(v6: UInt128(bigEndian: bits))
    default: return nil
    }
  }
}
