internal import CProbeOpenSSL
package import ProbeBase

/// One side of a TLS connection without its transport: bytes in, bytes out, no I/O.
///
/// The context decides whether it is the server or the client. Pass received bytes to ``receive(_:)``, call
/// the method for the next step, and send the bytes of ``takeOutput()``, also after an error, because they
/// contain the alert. It must be used by one thread at a time.
@safe package final class TLSSession {
  package enum Progress: Hashable, Sendable {
    /// The step is complete.
    case done
    /// It needs more bytes from the peer.
    case needsInput
  }

  /// The result of ``read(into:)``.
  package enum Filling: Hashable, Sendable {
    /// The number of bytes from the peer, at least one.
    case bytes(Int)
    /// Nothing yet: it needs more bytes from the peer.
    case needsInput
    /// The peer has closed its side, with a close notification or without.
    case end(notified: Bool)
  }

  /// The result of ``read(upTo:)``.
  package enum Reading: Hashable, Sendable {
    /// Bytes from the peer, at least one.
    case bytes([UInt8])
    /// Nothing yet: it needs more bytes from the peer.
    case needsInput
    /// The peer has closed its side, with a close notification or without.
    case end(notified: Bool)
  }

  private let buffered: BufferedSSL
  /// The observer of a client's handshake; nil for a server.
  private let verifier: HandshakeVerifier?
  /// The limit on the peer's handshake messages; OpenSSL refers to it.
  private let messages: MessageLimit
  /// The settings of a server, retained because OpenSSL refers to them.
  private let server: ServerContext?
  private var ssl: OpaquePointer { unsafe buffered.pointer }

  /// A session that waits for a client.
  ///
  /// - Throws: ``TLSError`` if OpenSSL has no memory for it.
  package init(_ context: ServerContext) throws(TLSError) {
    ErrorQueue.clear()
    messages = MessageLimit()
    buffered = try unsafe BufferedSSL(adopting: context.makeSSL(messages))
    verifier = nil
    server = context
  }

  /// A client session, which verifies the server's certificates and their host.
  ///
  /// The chain is verified first: for an expired certificate of another host, ``verification`` reports the
  /// expiry.
  ///
  /// A certificate matches a name if that is one of its alternative names, ignoring case, or if one of them
  /// has `*` instead of the whole first label, with at least two labels after it. It matches an address if
  /// the address is one of its alternative names, as an address. Common names do not count (RFC 9525 §2).
  ///
  /// - Parameters:
  ///   - context: The settings of the client.
  ///   - host: The server's name in ASCII, or its IP address as text without brackets or zone. A name is sent
  ///     to the server (SNI, RFC 6066 §3), without a trailing dot; an address is not.
  /// - Throws: ``TLSError``: ``TLSError/Code/malformedHost`` for a host that is empty, has more than 255
  ///   bytes or a NUL, or starts with a dot; otherwise if OpenSSL has no memory for the session.
  package init(_ context: ClientContext, host: String) throws(TLSError) {
    ErrorQueue.clear()
    let host = try CertificateHost(host)
    let verifier = context.makeVerifier(host: host)
    self.verifier = verifier
    messages = verifier.messages
    server = nil
    buffered = try unsafe BufferedSSL(
      adopting: context.makeSSL(host: host, verifier: verifier), isClient: true)
  }

  /// Adds bytes from the peer.
  package func receive(_ bytes: Span<UInt8>) {
    buffered.receive(bytes)
  }

  /// Adds bytes from the peer.
  package func receive(_ bytes: [UInt8]) {
    receive(bytes.span)
  }

  /// Records that the peer will send no more.
  package func receiveEnd() {
    buffered.receiveEnd()
  }

  /// The number of bytes to send to the peer.
  package var outputCount: Int { buffered.outputCount }

  /// Removes and returns the bytes to send to the peer.
  package func takeOutput() -> [UInt8] {
    buffered.takeOutput()
  }

  /// Moves bytes to send to the peer into a buffer, as many as fit.
  ///
  /// - Returns: The number of bytes; 0 if there are none.
  package func takeOutput(into buffer: inout MutableSpan<UInt8>) -> Int {
    buffered.takeOutput(into: &buffer)
  }
}

extension TLSSession {
  /// Continues the handshake; a client's first call starts it.
  ///
  /// With TLS 1.3 a client is done before the server has verified its certificate: if the server refuses
  /// that, ``read(into:)`` throws its alert.
  ///
  /// - Returns: Whether it is complete.
  /// - Throws: ``TLSError`` if it failed; the output may contain an alert. The failure has the reason:
  ///   ``HandshakeFailure/isUnexpectedEnd`` if the peer closed the connection, and
  ///   ``HandshakeFailure/isCertificateRefused`` if ``verification`` has the details. There is no failure if the
  ///   peer announced its end (``TLSError/Code/connectionLost``), or if it sends too many handshake
  ///   messages (``TLSError/Code/protocolViolation``).
  package func handshake() throws(TLSError) -> Progress {
    ErrorQueue.clear()
    let result = unsafe SSL_do_handshake(ssl)
    defer { buffered.releaseInput() }
    if result == 1 { return .done }
    if unsafe SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ { return .needsInput }
    throw failure(.handshakeFailed, "the TLS handshake failed")
  }

