import Glibc

/// Sets environment variables; for tests that run in a separate process.
func setVariables(_ variables: [String: String]) {
  for (name, value) in variables { unsafe setenv(name, value, 1) }
}

struct DescriptorFlags: Hashable {
  var closesOnExec: Bool
  var blocks: Bool
}

func descriptorFlags(_ descriptor: Int32) -> DescriptorFlags {
  DescriptorFlags(
    closesOnExec: fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0,
    blocks: fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0)
}

/// Runs a closure while this process cannot open descriptors; for tests that run in a separate process.
func withoutDescriptors<Result>(_ body: () -> Result) -> Result {
  let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var before = rlimit()
  unsafe getrlimit(resource, &before)
  var none = before
  none.rlim_cur = 0
  unsafe setrlimit(resource, &none)
  defer { unsafe setrlimit(resource, &before) }
  return body()
}

/// A reserved UDP port of 127.0.0.1 on which nothing listens.
final class DeafPort {
  let number: UInt16
  private let descriptor: Int32

  init() {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // A connected socket receives only from its peer.
    address.sin_port = UInt16(9).bigEndian
    unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = unsafe connect(descriptor, address, size)
        _ = unsafe getsockname(descriptor, address, &size)
      }
    }
    number = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    close(descriptor)
  }
}
