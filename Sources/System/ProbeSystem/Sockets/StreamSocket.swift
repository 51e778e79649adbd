internal import CProbeSystem
internal import Glibc
package import ProbeBase

/// One end of a nonblocking TCP connection; the owner must close it.
package struct StreamSocket: Sendable {
  package let descriptor: Int32

  package enum Received {
    /// The number of bytes, at least one.
    case bytes(Int)
    /// Nothing is available.
    case nothing
    /// The peer has closed its side.
    case end
    /// The connection broke, with the system error.
    case broken(Int32)
  }

  /// The result of sending.
  package enum Sent {
    /// The number of bytes that the system accepted; there is no buffer space for the rest yet.
    case bytes(Int)
    /// The connection broke, with the system error.
    case broken(Int32)
  }

  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
    while true {
      let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      case let error: return .broken(error)
      }
    }
  }

  /// Sends as many bytes from an offset on as the system accepts.
  package func send(_ bytes: [UInt8], from start: Int) -> Sent {
    unsafe bytes.withUnsafeBytes { bytes in
      var sent = start
      while sent < bytes.count {
        // A disconnected client must be an error of this call, not a signal for the process.
        let count = unsafe Glibc.send(
          descriptor, bytes.baseAddress.map { unsafe $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
        if count >= 0 {
          sent += count
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN: return .bytes(sent - start)
        case let error: return .broken(error)
        }
      }
      return .bytes(sent - start)
    }
  }

  /// Sends small pieces immediately, even if earlier ones are not acknowledged (TCP_NODELAY).
  package func sendAtOnce() {
    var on: Int32 = 1
    unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Sends a FIN after everything sent so far.
  package func shutdownWrite() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Makes the next close send an RST instead of a FIN.
  package func prepareReset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  /// Whether the peer has acknowledged everything.
  package var isAcknowledged: Bool { probe_unacknowledged(descriptor) <= 0 }

  /// The local address of the connection, or nil if the system does not report it.
  package var localAddress: IPAddress? { SocketAddress(of: descriptor)?.address }

  /// The address of the client of an accepted connection, or nil if the connection is already gone.
  ///
  /// An IPv4 client of an IPv6 socket has its IPv4 address (RFC 4291 §2.5.5.2).
  package var peerAddress: IPAddress? {
    var storage = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getpeername(descriptor, $0, &size)
      }
    }
    guard result == 0 else { return nil }
    let address = unsafe withUnsafeBytes(of: &storage) { unsafe IPAddress(socketAddress: $0.baseAddress) }
    guard let address, address.family == .v6, address.bits >> 32 == 0xFFFF else { return address }
    return IPAddress(v4: UInt32(truncatingIfNeeded: address.bits))
  }

  /// The original destination of an accepted connection that netfilter redirected to this socket, or nil if
  /// netfilter does not track it.
  package var originalDestination: SocketAddress? {
    // SO_ORIGINAL_DST and IP6T_SO_ORIGINAL_DST, whose headers conflict with those of the C library. An IPv6
    // socket may have an IPv4 connection.
    let option: Int32 = 80
    for level in [IPPROTO_IP, Int(IPPROTO_IPV6)] {
      var storage = sockaddr_in6()
      var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
      guard unsafe getsockopt(descriptor, Int32(truncatingIfNeeded: level), option, &storage, &size) == 0
      else { continue }
      // The port is at the same offset in the addresses of both families.
      let port = UInt16(bigEndian: storage.sin6_port)
      let address = unsafe withUnsafeBytes(of: &storage) {
        unsafe IPAddress(socketAddress: $0.baseAddress)
      }
      return address.map { SocketAddress($0, port: port) }
    }
    return nil
  }

  /// The first received byte, which remains unread; nil if there is none or the connection has ended.
  package var firstByte: UInt8? {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1 ? byte : nil
  }

  /// Closes the connection with a FIN, or with an RST if bytes are unread or ``prepareReset()`` was called.
  package func close() {
    _ = Glibc.close(descriptor)
  }
}

/// The bytes of a connection that the system has not accepted yet.
package struct SendBuffer: Sendable {
  private var bytes: [UInt8] = []
  /// The number of sent bytes.
  private var start = 0

  package init() {}

  /// Whether all bytes have been sent.
  package var isEmpty: Bool { start == bytes.count }

  /// Sends bytes after the buffered ones, and buffers those that the system does not accept yet.
  ///
  /// - Returns: false if the connection is broken.
  package mutating func send(_ more: [UInt8], on socket: StreamSocket) -> Bool {
    if !isEmpty {
      bytes += more
      return true
    }
    (bytes, start) = (more, 0)
    return flush(on: socket)
  }

  /// Sends the buffered bytes.
  ///
  /// - Returns: false if the connection is broken.
  package mutating func flush(on socket: StreamSocket) -> Bool {
    guard !isEmpty else { return true }
    guard case .bytes(let sent) = socket.send(bytes, from: start) else { return false }
    start += sent
    if isEmpty { (bytes, start) = ([], 0) }
    return true
  }
}
