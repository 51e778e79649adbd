internal import Glibc

/// The two ends of a TCP connection of this process with itself.
///
/// TCP and not a pair of local sockets, because a reset must be possible, behind bytes that can still be read.
struct LoopbackPair {
  /// The end of whoever hands bytes on.
  let near: Int32
  /// The end of whoever is handed them.
  let far: Int32

  /// A connection, or nil with `errno` set when the machine has no descriptor or memory left for one.
  init?() {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let listener = socket(AF_INET, kind, 0)
    guard listener >= 0 else { return nil }
    defer { Self.closeKeepingError(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    guard Self.bind(listener, address), listen(listener, 8) == 0,
      let place = unsafe Self.name(of: listener, getsockname)
    else { return nil }
    let far = socket(AF_INET, kind, 0)
    guard far >= 0 else { return nil }
    guard Self.connect(far, place), let own = unsafe Self.name(of: far, getsockname),
      let near = Self.accept(own, at: listener)
    else {
      Self.closeKeepingError(far)
      return nil
    }
    for end in [near, far] { Self.setOption(end, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1)) }
    self.near = near
    self.far = far
  }

  /// Closes an end so that the other one reads what is still on its way, and then a reset.
  static func reset(_ end: Int32) {
    setOption(end, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    close(end)
  }
}

extension LoopbackPair {
  /// The connection that was made from this port: anybody on this machine may connect to a port that listens.
  private static func accept(_ peer: sockaddr_in, at listener: Int32) -> Int32? {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      guard descriptor >= 0 else { return nil }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      if let name = unsafe name(of: descriptor, getpeername), name.sin_port == peer.sin_port,
        name.sin_addr.s_addr == peer.sin_addr.s_addr
      {
        return descriptor
      }
      close(descriptor)
    }
  }

  private static func bind(_ socket: Int32, _ address: sockaddr_in) -> Bool {
    unsafe withUnsafeBytes(of: address) { bytes in
      let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return unsafe Glibc.bind(socket, address, socklen_t(bytes.count)) == 0
    }
  }

  private static func connect(_ socket: Int32, _ address: sockaddr_in) -> Bool {
    unsafe withUnsafeBytes(of: address) { bytes in
      let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return unsafe Glibc.connect(socket, address, socklen_t(bytes.count)) == 0
    }
  }

  private static func name(
    of socket: Int32,
    _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> sockaddr_in? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe ask(socket, $0, &length) }
    }
    return result == 0 ? address : nil
  }

  private static func setOption<Value>(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Value) {
    _ = unsafe withUnsafeBytes(of: value) { bytes in
      unsafe setsockopt(socket, level, option, bytes.baseAddress, socklen_t(bytes.count))
    }
  }

  private static func closeKeepingError(_ descriptor: Int32) {
    let error = errno
    close(descriptor)
    errno = error
  }
}
