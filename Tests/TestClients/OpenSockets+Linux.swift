internal import Glibc

/// How many descriptors of this process are sockets at this port of this machine.
package func openSockets(port: UInt16) -> Int {
  (0..<1024).count { descriptor in
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
