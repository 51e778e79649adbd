package import ProbeCore
import CProbeOpenSSL
package import ProbeTLS

/// A TLS client whose transport is memory, and which verifies through a `HandshakeObserver` as libcurl would.
@safe package final class MemoryClient {
  package struct Options {
    /// The host to send as the server name, and to expect in the certificate.
    package var host: String?
    package var versions: ClosedRange<TLSVersion>
    /// The certificate that it presents.
    package var identity: Identity?
    /// The protocols that it offers with ALPN.
    package var protocols: [String]
    /// An authority that the context trusts without the observer's knowledge.
    package var otherAuthority: CertificateAuthority?

    /// Creates a client, by default without a server name.
    package init(
      host: String? = nil, versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3, identity: Identity? = nil,
      protocols: [String] = [], otherAuthority: CertificateAuthority? = nil
    ) {
      self.host = host
      self.versions = versions
      self.identity = identity
      self.protocols = protocols
      self.otherAuthority = otherAuthority
    }
  }

  /// The error on this side, or the server's alert.
  package struct Failure: Error {
    /// OpenSSL's own error, where there is one.
    package var handshakeFailure: HandshakeFailure?
  }

  /// The result of the verification.
  package let observer = HandshakeObserver()
  private let context: OpaquePointer
  private let ssl: OpaquePointer
  private let input: OpaquePointer
  private let output: OpaquePointer

  package init(trust: TrustStore, options: Options = Options()) throws {
    unsafe context = try Self.made(SSL_CTX_new(TLS_client_method()))
    unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    // The observer also limits the versions to its own range.
    unsafe observer.install(
      onContext: UnsafeMutableRawPointer(context), trust: trust, host: nil, takesTurns: false)
    unsafe SSL_CTX_ctrl(
      context, SSL_CTRL_SET_MIN_PROTO_VERSION, options.versions.lowerBound.rawValue, nil)
    unsafe SSL_CTX_ctrl(
      context, SSL_CTRL_SET_MAX_PROTO_VERSION, options.versions.upperBound.rawValue, nil)
    if options.versions.lowerBound < .v1_2 {
      unsafe SSL_CTX_set_security_level(context, 0)
      unsafe SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0")
    }
    if let other = options.otherAuthority { try unsafe Self.replaceStore(of: context, other) }
    unsafe ssl = try Self.made(SSL_new(context))
    unsafe input = try Self.made(BIO_new(BIO_s_mem()))
    unsafe output = try Self.made(BIO_new(BIO_s_mem()))
    unsafe SSL_set_bio(ssl, input, output)
    unsafe SSL_set_connect_state(ssl)
    if let host = options.host { expect(host) }
    if let identity = options.identity { try use(identity) }
    let list = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    if !list.isEmpty { unsafe SSL_set_alpn_protos(ssl, list, UInt32(list.count)) }
  }

  deinit {
    unsafe SSL_free(ssl)
    unsafe SSL_CTX_free(context)
  }

  private func expect(_ host: String) {
    if unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1 { return }
    unsafe SSL_set1_host(ssl, host)
    var name = host.utf8CString.map { $0 }
    unsafe name.withUnsafeMutableBytes { name in
      _ = unsafe SSL_ctrl(
        ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), name.baseAddress)
    }
  }

  /// Replaces the context's store, as libcurl does if it has its own.
  private static func replaceStore(of context: OpaquePointer, _ authority: CertificateAuthority) throws {
    let pem = Array(authority.pem.utf8)
    let bio = unsafe BIO_new_mem_buf(pem, Int32(pem.count))
    let x509 = unsafe PEM_read_bio_X509(bio, nil, nil, nil)
    defer {
      unsafe X509_free(x509)
      unsafe BIO_free(bio)
    }
    let store = try unsafe made(X509_STORE_new())
    unsafe SSL_CTX_set_cert_store(context, store)
    guard unsafe X509_STORE_add_cert(store, x509) == 1 else {
      throw Failure(handshakeFailure: nextHandshakeFailure())
    }
  }

  private func use(_ identity: Identity) throws {
    let certificate = Array(try identity.chainPEM().utf8)
    let key = Array(try identity.privateKeyPEM().utf8)
    let certificateBIO = unsafe BIO_new_mem_buf(certificate, Int32(certificate.count))
    let keyBIO = unsafe BIO_new_mem_buf(key, Int32(key.count))
    let x509 = unsafe PEM_read_bio_X509(certificateBIO, nil, nil, nil)
    let pkey = unsafe PEM_read_bio_PrivateKey(keyBIO, nil, nil, nil)
    defer {
      unsafe X509_free(x509)
      unsafe EVP_PKEY_free(pkey)
      unsafe BIO_free(certificateBIO)
      unsafe BIO_free(keyBIO)
    }
    guard unsafe SSL_use_cert_and_key(ssl, x509, pkey, nil, 1) == 1 else {
      throw Failure(handshakeFailure: Self.nextHandshakeFailure())
    }
  }

  private static func made(_ object: OpaquePointer?) throws -> OpaquePointer {
    guard let object = unsafe object else { throw Failure(handshakeFailure: nextHandshakeFailure()) }
    return unsafe object
  }
}