  /// Reads bytes that the peer sent inside TLS.
  ///
  /// - Throws: ``TLSError`` if the peer's records are invalid.
  package func read(upTo limit: Int) throws(TLSError) -> Reading {
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

  /// Reads bytes that the peer sent inside TLS, as many as fit into the buffer.
  ///
  /// - Parameter buffer: The buffer; not empty.
  /// - Returns: The number of bytes, or the reason why there are none.
  /// - Throws: ``TLSError`` if the peer's records are invalid, or it sends handshake messages without end.
  package func read(into buffer: inout MutableSpan<UInt8>) throws(TLSError) -> Filling {
    ErrorQueue.clear()
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
    }
    if count > 0 {
      messages.received(Int(widening: count))
      return .bytes(Int(widening: count))
    }
    // Nothing more is read for now.
    defer { buffered.releaseInput() }
    let isFlooded = messages.isExceeded
    switch unsafe SSL_get_error(ssl, count) {
    case SSL_ERROR_WANT_READ: return .needsInput
    case SSL_ERROR_ZERO_RETURN where !isFlooded: return .end(notified: true)
    default:
      let failure = failure(.protocolViolation, "the peer's TLS records cannot be read")
      if !isFlooded, failure.code == .connectionLost || failure.handshakeFailure?.isUnexpectedEnd == true {
        return .end(notified: false)
      }
      throw failure
    }
  }

  /// Encrypts bytes for the peer.
  ///
  /// - Throws: ``TLSError`` before the handshake and after ``close()``.
  package func write(_ bytes: [UInt8]) throws(TLSError) {
    try write(bytes.span)
  }

  /// Encrypts bytes for the peer.
  ///
  /// - Throws: ``TLSError`` before the handshake and after ``close()``.
  package func write(_ bytes: Span<UInt8>) throws(TLSError) {
    ErrorQueue.clear()
    guard !bytes.isEmpty else { return }
    // The output grows as needed, so all bytes are accepted at once.
    var written = 0
    let result = unsafe bytes.withUnsafeBytes { unsafe SSL_write_ex(ssl, $0.baseAddress, $0.count, &written) }
    guard result == 1, written == bytes.count else {
      throw failure(.connectionLost, "cannot send inside TLS")
    }
  }

  /// Changes the keys for what this side sends (RFC 8446 §4.6.3), and asks the peer to do the same.
  ///
  /// - Throws: ``TLSError`` before the handshake, and with TLS 1.2.
  package func updateKeys() throws(TLSError) {
    ErrorQueue.clear()
    guard unsafe SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1, unsafe SSL_do_handshake(ssl) == 1 else {
      throw failure(.connectionLost, "cannot change the keys")
    }
  }

  /// Announces the end of this side's data (close_notify, RFC 8446 §6.1).
  package func close() {
    unsafe SSL_shutdown(ssl)
    ErrorQueue.clear()
  }

  /// The protocol version in use, such as `TLSv1.3`.
  package var version: String? {
    unsafe SSL_get_version(ssl).map { unsafe String(cString: $0) }
  }

  /// The host name that the client requested (SNI, RFC 6066 §3), or nil if there was none.
  package var serverName: String? {
    unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0) }
  }

  /// The client's certificate, or nil if it sent none; always nil for a client's own session.
  package var clientCertificate: CertificateFacts? {
    guard unsafe SSL_is_server(ssl) == 1, let pointer = unsafe SSL_get1_peer_certificate(ssl) else {
      return nil
    }
    return try? CertificateFacts(unsafe X509Reference(adopting: pointer))
  }

  /// The result of verifying the server's certificates.
  ///
  /// It is nil on a server, and if the handshake did not get that far. After a failed verification it has all
  /// the certificates that the server sent.
  package var verification: Verification? { verifier?.verification }

  private func failure(_ code: TLSError.Code, _ action: String) -> TLSError {
    if messages.isExceeded {
      ErrorQueue.clear()
      return TLSError(.protocolViolation, "\(action): the peer sends handshake messages without end")
    }
    guard let packed = ErrorQueue.take() else {
      return TLSError(.connectionLost, "\(action): the connection ended")
    }
    let handshakeFailure = HandshakeFailure(packedCode: packed)
    return TLSError(code, "\(action): \(handshakeFailure.text)", handshakeFailure: handshakeFailure)
  }
}
