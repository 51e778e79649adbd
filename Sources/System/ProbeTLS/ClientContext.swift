internal import CProbeOpenSSL
internal import CProbeTLSStart
package import ProbeBase

/// The settings of a TLS client: one for each trust store, for many connections, on any threads.
///
/// It uses TLS 1.2 and 1.3, unless its checks specify other versions, with OpenSSL's built-in ciphers and
/// security level, regardless of the machine's configuration and the environment. It never resumes a
/// session, so that every connection receives the certificates.
@safe package final class ClientContext {
  /// The version of OpenSSL that is running.
  package static var libraryVersion: String {
    unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
  }

  private let context: OpaquePointer
  private let trust: TrustStore
  private let checks: TLSChecks

  /// A client that trusts these authorities.
  ///
  /// - Parameters:
  ///   - trust: The authorities to trust, and no others.
  ///   - identity: The certificate to send if a server requests one; nil for none.
  ///   - applicationProtocols: The protocols inside TLS to offer by ALPN (RFC 7301), such as `h2`, the
  ///     preferred one first. If there are none, the extension is omitted.
  ///   - checks: The versions to offer, and the treatment of certificates.
  /// - Throws: ``TLSError`` if OpenSSL cannot configure it, and for a protocol without 1 to 255 bytes.
  package init(
    trust: TrustStore, identity: Identity? = nil, applicationProtocols: [String] = [],
    checks: TLSChecks = TLSChecks()
  ) throws(TLSError) {
    probe_tls_start()
    ErrorQueue.clear()
    guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
      throw TLSError.queued(.cannotConfigure, "cannot make a TLS client")
    }
    unsafe self.context = context
    self.trust = trust
    self.checks = checks
    guard unsafe checks.limitVersions(of: context) else {
      throw TLSError.queued(.cannotConfigure, "cannot limit the versions of TLS")
    }
    unsafe SSL_CTX_set_options(context, probe_client_options())
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    // The first flag releases the buffers of idle connections. The second stops OpenSSL from searching for
    // certificates to send.
    let modes = SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(clamping: modes), nil)
    // A server may request the certificate after receiving the request (RFC 8446 §4.6.2).
    unsafe SSL_CTX_set_post_handshake_auth(context, 1)
    if let identity, unsafe !identity.use(on: context) {
      throw TLSError.queued(.cannotConfigure, "cannot use the client's certificate")
    }
    try offer(applicationProtocols)
    verifyServers()
    watchMessages()
  }

  deinit {
    unsafe SSL_CTX_free(context)
  }

  /// A new client connection, which the caller must free.
  ///
  /// - Parameters:
  ///   - host: The server.
  ///   - verifier: The verifier of the handshake; it must outlive the connection.
  /// - Returns: nil if OpenSSL has no memory for it.
  func makeSSL(host: CertificateHost, verifier: HandshakeVerifier) -> OpaquePointer? {
    guard let ssl = unsafe SSL_new(context) else { return nil }
    var isReady =
      unsafe SSL_set_ex_data(ssl, Self.verifierIndex, Unmanaged.passUnretained(verifier).toOpaque()) == 1
    if isReady, let name = host.serverName {
      var name = name + [0]
      // SSL_set_tlsext_host_name, a macro.
      isReady = unsafe name.withUnsafeMutableBytes { name in
        unsafe SSL_ctrl(
          ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(widening: TLSEXT_NAMETYPE_host_name), name.baseAddress)
          == 1
      }
    }
    guard isReady else {
      unsafe SSL_free(ssl)
      return nil
    }
    return unsafe ssl
  }

  /// A new observer of the handshake with a host.
  func makeVerifier(host: CertificateHost) -> HandshakeVerifier {
    HandshakeVerifier(trust: trust, host: host, checks: checks)
  }
}

// Nothing changes after init, and OpenSSL locks what connections share.
extension ClientContext: @unchecked Sendable {}

extension ClientContext {
  /// The index of a connection's observer: its application data (`SSL_set_app_data`, a macro).
  private static let verifierIndex: Int32 = 0

  private func offer(_ protocols: [String]) throws(TLSError) {
    guard !protocols.isEmpty else { return }
    guard protocols.allSatisfy({ (1...255).contains($0.utf8.count) }) else {
      throw TLSError(.cannotConfigure, "the name of an application protocol has 1 to 255 bytes")
    }
    let list = protocols.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
    // Unlike the others, this call returns 0 on success.
    guard unsafe SSL_CTX_set_alpn_protos(context, list, UInt32(truncatingIfNeeded: list.count)) == 0 else {
      throw TLSError.queued(.cannotConfigure, "cannot offer application protocols")
    }
  }

  private func verifyServers() {
    unsafe trust.apply(to: context)
    unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    unsafe SSL_CTX_set_cert_verify_callback(
      context,
      { storeContext, _ in
        guard let storeContext = unsafe storeContext,
          let verifier = unsafe ClientContext.verifier(of: HandshakeVerifier.connection(of: storeContext))
        else { return 0 }
        return unsafe verifier.verify(storeContext)
      }, nil)
  }

  private func watchMessages() {
    unsafe SSL_CTX_set_msg_callback(context) { isSent, _, kind, bytes, count, connection, _ in
      guard isSent == 0, kind == SSL3_RT_HANDSHAKE, let connection = unsafe connection else { return }
      unsafe ClientContext.verifier(of: connection)?.messages.count(
        UnsafeRawBufferPointer(start: bytes, count: count), on: connection)
    }
  }

  private static func verifier(of connection: OpaquePointer?) -> HandshakeVerifier? {
    guard let connection = unsafe connection, let verifier = unsafe SSL_get_ex_data(connection, verifierIndex)
    else {
      return nil
    }
    return unsafe Unmanaged<HandshakeVerifier>.fromOpaque(verifier).takeUnretainedValue()
  }
}

extension TLSChecks {
  /// Limits the versions that a client offers.
  ///
  /// - Returns: Whether OpenSSL supports them.
  @discardableResult
  func limitVersions(of context: OpaquePointer) -> Bool {
    let (lowest, highest) = (minimumVersion.rawValue, maximumVersion?.rawValue ?? 0)
    return unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, lowest, nil) == 1
      && SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, highest, nil) == 1
  }
}
