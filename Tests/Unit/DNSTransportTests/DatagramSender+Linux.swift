import Glibc
import ProbeBase

/// A socket that sends datagrams to ports of 127.0.0.1.
final class DatagramSender: Sendable {
  struct Failed: Error {}

  private let descriptor: Int32
  private let sent = Guarded(0)

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failed() }
  }

  deinit {
    close(descriptor)
  }

  /// The number of datagrams sent.
  var count: Int { sent.withLock { $0 } }

  func send(_ bytes: [UInt8], toPort port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let count = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe sendto(descriptor, bytes, bytes.count, 0, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if count == bytes.count { sent.withLock { $0 += 1 } }
  }
}
