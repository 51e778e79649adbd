internal import CProbeOpenSSL
internal import ProbeSystem

/// The certificates in a PEM file or text.
struct PEMBundle {
  /// The maximum file size; the bundles of systems have about 230 KB.
  static let maximumBytes = 16 * 1024 * 1024

  /// The certificates in the order of the file; at least one.
  let certificates: [X509Reference]

  init(path: String) throws(CertificateFileError) {
    try self.init(Self.read(path), path: path)
  }

  init(_ text: [UInt8]) throws(CertificateFileError) {
    guard text.count <= Self.maximumBytes else {
      throw CertificateFileError(
        .noCertificate, path: nil, reason: "the text is larger than \(Self.maximumBytes) bytes")
    }
    try self.init(text, path: nil)
  }

  private init(_ text: [UInt8], path: String?) throws(CertificateFileError) {
    defer { ErrorQueue.clear() }
    let whole = path == nil ? "text" : "file"
    guard let bio = try? MemoryBIO(text) else {
      throw CertificateFileError(.unusable, path: path, reason: "no memory to read it")
    }
    var certificates: [X509Reference] = []
    ErrorQueue.clear()
    while let pointer = unsafe PEM_read_bio_X509(bio.pointer, nil, nil, nil) {
      certificates.append(unsafe X509Reference(adopting: pointer))
    }
    // The end of the file results in a missing start line; any other error is an invalid certificate.
    let problem = ERR_peek_last_error()
    guard problem == 0 || Self.isEndOfFile(problem) else {
      throw CertificateFileError(
        .noCertificate, path: path,
        reason: "certificate \(certificates.count + 1) of the \(whole) is broken: \(ErrorQueue.text(problem))"
      )
    }
    guard !certificates.isEmpty else {
      throw CertificateFileError(
        .noCertificate, path: path, reason: "the \(whole) holds no certificate in PEM form")
    }
    self.certificates = certificates
  }

  private static func isEndOfFile(_ packed: UInt) -> Bool {
    (packed >> 23) & 0xFF == UInt(ERR_LIB_PEM) && packed & 0x7F_FFFF == UInt(PEM_R_NO_START_LINE)
  }

  static func read(_ path: String) throws(CertificateFileError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) {
      // It is read more than once, which is impossible for a pipe.
      bytes = try FileReading.bytes(of: path, limit: maximumBytes, .regularFiles)
    } catch {
      throw CertificateFileError(
        error.isShortageOfDescriptors ? .noDescriptors : .unreadableFile, path: path,
        reason: "cannot be read: \(error)")
    }
    guard bytes.count <= maximumBytes else {
      throw CertificateFileError(
        .unreadableFile, path: path, reason: "the file is larger than \(maximumBytes) bytes")
    }
    return bytes
  }
}

/// The reason why certificates, or a certificate and its key, are unusable.
package struct CertificateFileError: Error, Hashable, Sendable {
  /// The kind of failure; the set may grow.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded identifier, suitable as a metric label.
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The machine has no bundle of authorities and no other file was given, or its bundle is unusable.
    package static let noSystemStore = Code(rawValue: "noSystemStore")
    /// A file cannot be read.
    package static let unreadableFile = Code(rawValue: "unreadableFile")
    /// A file or text contains no certificate, or an invalid one.
    package static let noCertificate = Code(rawValue: "noCertificate")
    /// A file contains no private key, or an invalid one.
    package static let noKey = Code(rawValue: "noKey")
    /// The key is encrypted, and the passphrase is missing or wrong.
    package static let wrongPassphrase = Code(rawValue: "wrongPassphrase")
    /// The key does not match the certificate.
    package static let wrongKey = Code(rawValue: "wrongKey")
    /// No file descriptor is available for reading a file.
    package static let noDescriptors = Code(rawValue: "noDescriptors")
    /// OpenSSL has no memory.
    package static let unusable = Code(rawValue: "unusable")
  }

  /// The kind of failure.
  package var code: Code
  /// The file, or nil if no single file is the cause.
  package var path: String?
  /// A description of the failure, without the path.
  package var reason: String

  package init(_ code: Code, path: String?, reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }
}

extension CertificateFileError: CustomStringConvertible {
  /// Path and reason on one line.
  package var description: String { path.map { "\($0): \(reason)" } ?? reason }
}

/// The source of data in PEM format.
package enum PEMSource: Hashable, Sendable {
  /// The file at this path.
  case file(String)
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
