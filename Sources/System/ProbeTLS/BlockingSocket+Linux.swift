private import Glibc

/// Sends and receives on a socket of the caller, and blocks as long as it takes.
struct BlockingSocket {
  /// The socket.
  let descriptor: Int32

  /// Sends all the bytes; returns whether it succeeded.
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        // A closed connection must be an error of this call, not a signal for the process.
        unsafe Glibc.send(
          descriptor, bytes.baseAddress.map { unsafe $0 + sent }, bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Receives at least one byte; none at the end of the connection, nil if it broke.
  func receive(upTo limit: Int) -> [UInt8]? {
    while true {
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
        count = unsafe recv(descriptor, buffer.baseAddress, limit, 0)
        filled = max(0, count)
      }
      if count >= 0 { return bytes }
      if errno != EINTR { return nil }
    }
  }

  /// A description of the error of the last call.
  var errorText: String {
    unsafe String(cString: strerror(errno))
  }
}
