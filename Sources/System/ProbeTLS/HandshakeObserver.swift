internal import CProbeOpenSSL
package import ProbeBase

/// Verifies a server's certificates against a ``TrustStore`` and records the result, for one connection.
///
/// It is for a client that provides its `SSL_CTX` before the handshake, such as libcurl through
/// `CURLOPT_SSL_CTX_FUNCTION`:
///
/// 1. Configure the client to load no authorities (`CURLOPT_CAINFO` and `CURLOPT_CAPATH` NULL), because they
///    would not be used.
/// 2. Create an observer, and keep it until the connection and its context are released: OpenSSL stores an
///    unretained pointer to it.
/// 3. In the client's callback, on the thread of the handshake, call
///    ``install(onContext:trust:host:takesTurns:checks:)``.
/// 4. After the handshake, successful or not, read ``verification`` on the same thread.
///
/// An observer belongs to one thread and therefore is not `Sendable`. A client such as libcurl verifies the host
/// itself, but also accepts a common name: give the host here to apply the rules of ``CertificateHost`` as well.
/// A resumed session has no certificates to verify: to receive them every time, disable the client's session
/// cache (`CURLOPT_SSL_SESSIONID_CACHE`).
package final class HandshakeObserver {
  /// The maximum number of consecutive reads of a connection; each record takes two.
  private static let maximumReadsInARow = 16

  private var verifier: HandshakeVerifier?
  private var readsInARow = 0
  /// Whether the limit on consecutive reads still has to be installed on the connection's socket.
  private var mustTakeTurns = false
  /// Whether the peer has announced its end (close_notify, RFC 8446 §6.1).
  package private(set) var hasCloseNotify = false

  /// An observer without a result.
  package init() {}

  /// Makes the connections of an `SSL_CTX` verify against the store and report to this observer.
  ///
  /// The store is shared, not copied, so nothing is parsed. From now on the context does not log its keys,
  /// even if the client uses `SSLKEYLOGFILE` from the environment.
  ///
  /// - Parameters:
  ///   - context: The client's `SSL_CTX *`.
  ///   - trust: The authorities to trust, instead of those of the context or the client.
  ///   - host: The host that the server's certificate must be for, or nil if the client verifies it.
  ///   - takesTurns: Whether to limit consecutive reads: now and then the connection reports that there is
  ///     nothing to read, so that others can use the thread. The client must poll for more: it must read from
  ///     a socket, not from memory or from inside another connection.
  ///   - checks: The versions to offer, and the reporting of certificates.
  @unsafe package func install(
    onContext context: UnsafeMutableRawPointer, trust: TrustStore, host: CertificateHost?, takesTurns: Bool,
    checks: TLSChecks = TLSChecks()
  ) {
    let context = OpaquePointer(context)
    verifier = HandshakeVerifier(trust: trust, host: host, checks: checks)
    unsafe checks.limitVersions(of: context)
    mustTakeTurns = takesTurns
    hasCloseNotify = false
    unsafe trust.apply(to: context)
    unsafe SSL_CTX_set_keylog_callback(context, nil)
    unsafe SSL_CTX_set_cert_verify_callback(
      context,
      { storeContext, observer in
        guard let storeContext = unsafe storeContext, let observer = unsafe observer else { return 0 }
        return unsafe Unmanaged<HandshakeObserver>.fromOpaque(observer).takeUnretainedValue()
          .verifier?.verify(storeContext) ?? 0
      },
      Unmanaged.passUnretained(self).toOpaque())
    unsafe watchMessages(of: context)
  }

  private func watchMessages(of context: OpaquePointer) {
    unsafe SSL_CTX_set_msg_callback(context) { isSent, _, kind, bytes, count, connection, observer in
      guard let connection = unsafe connection, let observer = unsafe observer else { return }
      let me = unsafe Unmanaged<HandshakeObserver>.fromOpaque(observer).takeUnretainedValue()
      // The first message is the client's own, before any read.
      if me.mustTakeTurns { unsafe me.takeTurns(on: connection) }
      guard isSent == 0 else { return }
      switch kind {
      case SSL3_RT_HANDSHAKE:
        unsafe me.verifier?.messages.count(UnsafeRawBufferPointer(start: bytes, count: count), on: connection)
      case SSL3_RT_ALERT: unsafe me.note(alert: UnsafeRawBufferPointer(start: bytes, count: count))
      default: break
      }
    }
    // SSL_CTX_set_msg_callback_arg, a macro.
    unsafe SSL_CTX_ctrl(
      context, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Records the peer's close_notify alert (RFC 8446 §6).
  private func note(alert: UnsafeRawBufferPointer) {
    if unsafe alert.count == 2 && alert[1] == UInt8(SSL_AD_CLOSE_NOTIFY) { hasCloseNotify = true }
  }

  /// Limits the consecutive reads of a connection.
  ///
  /// OpenSSL and libcurl's HTTP/2 continue to read while they receive nothing to deliver, such as frames that
  /// are not part of a response. A server that sends them faster than they are read would block the thread,
  /// and with it all other connections, timeouts and signals.
  private func takeTurns(on connection: OpaquePointer) {
    mustTakeTurns = false
    readsInARow = 0
    guard let source = unsafe SSL_get_rbio(connection) else { return }
    unsafe BIO_set_callback_arg(
      source, Unmanaged.passUnretained(self).toOpaque().assumingMemoryBound(to: CChar.self))
    unsafe BIO_set_callback_ex(source) { source, operation, _, _, _, _, result, _ in
      guard operation & ~BIO_CB_RETURN == BIO_CB_READ, let source = unsafe source,
        let observer = unsafe BIO_get_callback_arg(source)
      else { return Int(widening: result) }
      let me = unsafe Unmanaged<HandshakeObserver>.fromOpaque(observer).takeUnretainedValue()
      return unsafe me.mayRead(from: source, operation, result)
    }
  }

  /// Handles the callback of BIO_set_callback(3) before and after a read.
  private func mayRead(from source: OpaquePointer, _ operation: Int32, _ result: Int32) -> Int {
    if operation & BIO_CB_RETURN != 0 {
      // Nothing is left to read, so other connections get a turn.
      if result <= 0 { readsInARow = 0 }
    } else if readsInARow == Self.maximumReadsInARow {
      readsInARow = 0
      unsafe BIO_set_flags(source, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
      return -1
    } else {
      readsInARow += 1
    }
    return Int(widening: result)
  }

  /// The result of the verification, or nil if the handshake did not get that far.
  package var verification: Verification? { verifier?.verification }
}
