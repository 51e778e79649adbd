internal import COpenSSL

extension Identity {
  /// A certificate and its key from PEM files, for a client that shows them.
  ///
  /// - Parameters:
  ///   - certificateFile: The holder's certificate, and behind it those to send along.
  ///   - keyFile: The private key.
  ///   - passphrase: What the key is encrypted with, or nil when it is not.
  /// - Throws: ``IdentityError`` for a file that cannot be used, and for a key that is not the certificate's. Neither
  ///   holds anything of the key or the passphrase.
  public convenience init(
    certificateFile: String, keyFile: String, passphrase: String? = nil
  ) throws(IdentityError) {
    defer { ErrorQueue.clear() }
    let certificates: [X509Reference]
    let text: [UInt8]
    var path = certificateFile
    do {
      certificates = try PEMBundle(path: certificateFile).certificates
      path = keyFile
      text = try PEMBundle.read(keyFile)
    } catch {
      let code: IdentityError.Code =
        switch error.code {
        case .noCertificate: .noCertificate
        case .noDescriptors: .noDescriptors
        default: .unreadableFile
        }
      throw IdentityError(code, path: path, reason: error.reason)
    }
    let key = try PrivateKey(pem: text, path: keyFile, passphrase: passphrase)
    guard unsafe X509_check_private_key(certificates[0].pointer, key.pointer) == 1 else {
      throw IdentityError(.wrongKey, path: keyFile, reason: "the key is not that of the certificate")
    }
    do {
      try self.init(certificates: certificates, key: key)
    } catch {
      throw IdentityError(.noCertificate, path: certificateFile, reason: error.message)
    }
  }

  /// Makes the connections of a client's `SSL_CTX` show this certificate when a server asks for one.
  ///
  /// - Returns: Whether OpenSSL takes it.
  @unsafe public func install(onContext context: UnsafeMutableRawPointer) -> Bool {
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

/// Why a certificate and its key cannot be used.
public struct IdentityError: Error, Hashable, Sendable {
  /// The kind of failure; the set may grow.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded word, fit for a metric label.
    public let rawValue: String

    /// A code from its word.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A file cannot be read.
    public static let unreadableFile = Code(rawValue: "unreadableFile")
    /// A file holds no certificate, or one that is broken.
    public static let noCertificate = Code(rawValue: "noCertificate")
    /// A file holds no private key, or one that is broken.
    public static let noKey = Code(rawValue: "noKey")
    /// The key is encrypted, and the passphrase is missing or wrong.
    public static let wrongPassphrase = Code(rawValue: "wrongPassphrase")
    /// The key is not that of the certificate.
    public static let wrongKey = Code(rawValue: "wrongKey")
    /// This process has no file descriptor left to read a file.
    public static let noDescriptors = Code(rawValue: "noDescriptors")
  }

  /// The kind of failure.
  public var code: Code
  /// The file.
  public var path: String
  /// What is wrong, in words, without the path.
  public var reason: String

  init(_ code: Code, path: String, reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }
}

extension IdentityError: CustomStringConvertible {
  /// Path and reason on one line.
  public var description: String { "\(path): \(reason)" }
}
