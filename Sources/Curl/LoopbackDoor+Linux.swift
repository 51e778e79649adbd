internal import Glibc

/// A way into this process over loopback, for one socket and no other.
///
/// libcurl connects to it as to any server: 7.88 cannot use a socket that is connected already. TCP and not a pair of local
/// sockets, because a reset must be possible, behind bytes that can still be read.
struct LoopbackDoor {
  /// The socket that may come in; not connected yet.
  let guest: Int32
  /// Where it has to connect to, on 127.0.0.1.
  let port: UInt16
  private let listener: Int32
  private let guestName: sockaddr_in

  /// A door, or nil with `errno` set when the machine has no descriptor or memory left for one.
  init?() {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let listener = socket(AF_INET, kind, 0)
    guard listener >= 0 else { return nil }
    let guest = socket(AF_INET, kind, 0)
    guard guest >= 0, Self.bind(listener), listen(listener, 8) == 0, Self.bind(guest),
      let place = unsafe Self.name(of: listener, getsockname),
      let name = unsafe Self.name(of: guest, getsockname)
    else {
      let error = errno
      close(listener)
      if guest >= 0 { close(guest) }
      errno = error
      return nil
    }
    self.listener = listener
    self.guest = guest
    guestName = name
    port = UInt16(bigEndian: place.sin_port)
  }

  /// Waits for the guest, and lets nobody else in: anybody on this machine may connect to a port that listens.
  ///
  /// - Returns: This process's end of the connection, or nil with `errno` set when the door was closed, or the machine
  ///   has no descriptor left.
  func admit() -> Int32? {
    while true {
      let descriptor = accept(listener, nil, nil)
      if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
      guard descriptor >= 0 else { return nil }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      if let name = unsafe Self.name(of: descriptor, getpeername), name.sin_port == guestName.sin_port,
        name.sin_addr.s_addr == guestName.sin_addr.s_addr
      {
        Self.setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        return descriptor
      }
      close(descriptor)
    }
  }

  /// What poll(2) is to look at for an end of the time in which a guest is admitted: then it shows POLLHUP.
  var closing: pollfd { pollfd(fd: listener, events: 0, revents: 0) }

  /// Ends the wait for a guest that may not come any more.
  func stopAdmitting() {
    shutdown(listener, Int32(SHUT_RD))
  }

  /// Closes the door; to be called once, when nobody waits for the guest.
  func closeDoor() {
    close(listener)
  }

  /// Closes an end so that the other one reads what is still on its way, and then a reset.
  static func reset(_ end: Int32) {
    setOption(end, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    close(end)
  }
}

extension LoopbackDoor {
  /// Binds a socket to a free port of 127.0.0.1.
  private static func bind(_ socket: Int32) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return unsafe withUnsafeBytes(of: address) { bytes in
      let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return unsafe Glibc.bind(socket, address, socklen_t(bytes.count)) == 0
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
}
