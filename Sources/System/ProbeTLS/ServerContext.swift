internal import CProbeOpenSSL
package import ProbeBase

/// A configured TLS server; one for many connections, on any threads.
///
/// It selects HTTP/1.1 (or HTTP/2 if enabled) if the client offers it by ALPN (RFC 7301), and it never
/// resumes a session, so that every connection sends the certificates.
@safe package final class ServerContext {
  private let context: OpaquePointer
  /// The requirements for client certificates; OpenSSL refers to this object.
  private let rule: ClientCertificateRule?

  /// A server with this identity.
  ///
  /// - Parameters:
  ///   - identity: The certificate, its chain and its key.
  ///   - settings: The TLS settings.
  /// - Throws: ``TLSError`` if OpenSSL cannot configure it.
  package init(_ identity: Identity, _ settings: ServerSettings) throws(TLSError) {
    ErrorQueue.clear()
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
      throw TLSError.queued(.cannotConfigure, "cannot make a TLS server")
    }
    unsafe self.context = context
    rule = ClientCertificateRule(settings)
    try use(identity)
    try limit(to: settings.versions)
    try choose(settings)
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    unsafe SSL_CTX_set_options(context, probe_no_ticket_option())
    unsafe SSL_CTX_set_num_tickets(context, 0)
    if settings.supportsHTTP2 {
      unsafe SSL_CTX_set_alpn_select_cb(context, selectHTTP2, nil)
    } else {
      unsafe SSL_CTX_set_alpn_select_cb(context, selectHTTP11, nil)
    }
    unsafe rule?.apply(to: context)
    countMessages()
  }

  /// A server with this identity.
  ///
  /// - Parameters:
  ///   - identity: The certificate, its chain and its key.
  ///   - versions: The accepted TLS versions. With a version below 1.2, the weak ciphers of that time are
  ///     also accepted.
  ///   - supportsHTTP2: Whether ALPN selects `h2` instead of `http/1.1`.
  ///   - clientAuthorities: If given, a client must send a certificate signed by one of these.
  /// - Throws: ``TLSError`` if OpenSSL cannot configure it.
  package convenience init(
    _ identity: Identity, versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3, supportsHTTP2: Bool = false,
    clientAuthorities: TrustStore? = nil
  ) throws(TLSError) {
    var settings = ServerSettings()
    settings.versions = versions
    settings.supportsHTTP2 = supportsHTTP2
    if let clientAuthorities {
      settings.clientCertificates = .requiredAndVerified
      settings.clientAuthorities = clientAuthorities
    }
    try self.init(identity, settings)
  }

  deinit {
    unsafe SSL_CTX_free(context)
  }

  /// A new server connection, which the caller must free, and for whose lifetime it must keep this object and
  /// the limit on the client's messages.
  ///
  /// - Returns: nil if OpenSSL has no memory for it.
  func makeSSL(_ limit: MessageLimit) -> OpaquePointer? {
    guard let ssl = unsafe SSL_new(context) else { return nil }
    guard
      unsafe SSL_set_ex_data(ssl, Self.limitIndex, Unmanaged.passUnretained(limit).toOpaque()) == 1
    else {
      unsafe SSL_free(ssl)
      return nil
    }
    return unsafe ssl
  }
}

// Nothing changes after init, and OpenSSL locks what connections share.
extension ServerContext: @unchecked Sendable {}

extension ServerContext {
  /// The index of a connection's limit: its application data (`SSL_set_app_data`, a macro).
  private static let limitIndex: Int32 = 0

  private func countMessages() {
    unsafe SSL_CTX_set_msg_callback(context) { isSent, _, kind, bytes, count, connection, _ in
      guard isSent == 0, kind == SSL3_RT_HANDSHAKE, let connection = unsafe connection,
        let limit = unsafe SSL_get_ex_data(connection, ServerContext.limitIndex)
      else { return }
      unsafe Unmanaged<MessageLimit>.fromOpaque(limit).takeUnretainedValue().count(
        UnsafeRawBufferPointer(start: bytes, count: count), on: connection)
    }
  }

  private func use(_ identity: Identity) throws(TLSError) {
    guard unsafe identity.use(on: context) else {
      throw TLSError.queued(.cannotConfigure, "cannot use the certificate")
    }
    // The first flag stops OpenSSL from completing the chain from its store, so that it can be incomplete.
    // The second releases the buffers of idle connections.
    let modes = SSL_MODE_NO_AUTO_CHAIN | SSL_MODE_RELEASE_BUFFERS
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(clamping: modes), nil)
  }

  private func limit(to versions: ClosedRange<TLSVersion>) throws(TLSError) {
    if versions.lowerBound < .v1_2 {
      // Security level 0: OpenSSL 3 allows the signatures of TLS 1.0 at no higher level.
      unsafe SSL_CTX_set_security_level(context, 0)
      unsafe SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0")
    }
    let (low, high) = (versions.lowerBound.rawValue, versions.upperBound.rawValue)
    guard unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, low, nil) == 1,
      unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, high, nil) == 1
    else { throw TLSError.queued(.cannotConfigure, "cannot limit the versions of TLS") }
  }

  private func choose(_ settings: ServerSettings) throws(TLSError) {
    if !settings.cipherSuites.isEmpty {
      let level = settings.versions.lowerBound < .v1_2 ? ":@SECLEVEL=0" : ""
      let list = settings.cipherSuites.map(\.rawValue).joined(separator: ":") + level
      guard unsafe SSL_CTX_set_cipher_list(context, list) == 1 else {
        throw TLSError.queued(.cannotConfigure, "cannot use the cipher suites")
      }
    }
    if !settings.groups.isEmpty {
      var list = settings.groups.map(\.rawValue).joined(separator: ":").utf8CString.map { $0 }
      // SSL_CTX_set1_groups_list, a macro.
      let result = unsafe list.withUnsafeMutableBytes {
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, $0.baseAddress)
      }
      guard result == 1 else { throw TLSError.queued(.cannotConfigure, "cannot use the curves") }
    }
    if settings.prefersOwnOrder { unsafe SSL_CTX_set_options(context, probe_server_order_option()) }
  }
}

