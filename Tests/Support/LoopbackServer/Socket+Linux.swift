import ProbeBase
private import CProbeSystem
private import Glibc

/// A TCP socket on loopback with blocking calls, which another thread may interrupt but not close.
final class Socket: Sendable {
  private let descriptor: Int32
  // Prevents an interruption of a descriptor that was closed and reused in the meantime.
  private let isOpen = Guarded(true)

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The number of the descriptor, for calls that borrow it.
  var borrowedDescriptor: Int32 { descriptor }

  /// Closes the socket; only the thread that uses it may do so.
  func close() {
    isOpen.withLock { isOpen in
      if isOpen { _ = Glibc.close(descriptor) }
      isOpen = false
    }
  }

  /// Ends all calls that wait on the socket, now and later.
  func interrupt() {
    isOpen.withLock { isOpen in
      if isOpen { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }
}

extension Socket {
  /// A socket bound to a free port of an address of this machine.
  static func bound(to address: LoopbackAddress) throws -> Socket {
    let socket = try make(address)
    let result = unsafe address.withSocketAddress(port: 0) { unsafe bind(socket.descriptor, $0, $1) }
    guard result == 0 else { throw socket.failure("cannot bind \(address.host)") }
    return socket
  }

  static func connected(to address: LoopbackAddress, port: UInt16) throws -> Socket {
    let socket = try make(address)
    let result = unsafe address.withSocketAddress(port: port) { unsafe connect(socket.descriptor, $0, $1) }
    guard result == 0 else { throw socket.failure("cannot connect to \(address.host)") }
    return socket
  }

  private static func make(_ address: LoopbackAddress) throws -> Socket {
    let family = address == .v6 ? AF_INET6 : AF_INET
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw LoopbackError.system("cannot make a socket", errno) }
    return Socket(descriptor)
  }

  private func failure(_ action: String) -> LoopbackError {
    let code = errno
    close()
    return .system(action, code)
  }

  /// Minimizes the system's buffers for connections that are accepted later.
  ///
  /// Small segments also make the peer's buffer small.
  func keepBuffersSmall() {
    for (level, option, value) in [
      (SOL_SOCKET, SO_RCVBUF, Int32(4096)), (Int32(IPPROTO_TCP), TCP_MAXSEG, 536),
    ] {
      unsafe withUnsafePointer(to: value) { value in
        _ = unsafe setsockopt(descriptor, level, option, value, socklen_t(MemoryLayout<Int32>.size))
      }
    }
  }

  /// Starts accepting connections; `backlog` more than one may wait.
  func listen(backlog: Int32) throws {
    guard Glibc.listen(descriptor, backlog) == 0 else { throw failure("cannot listen") }
  }

  var port: UInt16 {
    var storage = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let descriptor = descriptor
    let result = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    // The port is at the same offset in the addresses of both families.
    return result == 0 ? UInt16(bigEndian: storage.sin6_port) : 0
  }

  /// The address of the peer as text, or nil when there is none.
  var peerHost: String? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let descriptor = descriptor
    let result = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
        guard unsafe getpeername(descriptor, address, &size) == 0 else { return -1 }
        return unsafe getnameinfo(address, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      }
    }
    return result == 0
      ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// The next connection, or nil when the socket was interrupted.
  func accept() -> Socket? {
    while true {
      let accepted = probe_accept_cloexec(descriptor)
      if accepted >= 0 {
        var on: Int32 = 1
        unsafe setsockopt(
          accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return Socket(accepted)
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      // The connection waits in the queue until this process has room for it.
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: _ = poll(nil, 0, 10)
      default: return nil
      }
    }
  }
}

extension Socket {
  /// Sends all the bytes.
  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        // A disconnected client must be an error of this call, not a signal for the process.
        unsafe Glibc.send(
          descriptor, bytes.baseAddress.map { unsafe $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno != EINTR {
        throw LoopbackError.system("cannot send", errno)
      }
    }
  }

  /// Receives at least one byte, or none at the end of the connection.
  func receive(upTo limit: Int) throws -> [UInt8] {
    while true {
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
        count = unsafe recv(descriptor, buffer.baseAddress, limit, 0)
        filled = max(0, count)
      }
      if count >= 0 { return bytes }
      if errno != EINTR { throw LoopbackError.system("cannot receive", errno) }
    }
  }

  /// Sends a FIN: the peer sees the end after the bytes sent.
  func shutdownWrite() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes the socket with an RST instead of a FIN.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Waits, unless the connection breaks or is interrupted; returns whether it waited to the end.
  func pause(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&entry, 1, milliseconds) == 0
  }

  /// Waits until there is something to receive or to accept.
  func waitUntilReadable() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&entry, 1, -1) < 0 && errno == EINTR {}
  }
}

extension LoopbackAddress {
  fileprivate func withSocketAddress(
    port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    switch self {
    case .v4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return unsafe withUnsafePointer(to: address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    case .v6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      return unsafe withUnsafePointer(to: address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
  }
}

extension LoopbackError {
  static func system(_ action: String, _ code: Int32) -> LoopbackError {
    LoopbackError("\(action): \(unsafe String(cString: strerror(code)))", systemCode: code)
  }
}
