package import Glibc
package import ProbeBase

extension SocketAddress {
  /// Calls a closure with the address in the form for system calls.
  package func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    switch address.family {
    case .v4:
      var storage = sockaddr_in()
      storage.sin_family = sa_family_t(AF_INET)
      storage.sin_port = port.bigEndian
      storage.sin_addr.s_addr = UInt32(truncatingIfNeeded: address.bits).bigEndian
      return unsafe withUnsafePointer(to: storage) { storage in
        unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    case .v6:
      var storage = sockaddr_in6()
      storage.sin6_family = sa_family_t(AF_INET6)
      storage.sin6_port = port.bigEndian
      unsafe withUnsafeMutableBytes(of: &storage.sin6_addr) { bytes in
        for index in 0..<16 {
          unsafe bytes[index] = UInt8(truncatingIfNeeded: address.bits >> (120 - 8 * index))
        }
      }
      return unsafe withUnsafePointer(to: storage) { storage in
        unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
  }
}

extension SocketAddress {
  /// The address of a socket of IPv4 or IPv6 (getsockname(2)); nil for others.
  package init?(of descriptor: Int32) {
    var storage = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    guard result == 0,
      let address = unsafe withUnsafeBytes(of: &storage, { unsafe IPAddress(socketAddress: $0.baseAddress) })
    else { return nil }
    // The port is at the same offset in the addresses of both families.
    self.init(address, port: UInt16(bigEndian: storage.sin6_port))
  }
}

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
