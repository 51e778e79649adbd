package import ProbeTLS

/// A TLS client on a ``RawClient``, for tests of the data inside TLS and of how it ends.
package final class SecureClient {
  /// The connection below.
  package let raw: RawClient
  /// The TLS side.
  package let tls: MemoryClient
  /// Whether the server has announced its end (close_notify, RFC 8446 §6.1).
  package private(set) var hasCloseNotice = false
  /// The error in the TLS records, such as the server's alert.
  package private(set) var handshakeFailure: HandshakeFailure?

  /// A connection to a port of this machine, without a handshake.
  package init(
    port: UInt16, trust: TrustStore, options: MemoryClient.Options = .init(),
    within limit: Duration = RawClient.patience
  ) throws {
    raw = try RawClient(port: port, within: limit)
    tls = try MemoryClient(trust: trust, options: options)
  }

  /// Performs the handshake.
  ///
  /// - Throws: ``MemoryClient/Failure``, also when the connection ends before it is done.
  package func handshake(within limit: Duration = RawClient.patience) throws {
    while true {
      // An alert about an error is sent too.
      let progress = Result { try tls.step() }
      let output = tls.takeOutput()
      if !output.isEmpty { try raw.send(output) }
      if try progress.get() { return }
      let part = raw.receivePart(within: limit)
      guard !part.bytes.isEmpty else { throw MemoryClient.Failure(handshakeFailure: nil) }
      tls.receive(part.bytes)
    }
  }

  /// Sends bytes inside TLS.
  package func send(_ bytes: [UInt8]) throws {
    tls.send(bytes)
    try raw.send(tls.takeOutput())
  }

  /// Sends a close_notify alert.
  package func close() throws {
    tls.close()
    try raw.send(tls.takeOutput())
  }

  /// Receives until this many bytes are received, the connection ends, or nothing is received for a while.
  ///
  /// - Returns: The bytes inside TLS, and how the underlying connection ended.
  package func receive(upTo count: Int = .max, within limit: Duration = RawClient.patience)
    -> RawClient.Reception
  {
    var bytes: [UInt8] = []
    while true {
      bytes += readable()
      if bytes.count >= count { return RawClient.Reception(bytes, .enough) }
      let part = raw.receivePart(within: limit)
      tls.receive(part.bytes)
      if part.ending != .enough {
        bytes += readable()
        return RawClient.Reception(bytes, bytes.count >= count ? .enough : part.ending)
      }
    }
  }

  private func readable() -> [UInt8] {
    var bytes: [UInt8] = []
    while !hasCloseNotice {
      do {
        let more = try tls.read()
        hasCloseNotice = more.isEmpty
        bytes += more
      } catch {
        handshakeFailure = (error as? MemoryClient.Failure)?.handshakeFailure ?? handshakeFailure
        break
      }
    }
    return bytes
  }
}
