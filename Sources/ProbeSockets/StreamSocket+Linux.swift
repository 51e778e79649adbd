internal import CProbeShims
internal import Glibc
package import ProbeCore

/// One end of a TCP connection that never blocks; to be closed by its owner.
package struct StreamSocket: Sendable {
  /// The descriptor.
  package let descriptor: Int32

  /// What came of receiving.
  package enum Received {
    /// As many bytes, at least one.
    case bytes(Int)
    /// Nothing is here.
    case nothing
    /// The peer has ended its side.
    case end
    /// The connection broke, with the system's error.
    case broken(Int32)
  }

  /// What came of sending.
  package enum Sent {
    /// The system took so many bytes, and for the rest it has no room yet.
    case bytes(Int)
    /// The connection broke, with the system's error.
    case broken(Int32)
  }

  /// The socket that a descriptor is.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Receives into a buffer.
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

  /// Sends as many of the bytes, from a place on, as the system takes.
  package func send(_ bytes: [UInt8], from start: Int) -> Sent {
    unsafe bytes.withUnsafeBytes { bytes in
      var sent = start
      while sent < bytes.count {
        // A client that has gone must be an error of this call, not a signal for the process.
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

  /// Has small pieces go out at once, also while others are not acknowledged (TCP_NODELAY).
  package func sendAtOnce() {
    var on: Int32 = 1
    unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Sends a FIN behind what was sent.
  package func shutdownWrite() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Has the close that follows send a RST in place of a FIN.
  package func prepareReset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  /// Whether the peer has acknowledged everything.
  package var isAcknowledged: Bool { probe_unacknowledged(descriptor) <= 0 }

  /// The address of this machine on the connection, or nil when the system does not tell.
  package var localAddress: IPAddress? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutableBytes(of: &storage) { storage in
      guard let base = storage.baseAddress,
        unsafe getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return nil }
      return unsafe IPAddress(socketAddress: base)
    }
  }

  /// Closes it: a FIN, or a RST when bytes are unread or ``prepareReset()`` was called.
  package func close() {
    _ = Glibc.close(descriptor)
  }
}
