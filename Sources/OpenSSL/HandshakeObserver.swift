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
    var applicationProtocol: String?
  }

  /// How many bytes of handshake messages a connection may bring: several times what OpenSSL takes for certificates.
  private static let mostHandshakeBytes = 512 * 1024
  /// How often a connection may read in a row; each record takes two reads.
  private static let mostReadsInARow = 16

  private var record: Record?
  private var trust: TrustStore?
  private var handshakeBytes = 0
  private var readsInARow = 0
  /// Whether the connection's socket is still to be made to give others a turn.
  private var mustTakeTurns = false
  /// Whether the peer has announced the end of what it sends (close_notify, RFC 8446 §6.1).
  public private(set) var hasCloseNotify = false

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
  ///   - takesTurns: Whether the connection lets go of the thread now and then while it has more to read, as if there
  ///     was nothing for the moment. The client must ask the system whether there is: it must read from a socket, not
  ///     from memory or from inside of another connection.
  @unsafe public func install(
    onContext context: UnsafeMutableRawPointer, trust: TrustStore, takesTurns: Bool
  ) {
    let context = OpaquePointer(context)
    record = nil
    self.trust = trust
    handshakeBytes = 0
    mustTakeTurns = takesTurns
    hasCloseNotify = false
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
    unsafe watchMessages(of: context)
  }

  /// Follows the messages of a connection.
  private func watchMessages(of context: OpaquePointer) {
    unsafe SSL_CTX_set_msg_callback(context) { isSent, _, kind, bytes, count, connection, observer in
      guard let connection = unsafe connection, let observer = unsafe observer else { return }
      let me = unsafe Unmanaged<HandshakeObserver>.fromOpaque(observer).takeUnretainedValue()
      // The first message is the client's own, before anything is read.
      if me.mustTakeTurns { unsafe me.takeTurns(on: connection) }
      guard isSent == 0 else { return }
      switch kind {
      case SSL3_RT_HANDSHAKE: unsafe me.limitHandshake(of: connection, by: count)
      case SSL3_RT_ALERT: unsafe me.note(alert: UnsafeRawBufferPointer(start: bytes, count: count))
      default: break
      }
    }
    // SSL_CTX_set_msg_callback_arg, a macro.
    unsafe SSL_CTX_ctrl(
      context, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends a connection that brings handshake messages without end.
  ///
  /// OpenSSL reads on as long as there are any, such as HelloRequests (RFC 5246 §7.4.1.1), which are skipped.
  private func limitHandshake(of connection: OpaquePointer, by count: Int) {
    handshakeBytes += count
    guard handshakeBytes > Self.mostHandshakeBytes else { return }
    // What comes from now on is thrown away, as behind the peer's own end.
    unsafe SSL_set_shutdown(connection, SSL_RECEIVED_SHUTDOWN)
  }

  /// Notes the peer's notice of its end (RFC 8446 §6).
  private func note(alert: UnsafeRawBufferPointer) {
    if unsafe alert.count == 2 && alert[1] == UInt8(SSL_AD_CLOSE_NOTIFY) { hasCloseNotify = true }
  }

  /// Has a connection read only so often in a row.
  ///
  /// OpenSSL and libcurl's HTTP/2 read on as long as what comes is nothing to hand over: frames that are part of no
  /// answer, for instance. A server that sends such things faster than they are read would hold up the thread, and
  /// with it every other connection, past all time limits and signals.
  private func takeTurns(on connection: OpaquePointer) {
    mustTakeTurns = false
    readsInARow = 0
    guard let source = unsafe SSL_get_rbio(connection) else { return }
    unsafe BIO_set_callback_arg(
      source, Unmanaged.passUnretained(self).toOpaque().assumingMemoryBound(to: CChar.self))
    unsafe BIO_set_callback_ex(source) { source, operation, _, _, _, _, result, _ in
      guard operation & ~BIO_CB_RETURN == BIO_CB_READ, let source = unsafe source,
        let observer = unsafe BIO_get_callback_arg(source)
      else { return Int(result) }
      let me = unsafe Unmanaged<HandshakeObserver>.fromOpaque(observer).takeUnretainedValue()
      return unsafe me.mayRead(from: source, operation, result)
    }
  }

  /// What a callback of BIO_set_callback(3) says before and after it is read.
  private func mayRead(from source: OpaquePointer, _ operation: Int32, _ result: Int32) -> Int {
    if operation & BIO_CB_RETURN != 0 {
      // Nothing is left to read, so other connections have their turn.
      if result <= 0 { readsInARow = 0 }
    } else if readsInARow == Self.mostReadsInARow {
      readsInARow = 0
      unsafe BIO_set_flags(source, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
      return -1
    } else {
      readsInARow += 1
    }
    return Int(result)
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
      cipher: record.cipher,
      applicationProtocol: record.applicationProtocol
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
      record.applicationProtocol = unsafe Self.applicationProtocol(ofSession: ssl)
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
