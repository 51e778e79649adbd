private import Glibc

/// The server side of one TLS connection on a socket, with blocking calls.
///
/// The caller owns the socket and closes it. No call raises SIGPIPE. It must be used by one thread at a time.
package final class ServerConnection {
  /// The session without its transport.
  package let session: TLSSession
  private let socket: BlockingSocket

  /// A connection that waits for a client on a connected socket.
  ///
  /// - Throws: ``TLSError`` if OpenSSL has no memory for it.
  package init(descriptor: Int32, context: ServerContext) throws(TLSError) {
    session = try TLSSession(context)
    socket = BlockingSocket(descriptor: descriptor)
  }

  /// Performs the handshake.
  ///
  /// - Throws: ``TLSError`` if it fails; the client has received an alert, if TLS has one for the error.
  package func handshake() throws(TLSError) {
    while true {
      let progress: TLSSession.Progress
      do {
        progress = try session.handshake()
      } catch {
        // The alert is sent if possible; the original error is the one that matters.
        try? flush()
        throw error
      }
      try flush()
      if progress == .done { return }
      try fill()
    }
  }

  /// Reads bytes from the client, waiting for at least one.
  ///
  /// - Returns: At most `limit` bytes; none if the client has closed its side.
  /// - Throws: ``TLSError`` if the connection broke.
  package func read(upTo limit: Int = 16 * 1024) throws(TLSError) -> [UInt8] {
    guard limit > 0 else { return [] }
    while true {
      let reading = try session.read(upTo: limit)
      try flush()
      switch reading {
      case .bytes(let bytes): return bytes
      case .end: return []
      case .needsInput: try fill()
      }
    }
  }

  /// Sends bytes.
  ///
  /// - Throws: ``TLSError`` if the connection broke.
  package func write(_ bytes: [UInt8]) throws(TLSError) {
    try session.write(bytes)
    try flush()
  }

  /// Sends a close notification; the socket remains open.
  ///
  /// - Throws: ``TLSError`` if the connection broke.
  package func shutdown() throws(TLSError) {
    session.close()
    try flush()
  }
}

extension ServerConnection {
  private func flush() throws(TLSError) {
    let output = session.takeOutput()
    guard output.isEmpty || socket.send(output) else {
      throw TLSError(.connectionLost, "the connection broke while sending: \(socket.errorText)")
    }
  }

  private func fill() throws(TLSError) {
    guard let input = socket.receive(upTo: 16 * 1024) else {
      throw TLSError(.connectionLost, "the connection broke while receiving: \(socket.errorText)")
    }
    if input.isEmpty { session.receiveEnd() } else { session.receive(input) }
  }
}

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
