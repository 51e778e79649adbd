internal import CProbeOpenSSL

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
package final class HandshakeObserver {
  /// How often a connection may read in a row; each record takes two reads.
  private static let mostReadsInARow = 16

  private var watch: HandshakeWatch?
  private var readsInARow = 0
  /// Whether the connection's socket is still to be made to give others a turn.
  private var mustTakeTurns = false
  /// Whether the peer has announced the end of what it sends (close_notify, RFC 8446 §6.1).
  package private(set) var hasCloseNotify = false

  /// An observer that has seen nothing.
  package init() {}

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
  @unsafe package func install(
    onContext context: UnsafeMutableRawPointer, trust: TrustStore, takesTurns: Bool
  ) {
    let context = OpaquePointer(context)
    watch = HandshakeWatch(trust: trust)
    mustTakeTurns = takesTurns
    hasCloseNotify = false
    unsafe trust.apply(to: context)
    unsafe SSL_CTX_set_keylog_callback(context, nil)
    unsafe SSL_CTX_set_cert_verify_callback(
      context,
      { storeContext, observer in
        guard let storeContext = unsafe storeContext, let observer = unsafe observer else { return 0 }
        return unsafe Unmanaged<HandshakeObserver>.fromOpaque(observer).takeUnretainedValue()
          .watch?.verify(storeContext) ?? 0
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
      case SSL3_RT_HANDSHAKE: unsafe me.watch?.count(messageOf: count, on: connection)
      case SSL3_RT_ALERT: unsafe me.note(alert: UnsafeRawBufferPointer(start: bytes, count: count))
      default: break
      }
    }
    // SSL_CTX_set_msg_callback_arg, a macro.
    unsafe SSL_CTX_ctrl(
      context, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, Unmanaged.passUnretained(self).toOpaque())
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
  package var verification: Verification? { watch?.verification }
}
