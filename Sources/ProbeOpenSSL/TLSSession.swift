internal import CProbeOpenSSL
package import ProbeCore

/// One side of a TLS connection without its transport: bytes in, bytes out, no I/O.
///
/// Whether it is the server's side or the client's depends on the context. Feed it what the peer sent with
/// ``receive(_:)``, ask for progress, and send what ``takeOutput()`` gives, also after an error: that is
/// where the alert is. It belongs to one thread at a time.
@safe package final class TLSSession {
  /// How far a call got.
  package enum Progress: Hashable, Sendable {
    /// It is done.
    case done
    /// It needs more bytes from the peer.
    case needsInput
  }

  /// What a call of ``read(into:)`` found.
  package enum Filling: Hashable, Sendable {
    /// So many bytes from the peer, at least one.
    case bytes(Int)
    /// Nothing yet: it needs more bytes from the peer.
    case needsInput
    /// The peer has closed its side, with a close notification or without.
    case end(notified: Bool)
  }

  /// What a call of ``read(upTo:)`` found.
  package enum Reading: Hashable, Sendable {
    /// Bytes from the peer, at least one.
    case bytes([UInt8])
    /// Nothing yet: it needs more bytes from the peer.
    case needsInput
    /// The peer has closed its side, with a close notification or without.
    case end(notified: Bool)
  }

  private let buffered: BufferedSSL
  /// What a client has seen of the handshake; nil for a server.
  private let watch: HandshakeWatch?
  private var ssl: OpaquePointer { unsafe buffered.pointer }

  /// A session that waits for a client.
  ///
  /// - Throws: ``TLSError`` when OpenSSL has no memory for it.
  package init(_ context: ServerContext) throws(TLSError) {
    ErrorQueue.clear()
    buffered = try unsafe BufferedSSL(adopting: context.makeSSL())
    watch = nil
  }

  /// A session of a client, which verifies the server's certificates and whom they are for.
  ///
  /// The chain comes first: of a certificate that has expired and is for another host, ``verification`` says
  /// that it has expired.
  ///
  /// A certificate is for a name when that is one of its alternative names, in letters of any case, or when
  /// one of them has `*` in place of the whole first label and at least two labels behind it. It is for an
  /// address when the address is one of its alternative names, as an address. Common names do not count (RFC
  /// 9525 §2).
  ///
  /// - Parameters:
  ///   - context: How the client speaks TLS.
  ///   - host: The server's name in ASCII, or its IP address as text without brackets or zone. A name is told
  ///     to the server (SNI, RFC 6066 §3), without the dot it may end in; an address is not.
  /// - Throws: ``TLSError``: ``TLSError/Code/malformedHost`` for a host that is empty, has more than 255
  ///   bytes or a NUL, or starts with a dot; otherwise when OpenSSL has no memory for the session.
  package init(_ context: ClientContext, host: String) throws(TLSError) {
    ErrorQueue.clear()
    let host = try CertificateHost(host)
    let watch = context.makeWatch(host: host)
    self.watch = watch
    buffered = try unsafe BufferedSSL(adopting: context.makeSSL(host: host, watch: watch), isClient: true)
  }

  /// Takes bytes that the peer sent.
  package func receive(_ bytes: Span<UInt8>) {
    buffered.receive(bytes)
  }

  /// Takes bytes that the peer sent.
  package func receive(_ bytes: [UInt8]) {
    receive(bytes.span)
  }

  /// Takes note that the peer will send no more.
  package func receiveEnd() {
    buffered.receiveEnd()
  }

  /// How many bytes there are to send to the peer now.
  package var outputCount: Int { buffered.outputCount }

  /// The bytes to send to the peer now.
  package func takeOutput() -> [UInt8] {
    buffered.takeOutput()
  }

  /// Moves bytes to send to the peer now into a buffer, as many as there is room for.
  ///
  /// - Returns: How many; 0 when there are none.
  package func takeOutput(into buffer: inout MutableSpan<UInt8>) -> Int {
    buffered.takeOutput(into: &buffer)
  }
}

