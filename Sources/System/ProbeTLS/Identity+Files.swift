internal import CProbeOpenSSL

/// The source of data in PEM format.
package enum PEMSource: Hashable, Sendable {
  /// The file at this path.
  case file(String)
  /// This text.
  case text([UInt8])

  /// The path of the file; nil for a text.
  package var path: String? { if case .file(let path) = self { path } else { nil } }

  fileprivate func bytes() throws(CertificateFileError) -> [UInt8] {
    switch self {
    case .file(let path): try PEMBundle.read(path)
    case .text(let bytes): bytes
    }
  }

  fileprivate func bundle() throws(CertificateFileError) -> PEMBundle {
    switch self {
    case .file(let path): try PEMBundle(path: path)
    case .text(let bytes): try PEMBundle(bytes)
    }
  }
}

extension Identity {
  /// A certificate and its key from PEM files.
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
    try self.init(.file(certificateFile), key: .file(keyFile), passphrase: passphrase)
  }

  /// A certificate and its key in PEM format.
  ///
  /// - Parameters:
  ///   - certificate: The holder's certificate, followed by those to send with it.
  ///   - key: The private key.
  ///   - passphrase: The passphrase of the key, or nil if it is not encrypted.
  /// - Throws: ``CertificateFileError`` for an unusable file or text, and for a key that does not match the
  ///   certificate. It contains nothing of the key or the passphrase.
  package convenience init(
    _ certificate: PEMSource, key: PEMSource, passphrase: String? = nil
  ) throws(CertificateFileError) {
    defer { ErrorQueue.clear() }
    let certificates = try certificate.bundle().certificates
    let (keyFile, certificateFile) = (key.path, certificate.path)
    let key = try PrivateKey(pem: key.bytes(), path: keyFile, passphrase: passphrase)
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
