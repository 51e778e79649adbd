internal import COpenSSL
internal import Files

/// The certificate authorities that are trusted: read once, then shared by every connection.
///
/// Nothing comes from the environment: `SSL_CERT_FILE` and its like have no effect. As with curl, an intermediate
/// authority in a file is trusted like a root.
@safe public final class TrustStore {
  /// Where systems keep their bundle of authorities, in the order they are looked for.
  public static let systemBundles = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/ssl/cert.pem",  // Alpine, macOS, BSD
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL 7
  ]

  /// How many certificates were read.
  public let count: Int
  private let store: OpaquePointer
  /// What connections that verify against this store were sent.
  let seen = CertificateCache()

  /// The authorities of these files, and no others.
  ///
  /// - Throws: ``TrustStoreError`` for the first file that cannot be read or holds no certificate.
  public convenience init(files: [String]) throws(TrustStoreError) {
    let bundles = try files.map { path throws(TrustStoreError) in try PEMBundle(path: path) }
    try self.init(certificates: bundles.flatMap(\.certificates))
  }

  /// The authorities whose certificates this text in PEM form holds, and no others.
  ///
  /// - Throws: ``TrustStoreError`` without a path when the text holds no certificate, or one that is broken.
  public convenience init(pem text: [UInt8]) throws(TrustStoreError) {
    try self.init(certificates: PEMBundle(text).certificates)
  }

  /// These authorities, made in this process, and no others.
  ///
  /// - Throws: ``TrustStoreError`` when OpenSSL has no memory for them.
  public convenience init(authorities: [CertificateAuthority]) throws(TrustStoreError) {
    try self.init(certificates: authorities.map(\.root.certificate))
  }

  private init(certificates: [X509Reference]) throws(TrustStoreError) {
    guard let store = unsafe X509_STORE_new() else {
      throw TrustStoreError(.unusable, path: nil, reason: "OpenSSL cannot make a certificate store")
    }
    unsafe self.store = store
    var count = 0
    for certificate in certificates {
      // The store takes a reference of its own; a certificate it has already is no error.
      if unsafe X509_STORE_add_cert(store, certificate.pointer) == 1 { count += 1 }
    }
    self.count = count
    unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    ErrorQueue.clear()
  }

  deinit {
    unsafe X509_STORE_free(store)
  }

  /// Makes the connections of an `SSL_CTX` verify against this store; the context takes a reference of its own.
  ///
  /// It becomes the context's own store for verification, not its general one (`SSL_CTX_set1_cert_store`): libcurl
  /// keeps the general one and gives it to later connections that asked for the same CA file, whatever store
  /// those were lent.
  func apply(to context: OpaquePointer) {
    // The 1 asks for a reference of the context's own (SSL_CTX_set1_verify_cert_store, a macro).
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_VERIFY_CERT_STORE, 1, UnsafeMutableRawPointer(store))
  }
}

extension TrustStore {
  /// The machine's own authorities, and those of additional files.
  ///
  /// On a machine without any, the additional files alone are the store.
  ///
  /// - Parameters:
  ///   - additional: PEM files of authorities trusted as well.
  ///   - bundles: Where to look for the machine's own; the first that exists and is not empty counts.
  /// - Returns: The store.
  /// - Throws: ``TrustStoreError``: ``TrustStoreError/Code/noSystemStore`` when there is nothing to trust or the
  ///   bundle cannot be used, another one for the first additional file that cannot be used.
  public static func system(
    additional: [String] = [], bundles: [String] = systemBundles
  ) throws(TrustStoreError) -> TrustStore {
    let own = try additional.map { path throws(TrustStoreError) in try PEMBundle(path: path) }
      .flatMap(\.certificates)
    for path in bundles {
      do {
        return try TrustStore(certificates: PEMBundle(path: path).certificates + own)
      } catch  where error.code == .unreadableFile || error.code == .noCertificate {
        // A missing bundle is elsewhere. An empty one trusts nobody (update-ca-certificates(8)). One that cannot be used
        // may be half written: other authorities must not take its place without a word.
        if FileSignature(of: path)?.isEmpty == false {
          throw TrustStoreError(.noSystemStore, path: path, reason: error.reason)
        }
      }
    }
    guard !own.isEmpty else {
      throw TrustStoreError(
        .noSystemStore, path: nil,
        reason: "this machine has no store of certificate authorities; looked for "
          + bundles.joined(separator: ", "))
    }
    return try TrustStore(certificates: own)
  }
}

// The store is not changed after init, and OpenSSL counts references and locks its lookups itself.
extension TrustStore: @unchecked Sendable {}

/// Why there is no store of trusted authorities.
public struct TrustStoreError: Error, Hashable, Sendable {
  /// The kind of failure; the set may grow.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded word, fit for a metric label.
    public let rawValue: String

    /// A code from its word.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The machine has no bundle of authorities and no other file was named, or its bundle cannot be used.
    public static let noSystemStore = Code(rawValue: "noSystemStore")
    /// A file cannot be read.
    public static let unreadableFile = Code(rawValue: "unreadableFile")
    /// A file or text holds no certificate, or one that is broken.
    public static let noCertificate = Code(rawValue: "noCertificate")
    /// This process has no file descriptor left to read a file.
    public static let noDescriptors = Code(rawValue: "noDescriptors")
    /// OpenSSL has no memory.
    public static let unusable = Code(rawValue: "unusable")
  }

  /// The kind of failure.
  public var code: Code
  /// The file, or nil when no single file is the cause.
  public var path: String?
  /// What is wrong, in words, without the path.
  public var reason: String

  /// A failure.
  public init(_ code: Code, path: String?, reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }
}

extension TrustStoreError: CustomStringConvertible {
  /// Path and reason on one line.
  public var description: String { path.map { "\($0): \(reason)" } ?? reason }
}