extension TLSSession {
  /// Goes on with the handshake; a client's first call starts it.
  ///
  /// With TLS 1.3 a client is done before the server has looked at its certificate: if the server refuses
  /// that, ``read(into:)`` throws its alert.
  ///
  /// - Returns: Whether it is done.
  /// - Throws: ``TLSError`` when it failed; the output may hold an alert. The fault says why:
  ///   ``HandshakeFault/isUnexpectedEnd`` when the peer closed the connection, and
  ///   ``HandshakeFault/isCertificateRefused`` when ``verification`` says more. There is no fault when the
  ///   peer announced its end (``TLSError/Code/connectionLost``), and when a server sends handshake messages
  ///   without end (``TLSError/Code/protocolViolation``).
  package func handshake() throws(TLSError) -> Progress {
    ErrorQueue.clear()
    let result = unsafe SSL_do_handshake(ssl)
    defer { buffered.releaseInput() }
    if result == 1 { return .done }
    if unsafe SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ { return .needsInput }
    throw failure(.handshakeFailed, "the TLS handshake failed")
  }

  /// Takes bytes the peer sent inside TLS.
  ///
  /// - Throws: ``TLSError`` when the peer's records are not valid.
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

  /// Takes bytes the peer sent inside TLS, as many as the buffer has room for.
  ///
  /// - Parameter buffer: Where the bytes go; not empty.
  /// - Returns: How many bytes it took, or why none.
  /// - Throws: ``TLSError`` when the peer's records are not valid.
  package func read(into buffer: inout MutableSpan<UInt8>) throws(TLSError) -> Filling {
    ErrorQueue.clear()
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
    }
    if count > 0 { return .bytes(Int(count)) }
    // Nobody is going to read on for now.
    defer { buffered.releaseInput() }
    switch unsafe SSL_get_error(ssl, count) {
    case SSL_ERROR_WANT_READ: return .needsInput
    case SSL_ERROR_ZERO_RETURN: return .end(notified: true)
    default:
      let failure = failure(.protocolViolation, "the peer's TLS records cannot be read")
      if failure.code == .connectionLost || failure.fault?.isUnexpectedEnd == true {
        return .end(notified: false)
      }
      throw failure
    }
  }

  /// Puts bytes into TLS records for the peer.
  ///
  /// - Throws: ``TLSError`` before the handshake and after ``close()``.
  package func write(_ bytes: [UInt8]) throws(TLSError) {
    try write(bytes.span)
  }

  /// Puts bytes into TLS records for the peer.
  ///
  /// - Throws: ``TLSError`` before the handshake and after ``close()``.
  package func write(_ bytes: Span<UInt8>) throws(TLSError) {
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
  package func close() {
    unsafe SSL_shutdown(ssl)
    ErrorQueue.clear()
  }

  /// The protocol version in use, such as `TLSv1.3`.
  package var version: String? {
    unsafe SSL_get_version(ssl).map { unsafe String(cString: $0) }
  }

  /// The host name the client asked for (SNI, RFC 6066 §3), or nil when it named none.
  package var serverName: String? {
    unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0) }
  }

  /// The client's certificate, or nil when it showed none; a client's session has none for itself.
  package var clientCertificate: CertificateFacts? {
    guard unsafe SSL_is_server(ssl) == 1, let pointer = unsafe SSL_get1_peer_certificate(ssl) else {
      return nil
    }
    return try? CertificateFacts(unsafe X509Reference(adopting: pointer))
  }

  /// What the verification of the server's certificates found.
  ///
  /// It is nil on a server, and when the handshake did not get that far. When the handshake failed for it, it
  /// still has all the certificates that the server sent.
  package var verification: Verification? { watch?.verification }

  private func failure(_ code: TLSError.Code, _ action: String) -> TLSError {
    if watch?.hasTooManyMessages == true {
      ErrorQueue.clear()
      return TLSError(.protocolViolation, "\(action): the server sends handshake messages without end")
    }
    guard let packed = ErrorQueue.take() else {
      return TLSError(.connectionLost, "\(action): the connection ended")
    }
    let fault = HandshakeFault(packedCode: packed)
    return TLSError(code, "\(action): \(fault.text)", fault: fault)
  }
}
