internal import CProbeOpenSSL

extension Identity {
  /// A certificate and its key from PEM files, for a client that shows them.
  ///
  /// - Parameters:
  ///   - certificateFile: The holder's certificate, and behind it those to send along.
  ///   - keyFile: The private key.
  ///   - passphrase: What the key is encrypted with, or nil when it is not.
  /// - Throws: ``CertificateFileError`` for a file that cannot be used, and for a key that is not the certificate's. Neither
  ///   holds anything of the key or the passphrase.
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

  /// Makes the connections of a client's `SSL_CTX` show this certificate when a server asks for one.
  ///
  /// - Returns: Whether OpenSSL takes it.
  @unsafe package func install(onContext context: UnsafeMutableRawPointer) -> Bool {
    ErrorQueue.clear()
    defer { ErrorQueue.clear() }
    return unsafe use(on: OpaquePointer(context))
  }

  /// Makes the connections of an `SSL_CTX` show this certificate, with those to send along and no others.
  ///
  /// - Returns: Whether OpenSSL takes it; if not, the reason is in this thread's error queue.
  func use(on context: OpaquePointer) -> Bool {
    let chain = unsafe OPENSSL_sk_new_null()
    defer { unsafe OPENSSL_sk_free(chain) }
    for certificate in certificates.dropFirst() {
      // The stack only lends them: the call below takes references of its own.
      unsafe OPENSSL_sk_push(chain, UnsafeRawPointer(certificate.pointer))
    }
    let leaf = unsafe certificates[0].pointer
    return unsafe SSL_CTX_use_cert_and_key(context, leaf, key.pointer, chain, 1) == 1
  }
}
