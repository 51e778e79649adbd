import Glibc

/// Switches an interface on and off, at once and without another program (netdevice(7)).
struct LinkSwitch {
  /// The system call failed.
  struct Failed: Error {
    var systemCode: Int32
  }

  private let socket: Int32
  private let name: String

  init(_ name: String) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw Failed(systemCode: errno) }
    self.name = name
  }

  func set(up isUp: Bool) throws {
    // struct ifreq: sixteen bytes of name, then a union that begins with the flags.
    var request = [UInt8](repeating: 0, count: 40)
    for (index, byte) in name.utf8.prefix(15).enumerated() { request[index] = byte }
    try call(0x8913, &request)  // SIOCGIFFLAGS
    request[16] = isUp ? request[16] | 1 : request[16] & ~1
    try call(0x8914, &request)  // SIOCSIFFLAGS
  }

  private func call(_ number: UInt, _ request: inout [UInt8]) throws {
    guard unsafe ioctl(socket, number, &request) == 0 else { throw Failed(systemCode: errno) }
  }
}
