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
