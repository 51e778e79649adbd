internal import CProbeOpenSSL
internal import ProbeBase

/// Verifies the server's certificates in the handshake of one client connection.
///
/// It also records the result, and limits the handshake messages. It belongs
/// to the thread of the handshake.
final class HandshakeVerifier {
  private struct Record {
    var code: Int32
    var depth: Int32
    var chain: [X509Reference]
    /// The chain up to its trusted certificate; empty if it is not verified or not to be reported.
    var verified: [X509Reference] = []
    var version: String?
    var cipher: String?
    var applicationProtocol: String?
  }

  private let trust: TrustStore
  private let host: CertificateHost?
  private let checks: TLSChecks
  private var record: Record?
  /// The limit on the messages of the server.
  let messages = MessageLimit()

  /// A verifier without a result.
  ///
  /// - Parameters:
  ///   - trust: The store that caches parsed certificates.
  ///   - host: The host that the server's certificate must be for, or nil if the client verifies it.
  ///   - checks: The treatment of certificates.
  init(trust: TrustStore, host: CertificateHost?, checks: TLSChecks = TLSChecks()) {
    self.trust = trust
    self.host = host
    self.checks = checks
  }

  /// The result of the verification, or nil if the handshake did not get that far.
  var verification: Verification? {
    guard let record else { return nil }
    var session = TLSFacts(
      version: record.version, cipher: record.cipher, chain: record.chain.compactMap(trust.seen.certificate))
    session.verifiedExpiry = record.verified.compactMap(trust.seen.certificate).map(\.notAfter).min()
    let text = unsafe String(cString: X509_verify_cert_error_string(Int(widening: record.code)))
    if checks.observesCertificates, record.code != X509_V_OK { session.problem = text }
    return Verification(
      code: Int(widening: record.code), depth: Int(widening: record.depth), text: text, session: session,
      applicationProtocol: record.applicationProtocol)
  }
}

extension HandshakeVerifier {
  /// Verifies the server's certificates instead of OpenSSL (SSL_CTX_set_cert_verify_callback(3)).
  ///
  /// - Returns: 1 on success, or 0.
  func verify(_ storeContext: OpaquePointer) -> Int32 {
    let sent = unsafe X509Reference.chain(X509_STORE_CTX_get0_untrusted(storeContext))
    // An invalid signature leaves its own errors. The first error in the queue must be the resulting one.
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    var isTrusted = unsafe X509_verify_cert(storeContext) > 0
    // A failure without a code, for instance due to lack of memory, must not count as success.
    if !isTrusted, unsafe X509_STORE_CTX_get_error(storeContext) == X509_V_OK {
      unsafe X509_STORE_CTX_set_error(storeContext, X509_V_ERR_UNSPECIFIED)
    }
    // Checked last, so that for an expired certificate of another host the expiry is reported.
    if isTrusted, let host, unsafe !host.isNamed(in: X509_STORE_CTX_get0_cert(storeContext)) {
      isTrusted = false
      unsafe X509_STORE_CTX_set_error(storeContext, host.mismatch)
      unsafe X509_STORE_CTX_set_error_depth(storeContext, 0)
    }
    record = unsafe Self.record(storeContext, sent)
    if isTrusted, checks.reportsVerifiedExpiry {
      record?.verified = unsafe X509Reference.chain(X509_STORE_CTX_get0_chain(storeContext))
    }
    guard !isTrusted, checks.observesCertificates else { return isTrusted ? 1 : 0 }
    // The server is not authenticated, so it does not receive the client's certificate.
    if let ssl = unsafe Self.connection(of: storeContext) { unsafe SSL_certs_clear(ssl) }
    return 1
  }

  private static func record(_ storeContext: OpaquePointer, _ sent: [X509Reference]) -> Record {
    var record = Record(
      code: unsafe X509_STORE_CTX_get_error(storeContext),
      depth: unsafe X509_STORE_CTX_get_error_depth(storeContext),
      chain: sent)
    guard let ssl = unsafe connection(of: storeContext) else { return record }
    record.applicationProtocol = unsafe applicationProtocol(ofSession: ssl)
    record.version = unsafe SSL_get_version(ssl).map { unsafe String(cString: $0) }
    // Up to TLS 1.2 the cipher is still pending during the verification.
    let cipher = unsafe SSL_get_current_cipher(ssl) ?? SSL_get_pending_cipher(ssl)
    record.cipher = unsafe cipher.flatMap { unsafe SSL_CIPHER_get_name($0) }.map {
      unsafe String(cString: $0)
    }
    return record
  }

  /// The `SSL` of a verification in progress.
  static func connection(of storeContext: OpaquePointer) -> OpaquePointer? {
    unsafe X509_STORE_CTX_get_ex_data(storeContext, SSL_get_ex_data_X509_STORE_CTX_idx())
      .map { OpaquePointer($0) }
  }

  /// The negotiated protocol inside TLS (ALPN, RFC 7301), or nil for none.
  private static func applicationProtocol(ofSession ssl: OpaquePointer) -> String? {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(ssl, &name, &count)
    return unsafe name.map {
      unsafe String(decoding: UnsafeBufferPointer(start: $0, count: Int(widening: count)), as: UTF8.self)
    }
  }
}

/// Limits the handshake messages that one connection may send.
///
/// OpenSSL continues to read while there are any, also after the handshake: HelloRequests (RFC 5246
/// §7.4.1.1), which it ignores, session tickets, requests for certificates, and key updates (RFC 8446
/// §4.6.3). Each costs far more work than its few bytes, so a peer that sends nothing else would occupy the
/// thread.
final class MessageLimit {
  /// The maximum size of all messages: several times OpenSSL's limit for certificates.
  static let maximumBytes = 512 * 1024
  /// The maximum number of messages, other than HelloRequests, until the peer has sent further data.
  static let maximumMessages = 64
  /// The number of bytes of data after which the messages are counted anew.
  static let dataBetween = 16 * 1024

  private var bytes = 0
  private var messages = 0
  private var data = 0

  /// Whether the peer has sent more messages than allowed.
  private(set) var isExceeded = false

  /// Counts a message, and ends a connection that sends too many.
  func count(_ message: UnsafeRawBufferPointer, on connection: OpaquePointer) {
    bytes += message.count
    if unsafe message.first != UInt8(SSL3_MT_HELLO_REQUEST) { messages += 1 }
    guard bytes > Self.maximumBytes || messages > Self.maximumMessages else { return }
    isExceeded = true
    // Further input is discarded, as after the peer's own end.
    unsafe SSL_set_shutdown(connection, SSL_RECEIVED_SHUTDOWN)
  }

  /// Counts data that was received inside TLS.
  func received(_ count: Int) {
    data += count
    guard data >= Self.dataBetween else { return }
    (data, messages) = (0, 0)
  }
}
