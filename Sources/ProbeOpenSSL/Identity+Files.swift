internal import CProbeOpenSSL

extension Identity {
  /// A certificate and its key from PEM files, for a client.
  ///
  /// - Parameters:
  ///   - certificateFile: The holder's certificate, followed by those to send with it.
  ///   - keyFile: The private key.
  ///   - passphrase: The passphrase of the key, or nil if it is not encrypted.
  /// - Throws: ``CertificateFileError`` for an unusable file, and for a key that does not match the
  ///   certificate. It contains nothing of the key or the passphrase.
  package convenience init(
    certificateFile: String, keyFile: String, passphrase: String? = nil
  ) throws(CertificateFileError) {
    defer { ErrorQueue.clear() }
    let certificates = try PEMBundle(path: certificateFile).certificates
    let key = try PrivateKey(pem: PEMBundle.read(keyFile), path: keyFile, passphrase: passphrase)
    guard unsafe X509_check_private_key(certificates[0].pointer, key.pointer) == 1 else {
      throw CertificateFileError(.wrongKey, path: keyFile, reason: "the key is not that of the certificate")
    }
    do {
      try self.init(certificates: certificates, key: key)
    } catch {
      throw CertificateFileError(.noCertificate, path: certificateFile, reason: error.message)
    }
  }

  /// Makes the connections of a client's `SSL_CTX` send this certificate if a server requests one.
  ///
  /// - Returns: Whether OpenSSL accepts it.
  @unsafe package func install(onContext context: UnsafeMutableRawPointer) -> Bool {
    ErrorQueue.clear()
    defer { ErrorQueue.clear() }
    return unsafe use(on: OpaquePointer(context))
  }

  /// Makes the connections of an `SSL_CTX` send this certificate and its chain, and no others.
  ///
  /// - Returns: Whether OpenSSL accepts it; if not, the reason is in this thread's error queue.
  func use(on context: OpaquePointer) -> Bool {
    let chain = unsafe OPENSSL_sk_new_null()
    defer { unsafe OPENSSL_sk_free(chain) }
    for certificate in certificates.dropFirst() {
      // The stack has no ownership: the call below acquires its own references.
      unsafe OPENSSL_sk_push(chain, UnsafeRawPointer(certificate.pointer))
    }
    let leaf = unsafe certificates[0].pointer
    return unsafe SSL_CTX_use_cert_and_key(context, leaf, key.pointer, chain, 1) == 1
  }
}
