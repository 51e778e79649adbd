internal import COpenSSL

/// The server side of one TLS connection without its transport: bytes in, bytes out, no I/O.
///
/// Feed it what the peer sent with ``receive(_:)``, ask for progress, and send what ``takeOutput()`` gives, also
/// after an error: that is where the alert is. It belongs to one thread at a time.
@safe public final class TLSSession {
  /// How far a call got.
  public enum Progress: Hashable, Sendable {
    /// It is done.
    case done
    /// It needs more bytes from the peer.
    case needsInput
  }

  /// What a call of ``read(into:)`` found.
  public enum Filling: Hashable, Sendable {
    /// So many bytes from the peer, at least one.
    case bytes(Int)
    /// Nothing yet: it needs more bytes from the peer.
    case needsInput
    /// The peer has closed its side, with a close notification or without.
    case end(notified: Bool)
  }

  /// What a call of ``read(upTo:)`` found.
  public enum Reading: Hashable, Sendable {
    /// Bytes from the peer, at least one.
    case bytes([UInt8])
    /// Nothing yet: it needs more bytes from the peer.
    case needsInput
    /// The peer has closed its side, with a close notification or without.
    case end(notified: Bool)
  }

  private let buffered: BufferedSSL
  private var ssl: OpaquePointer { unsafe buffered.pointer }

  /// A session that waits for a client.
  ///
  /// - Throws: ``TLSError`` when OpenSSL has no memory for it.
  public init(_ context: ServerContext) throws(TLSError) {
    ErrorQueue.clear()
    buffered = try unsafe BufferedSSL(adopting: context.makeSSL())
  }

  /// Takes bytes that the peer sent.
  public func receive(_ bytes: Span<UInt8>) {
    buffered.receive(bytes)
  }

  /// Takes bytes that the peer sent.
  public func receive(_ bytes: [UInt8]) {
    receive(bytes.span)
  }

  /// Takes note that the peer will send no more.
  public func receiveEnd() {
    buffered.receiveEnd()
  }

  /// How many bytes there are to send to the peer now.
  public var outputCount: Int { buffered.outputCount }

  /// The bytes to send to the peer now.
  public func takeOutput() -> [UInt8] {
    buffered.takeOutput()
  }

  /// Moves bytes to send to the peer now into a buffer, as many as there is room for.
  ///
  /// - Returns: How many; 0 when there are none.
  public func takeOutput(into buffer: inout MutableSpan<UInt8>) -> Int {
    buffered.takeOutput(into: &buffer)
  }
}

extension TLSSession {
  /// Goes on with the handshake.
  ///
  /// - Throws: ``TLSError`` when it failed; the output may hold an alert.
  public func handshake() throws(TLSError) -> Progress {
    ErrorQueue.clear()
    let result = unsafe SSL_accept(ssl)
    if result == 1 { return .done }
    if unsafe SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ { return .needsInput }
    throw failure(.handshakeFailed, "the TLS handshake failed")
  }

  /// Takes bytes the peer sent inside TLS.
  ///
  /// - Throws: ``TLSError`` when the peer's records are not valid.
  public func read(upTo limit: Int) throws(TLSError) -> Reading {
    let limit = min(max(1, limit), 64 * 1024)
    var bytes = [UInt8](repeating: 0, count: limit)
    var span = bytes.mutableSpan
    switch try read(into: &span) {
    case .bytes(let count):
      bytes.removeLast(limit - count)
      return .bytes(bytes)
    case .needsInput: return .needsInput
    case .end(let notified): return .end(notified: notified)
    }
  }

  /// Takes bytes the peer sent inside TLS, as many as the buffer has room for.
  ///
  /// - Parameter buffer: Where the bytes go; not empty.
  /// - Returns: How many bytes it took, or why none.
  /// - Throws: ``TLSError`` when the peer's records are not valid.
  public func read(into buffer: inout MutableSpan<UInt8>) throws(TLSError) -> Filling {
    ErrorQueue.clear()
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
    }
    if count > 0 { return .bytes(Int(count)) }
    switch unsafe SSL_get_error(ssl, count) {
    case SSL_ERROR_WANT_READ: return .needsInput
    case SSL_ERROR_ZERO_RETURN: return .end(notified: true)
    default:
      let failure = failure(.protocolViolation, "the client's TLS records cannot be read")
      if failure.fault == nil || failure.fault?.isUnexpectedEnd == true { return .end(notified: false) }
      throw failure
    }
  }

  /// Puts bytes into TLS records for the peer.
  ///
  /// - Throws: ``TLSError`` before the handshake and after ``close()``.
  public func write(_ bytes: [UInt8]) throws(TLSError) {
    try write(bytes.span)
  }

  /// Puts bytes into TLS records for the peer.
  ///
  /// - Throws: ``TLSError`` before the handshake and after ``close()``.
  public func write(_ bytes: Span<UInt8>) throws(TLSError) {
    ErrorQueue.clear()
    guard !bytes.isEmpty else { return }
    // The output grows as needed, so all of it is taken at once.
    var written = 0
    let result = unsafe bytes.withUnsafeBytes { unsafe SSL_write_ex(ssl, $0.baseAddress, $0.count, &written) }
    guard result == 1, written == bytes.count else {
      throw failure(.connectionLost, "cannot send inside TLS")
    }
  }

  /// Announces the end of what this side sends (close_notify, RFC 8446 §6.1).
  public func close() {
    unsafe SSL_shutdown(ssl)
    ErrorQueue.clear()
  }

  /// The protocol version in use, such as `TLSv1.3`.
  public var version: String? {
    unsafe SSL_get_version(ssl).map { unsafe String(cString: $0) }
  }

  /// The host name the client asked for (SNI, RFC 6066 §3), or nil when it named none.
  public var serverName: String? {
    unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0) }
  }

  /// The client's certificate, or nil when it showed none.
  public var clientCertificate: Certificate? {
    guard let pointer = unsafe SSL_get1_peer_certificate(ssl) else { return nil }
    return try? Certificate(unsafe X509Reference(adopting: pointer))
  }

  private func failure(_ code: TLSError.Code, _ action: String) -> TLSError {
    guard let packed = ErrorQueue.take() else {
      return TLSError(.connectionLost, "\(action): the connection ended")
    }
    let fault = HandshakeFault(packedCode: packed)
    return TLSError(code, "\(action): \(fault.text)", fault: fault)
  }
}
