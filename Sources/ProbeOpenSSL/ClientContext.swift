internal import CProbeOpenSSL
internal import CProbeShims

/// How a TLS client speaks: one for each trust setting, for many connections, on any threads.
///
/// It speaks TLS 1.2 and 1.3, with the ciphers and the security level that OpenSSL was built with, whatever
/// the machine's configuration and the environment say. It never resumes a session, so that every connection
/// sees the certificates.
@safe package final class ClientContext {
  /// The version of OpenSSL that is running.
  package static var libraryVersion: String {
    unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
  }

  private let context: OpaquePointer
  private let trust: TrustStore

  /// A client that trusts these authorities.
  ///
  /// - Parameters:
  ///   - trust: The authorities to trust, and no others.
  ///   - identity: What to show a server that asks for a certificate; nil for none.
  ///   - applicationProtocols: The protocols inside TLS to offer by ALPN (RFC 7301), such as `h2`, the
  ///     preferred one first. With none of them the extension is left out.
  /// - Throws: ``TLSError`` when OpenSSL cannot set it up, and for a protocol that has not 1 to 255 bytes.
  package init(
    trust: TrustStore, identity: Identity? = nil, applicationProtocols: [String] = []
  ) throws(TLSError) {
    ErrorQueue.clear()
    guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
      throw TLSError.queued(.cannotConfigure, "cannot make a TLS client")
    }
    unsafe self.context = context
    self.trust = trust
    guard unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1 else {
      throw TLSError.queued(.cannotConfigure, "cannot limit the versions of TLS")
    }
    unsafe SSL_CTX_set_options(context, probe_client_options())
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    // With the first an idle connection holds no buffers. With the second OpenSSL does not look for
    // certificates to send along.
    let modes = SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(modes), nil)
    // A server may ask for the certificate when it knows the request (RFC 8446 §4.6.2).
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

  /// A new client's side of a connection, for the caller to free.
  ///
  /// - Parameters:
  ///   - host: The server to ask for.
  ///   - watch: What is told of the handshake; it must outlive the connection.
  /// - Returns: nil when OpenSSL has no memory for it.
  func makeSSL(host: CertificateHost, watch: HandshakeWatch) -> OpaquePointer? {
    guard let ssl = unsafe SSL_new(context) else { return nil }
    var isReady =
      unsafe SSL_set_ex_data(ssl, Self.watchIndex, Unmanaged.passUnretained(watch).toOpaque()) == 1
    if isReady, let name = host.serverName {
      var name = name + [0]
      // SSL_set_tlsext_host_name, a macro.
      isReady = unsafe name.withUnsafeMutableBytes { name in
        unsafe SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), name.baseAddress)
          == 1
      }
    }
    guard isReady else {
      unsafe SSL_free(ssl)
      return nil
    }
    return unsafe ssl
  }

  /// What is told of the handshake of a connection to a host.
  func makeWatch(host: CertificateHost) -> HandshakeWatch {
    HandshakeWatch(trust: trust, host: host)
  }
}

// Nothing changes after init, and OpenSSL locks what connections share.
extension ClientContext: @unchecked Sendable {}

extension ClientContext {
  /// Where a connection keeps its watch: the place for applications (`SSL_set_app_data`, a macro).
  private static let watchIndex: Int32 = 0

  private func offer(_ protocols: [String]) throws(TLSError) {
    guard !protocols.isEmpty else { return }
    guard protocols.allSatisfy({ (1...255).contains($0.utf8.count) }) else {
      throw TLSError(.cannotConfigure, "the name of an application protocol has 1 to 255 bytes")
    }
    let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    // Other than the rest, this call returns 0 when it has succeeded.
    guard unsafe SSL_CTX_set_alpn_protos(context, list, UInt32(list.count)) == 0 else {
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
          let watch = unsafe ClientContext.watch(of: HandshakeWatch.connection(of: storeContext))
        else { return 0 }
        return unsafe watch.verify(storeContext)
      }, nil)
  }

  private func watchMessages() {
    unsafe SSL_CTX_set_msg_callback(context) { isSent, _, kind, _, count, connection, _ in
      guard isSent == 0, kind == SSL3_RT_HANDSHAKE, let connection = unsafe connection else { return }
      unsafe ClientContext.watch(of: connection)?.count(messageOf: count, on: connection)
    }
  }

  private static func watch(of connection: OpaquePointer?) -> HandshakeWatch? {
    guard let connection = unsafe connection, let watch = unsafe SSL_get_ex_data(connection, watchIndex)
    else {
      return nil
    }
    return unsafe Unmanaged<HandshakeWatch>.fromOpaque(watch).takeUnretainedValue()
  }
}