extension MemoryClient {
  /// Performs the handshake with a session of the server.
  package func handshake(with session: TLSSession) throws {
    var serverIsDone = false
    for _ in 0..<20 {
      let clientIsDone = try step()
      session.receive(takeOutput())
      if clientIsDone && serverIsDone { return }
      do {
        if !serverIsDone { serverIsDone = try session.handshake() == .done }
      } catch {
        // The client must receive the alert.
        receive(session.takeOutput())
        _ = try? step()
        throw error
      }
      receive(session.takeOutput())
    }
    // The handshake makes no progress.
    throw Failure(handshakeFailure: nil)
  }

  /// Continues the handshake; returns whether it is complete.
  package func step() throws -> Bool {
    ERR_clear_error()
    let result = unsafe SSL_connect(ssl)
    if result == 1 { return true }
    if unsafe SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ { return false }
    throw Failure(handshakeFailure: Self.nextHandshakeFailure())
  }

  package func receive(_ bytes: [UInt8]) {
    _ = unsafe BIO_write(input, bytes, Int32(bytes.count))
  }

  /// The bytes to send to the server now.
  package func takeOutput() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = unsafe BIO_read(output, &buffer, 65536)
    return Array(buffer.prefix(max(0, Int(count))))
  }

  /// Encrypts bytes into TLS records for the server.
  package func send(_ bytes: [UInt8]) {
    _ = unsafe SSL_write(ssl, bytes, Int32(bytes.count))
  }

  /// Reads the bytes the server sent inside TLS; none if it has closed its side.
  package func read() throws -> [UInt8] {
    ERR_clear_error()
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = unsafe SSL_read(ssl, &buffer, 65536)
    if count > 0 { return Array(buffer.prefix(Int(count))) }
    if unsafe SSL_get_error(ssl, count) == SSL_ERROR_ZERO_RETURN { return [] }
    throw Failure(handshakeFailure: Self.nextHandshakeFailure())
  }

  /// Sends a close_notify alert.
  package func close() {
    unsafe SSL_shutdown(ssl)
  }

  /// The protocol selected with ALPN, or an empty text.
  package var selectedProtocol: String {
    var data: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    unsafe SSL_get0_alpn_selected(ssl, &data, &length)
    return unsafe String(decoding: UnsafeBufferPointer(start: data, count: Int(length)), as: UTF8.self)
  }

  fileprivate static func nextHandshakeFailure() -> HandshakeFailure? {
    let code = ERR_get_error()
    return code == 0 ? nil : HandshakeFailure(packedCode: code)
  }
}