private func selectHTTP11(
  _ ssl: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ selectedLength: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  unsafe select("http/1.1", selected, selectedLength, offered, offeredLength)
}

private func selectHTTP2(
  _ ssl: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ selectedLength: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  unsafe select("h2", selected, selectedLength, offered, offeredLength)
}

/// Selects a protocol if the client offers it (RFC 7301 §3.1).
private func select(
  _ name: String, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ selectedLength: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32
) -> Int32 {
  let list = unsafe UnsafeBufferPointer(start: offered, count: Int(widening: offeredLength))
  let wanted = name.utf8
  var start = 0
  while start < list.count {
    let end = start + 1 + Int(widening: unsafe list[start])
    guard end <= list.count else { break }
    if unsafe list[(start + 1)..<end].elementsEqual(wanted) {
      // The result points into the client's list, which outlives this call.
      unsafe selected?.pointee = offered.map { unsafe $0 + start + 1 }
      unsafe selectedLength?.pointee = UInt8(truncatingIfNeeded: wanted.count)
      return SSL_TLSEXT_ERR_OK
    }
    start = end
  }
  return SSL_TLSEXT_ERR_NOACK
}

/// A server's requirements for client certificates.
@safe final class ClientCertificateRule {
  private let mode: Int32
  private let isVerifying: Bool
  private let authorities: TrustStore?
  private let names: Set<String>?

  /// The rule of these settings; nil if the server requests no certificate.
  init?(_ settings: ServerSettings) {
    let required = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
    switch settings.clientCertificates {
    case .none: return nil
    case .requested: (mode, isVerifying) = (SSL_VERIFY_PEER, false)
    case .required: (mode, isVerifying) = (required, false)
    case .verifiedIfSent: (mode, isVerifying) = (SSL_VERIFY_PEER, true)
    case .requiredAndVerified: (mode, isVerifying) = (required, true)
    }
    authorities = settings.clientAuthorities
    names = settings.clientNames
  }

  /// Applies the rule to the connections of a server; it must outlive the `SSL_CTX`.
  func apply(to context: OpaquePointer) {
    unsafe authorities?.apply(to: context)
    unsafe SSL_CTX_set_verify(context, mode, nil)
    unsafe SSL_CTX_set_cert_verify_callback(
      context,
      { storeContext, rule in
        guard let storeContext = unsafe storeContext, let rule = unsafe rule else { return 0 }
        let accepts = unsafe Unmanaged<ClientCertificateRule>.fromOpaque(rule).takeUnretainedValue()
          .accepts(storeContext)
        return accepts ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func accepts(_ storeContext: OpaquePointer) -> Bool {
    if isVerifying {
      guard unsafe X509_verify_cert(storeContext) == 1 else { return false }
    } else {
      unsafe X509_STORE_CTX_set_error(storeContext, X509_V_OK)
    }
    guard let names else { return true }
    if let certificate = unsafe X509_STORE_CTX_get0_cert(storeContext),
      unsafe Self.hasName(certificate, among: names)
    {
      return true
    }
    unsafe X509_STORE_CTX_set_error(storeContext, X509_V_ERR_APPLICATION_VERIFICATION)
    return false
  }

  /// Whether a certificate has one of these alternative names: a DNS name, email address, URI, or IP address.
  private static func hasName(_ certificate: OpaquePointer, among names: Set<String>) -> Bool {
    guard let list = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
      return false
    }
    let stack = OpaquePointer(list)
    defer { unsafe GENERAL_NAMES_free(stack) }
    for index in 0..<max(0, unsafe OPENSSL_sk_num(stack)) {
      guard let element = unsafe OPENSSL_sk_value(stack, index) else { continue }
      var kind: Int32 = 0
      let name = unsafe element.assumingMemoryBound(to: GENERAL_NAME.self)
      guard let value = unsafe GENERAL_NAME_get0_value(name, &kind),
        [GEN_DNS, GEN_EMAIL, GEN_URI, GEN_IPADD].contains(kind)
      else { continue }
      let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
      let bytes = unsafe UnsafeBufferPointer(
        start: ASN1_STRING_get0_data(string), count: max(0, Int(widening: ASN1_STRING_length(string))))
      let text =
        unsafe kind == GEN_IPADD ? addressText(Array(bytes)) : String(validating: bytes, as: UTF8.self)
      if let text, names.contains(text) { return true }
    }
    return false
  }
}

// Nothing changes after init.
extension ClientCertificateRule: Sendable {}
