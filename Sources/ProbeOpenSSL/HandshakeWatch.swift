internal import CProbeOpenSSL
internal import ProbeCore

/// Watches the handshake of one connection of a client's.
///
/// It verifies the server's certificates, remembers what was found, and bounds the handshake messages. It
/// belongs to the thread that runs the handshake.
final class HandshakeWatch {
  private struct Record {
    var code: Int32
    var depth: Int32
    var chain: [X509Reference]
    var version: String?
    var cipher: String?
    var applicationProtocol: String?
  }

  /// How many bytes of handshake messages a connection may bring: several times what OpenSSL takes for
  /// certificates.
  private static let mostHandshakeBytes = 512 * 1024

  private let trust: TrustStore
  private let host: CertificateHost?
  private var record: Record?
  private var handshakeBytes = 0

  /// Whether the connection has brought more handshake messages than it may.
  var hasTooManyMessages: Bool { handshakeBytes > Self.mostHandshakeBytes }

  /// A watch that has seen nothing.
  ///
  /// - Parameters:
  ///   - trust: Where certificates that were read before are kept.
  ///   - host: Whom the server's certificate must be for, or nil when that is somebody else's to look at.
  init(trust: TrustStore, host: CertificateHost? = nil) {
    self.trust = trust
    self.host = host
  }

  /// Counts a handshake message, and ends a connection that brings them without end.
  ///
  /// OpenSSL reads on as long as there are any, such as HelloRequests (RFC 5246 §7.4.1.1), which are skipped.
  func count(messageOf bytes: Int, on connection: OpaquePointer) {
    handshakeBytes += bytes
    guard hasTooManyMessages else { return }
    // What comes from now on is thrown away, as behind the peer's own end.
    unsafe SSL_set_shutdown(connection, SSL_RECEIVED_SHUTDOWN)
  }

  /// What the verification found, or nil when the handshake did not get that far.
  var verification: Verification? {
    guard let record else { return nil }
    return Verification(
      code: Int(record.code),
      depth: Int(record.depth),
      text: unsafe String(cString: X509_verify_cert_error_string(Int(record.code))),
      session: TLSFacts(
        version: record.version, cipher: record.cipher,
        chain: record.chain.compactMap(trust.seen.certificate)),
      applicationProtocol: record.applicationProtocol
    )
  }
}

extension HandshakeWatch {
  /// Verifies what a server sent, in place of OpenSSL (SSL_CTX_set_cert_verify_callback(3)).
  ///
  /// - Returns: 1 when all is well, or 0.
  func verify(_ storeContext: OpaquePointer) -> Int32 {
    let sent = unsafe X509Reference.chain(X509_STORE_CTX_get0_untrusted(storeContext))
    // A broken signature leaves errors of its own. The first error must be the one that says what it led to.
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    var isTrusted = unsafe X509_verify_cert(storeContext) > 0
    // A failure without a code, as when memory runs out, must not read as success.
    if !isTrusted, unsafe X509_STORE_CTX_get_error(storeContext) == X509_V_OK {
      unsafe X509_STORE_CTX_set_error(storeContext, X509_V_ERR_UNSPECIFIED)
    }
    // Last, so that of a certificate that is for another host and has expired, too, the latter is told.
    if isTrusted, let host, unsafe !host.isNamed(in: X509_STORE_CTX_get0_cert(storeContext)) {
      isTrusted = false
      unsafe X509_STORE_CTX_set_error(storeContext, host.mismatch)
      unsafe X509_STORE_CTX_set_error_depth(storeContext, 0)
    }
    record = unsafe Self.record(storeContext, sent)
    return isTrusted ? 1 : 0
  }

  private static func record(_ storeContext: OpaquePointer, _ sent: [X509Reference]) -> Record {
    var record = Record(
      code: unsafe X509_STORE_CTX_get_error(storeContext),
      depth: unsafe X509_STORE_CTX_get_error_depth(storeContext),
      chain: sent)
    guard let ssl = unsafe connection(of: storeContext) else { return record }
    record.applicationProtocol = unsafe applicationProtocol(ofSession: ssl)
    record.version = unsafe SSL_get_version(ssl).map { unsafe String(cString: $0) }
    // Up to TLS 1.2 the cipher is still pending while the certificates are looked at.
    let cipher = unsafe SSL_get_current_cipher(ssl) ?? SSL_get_pending_cipher(ssl)
    record.cipher = unsafe cipher.flatMap { unsafe SSL_CIPHER_get_name($0) }.map {
      unsafe String(cString: $0)
    }
    return record
  }

  /// The `SSL` whose peer is being verified.
  static func connection(of storeContext: OpaquePointer) -> OpaquePointer? {
    unsafe X509_STORE_CTX_get_ex_data(storeContext, SSL_get_ex_data_X509_STORE_CTX_idx())
      .map { OpaquePointer($0) }
  }

  /// The protocol inside TLS that was agreed on (ALPN, RFC 7301), or nil for none.
  private static func applicationProtocol(ofSession ssl: OpaquePointer) -> String? {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(ssl, &name, &count)
    return unsafe name.map {
      unsafe String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self)
    }
  }
}
