internal import COpenSSL

/// Verifies a server's certificates against a ``TrustStore`` and remembers what was found, for one connection.
///
/// It is for a client that lends its `SSL_CTX` before the handshake, such as libcurl through
/// `CURLOPT_SSL_CTX_FUNCTION`:
///
/// 1. Tell the client to read no authorities of its own (`CURLOPT_CAINFO` and `CURLOPT_CAPATH` NULL), which would be
///    read for nothing.
/// 2. Make an observer, and keep it until the connection and its context are gone: OpenSSL holds a plain pointer
///    to it.
/// 3. In the client's callback, on the thread that runs the handshake, call ``install(onContext:trust:)``.
/// 4. After the handshake, successful or not, read ``verification`` on the same thread.
///
/// An observer belongs to one thread, which is why it is not `Sendable`. Whether the certificate is for the right
/// host is the client's own affair. A resumed session has no certificates to verify: to see them every time, switch
/// the client's session cache off (`CURLOPT_SSL_SESSIONID_CACHE`).
public final class HandshakeObserver {
  private struct Record {
    var code: Int32
    var depth: Int32
    var chain: [X509Reference]
    var version: String?
    var cipher: String?
  }

  /// How many bytes of handshake messages a connection may bring: several times what OpenSSL takes for certificates.
  private static let mostHandshakeBytes = 512 * 1024

  private var record: Record?
  private var trust: TrustStore?
  private var handshakeBytes = 0

  /// An observer that has seen nothing.
  public init() {}

  /// Makes the connections of an `SSL_CTX` verify against the store and tell this observer.
  ///
  /// The store is shared, not copied: this costs no parsing. The context writes its keys nowhere from now on, even if
  /// the client took `SSLKEYLOGFILE` from the environment.
  ///
  /// - Parameters:
  ///   - context: The client's `SSL_CTX *`.
  ///   - trust: The authorities to trust, in place of those the context or the client has.
  @unsafe public func install(onContext context: UnsafeMutableRawPointer, trust: TrustStore) {
    let context = OpaquePointer(context)
    record = nil
    self.trust = trust
    handshakeBytes = 0
    unsafe trust.apply(to: context)
    unsafe SSL_CTX_set_keylog_callback(context, nil)
    unsafe SSL_CTX_set_cert_verify_callback(
      context,
      { storeContext, observer in
        guard let storeContext = unsafe storeContext, let observer = unsafe observer else { return 0 }
        return unsafe Unmanaged<HandshakeObserver>.fromOpaque(observer).takeUnretainedValue()
          .verify(storeContext)
      },
      Unmanaged.passUnretained(self).toOpaque())
    unsafe limitHandshake(of: context)
  }

  /// Ends a connection that brings handshake messages without end.
  ///
  /// OpenSSL reads on as long as there are any, so that a server that sends HelloRequests (RFC 5246 §7.4.1.1) faster
  /// than they are skipped would hold up the thread, and with it every other connection, past all time limits.
  private func limitHandshake(of context: OpaquePointer) {
    unsafe SSL_CTX_set_msg_callback(context) { isSent, _, kind, _, count, connection, observer in
      guard isSent == 0, kind == SSL3_RT_HANDSHAKE, let observer = unsafe observer else { return }
      let me = unsafe Unmanaged<HandshakeObserver>.fromOpaque(observer).takeUnretainedValue()
      me.handshakeBytes += count
      guard me.handshakeBytes > HandshakeObserver.mostHandshakeBytes else { return }
      // What comes from now on is thrown away, as behind the peer's own end.
      unsafe SSL_set_shutdown(connection, SSL_RECEIVED_SHUTDOWN)
    }
    // SSL_CTX_set_msg_callback_arg, a macro.
    unsafe SSL_CTX_ctrl(
      context, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, Unmanaged.passUnretained(self).toOpaque())
  }

  /// What the verification found, or nil when the handshake did not get that far.
  ///
  public var verification: Verification? {
    guard let record, let trust else { return nil }
    return Verification(
      code: Int(record.code),
      depth: Int(record.depth),
      text: unsafe String(cString: X509_verify_cert_error_string(Int(record.code))),
      chain: record.chain.compactMap(trust.seen.certificate),
      version: record.version,
      cipher: record.cipher
    )
  }
}

extension HandshakeObserver {
  private func verify(_ storeContext: OpaquePointer) -> Int32 {
    let sent = unsafe X509Reference.chain(X509_STORE_CTX_get0_untrusted(storeContext))
    let result = unsafe X509_verify_cert(storeContext)
    // A failure without a code, as when memory runs out, must not read as success.
    if result <= 0, unsafe X509_STORE_CTX_get_error(storeContext) == X509_V_OK {
      unsafe X509_STORE_CTX_set_error(storeContext, X509_V_ERR_UNSPECIFIED)
    }
    var record = Record(
      code: unsafe X509_STORE_CTX_get_error(storeContext),
      depth: unsafe X509_STORE_CTX_get_error_depth(storeContext),
      chain: sent)
    if let pointer = unsafe X509_STORE_CTX_get_ex_data(
      storeContext, SSL_get_ex_data_X509_STORE_CTX_idx())
    {
      let ssl = OpaquePointer(pointer)
      record.version = unsafe SSL_get_version(ssl).map { unsafe String(cString: $0) }
      // Up to TLS 1.2 the cipher is still pending while the certificates are looked at.
      let cipher = unsafe SSL_get_current_cipher(ssl) ?? SSL_get_pending_cipher(ssl)
      record.cipher = unsafe cipher.flatMap { unsafe SSL_CIPHER_get_name($0) }.map {
        unsafe String(cString: $0)
      }
    }
    self.record = record
    return result > 0 ? 1 : 0
  }
}
