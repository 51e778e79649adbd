internal import Glibc

/// The number of descriptors of this process that are sockets at this port of this machine.
package func openSockets(port: UInt16) -> Int {
  // Other tests may use many descriptors, so that those of this one have high numbers.
  var limit = rlimit()
  let isKnown = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
  return (0..<Int(isKnown ? min(limit.rlim_cur, 65_536) : 65_536)).count { descriptor in
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(Int32(descriptor), $0, &size)
      }
    }
    return result == 0 && address.sin_port == port.bigEndian
  }
}
