internal import CProbeOpenSSL
internal import ProbeSystem

/// The trusted certificate authorities, read once and shared by all connections.
///
/// The environment is ignored, including variables such as `SSL_CERT_FILE`. As with curl, an intermediate
/// authority in a file is trusted like a root.
@safe package final class TrustStore {
  /// The paths of the bundles of systems, in search order.
  package static let systemBundles = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/ssl/cert.pem",  // Alpine, macOS, BSD
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL 7
  ]

  /// The number of certificates.
  package let count: Int
  private let store: OpaquePointer
  /// The certificates received by connections that verify against this store.
  let seen = CertificateCache()

  /// The authorities in these files, and no others.
  ///
  /// - Throws: ``CertificateFileError`` for the first file that cannot be read or contains no certificate.
  package convenience init(files: [String]) throws(CertificateFileError) {
    let bundles = try files.map { path throws(CertificateFileError) in try PEMBundle(path: path) }
    try self.init(certificates: bundles.flatMap(\.certificates))
  }

  /// The authorities in this PEM text, and no others.
  ///
  /// - Throws: ``CertificateFileError`` without a path if the text contains no certificate, or an invalid
  ///   one.
  package convenience init(pem text: [UInt8]) throws(CertificateFileError) {
    try self.init(certificates: PEMBundle(text).certificates)
  }

  /// These authorities, created in this process, and no others.
  ///
  /// - Throws: ``CertificateFileError`` if OpenSSL has no memory for them.
  package convenience init(authorities: [CertificateAuthority]) throws(CertificateFileError) {
    try self.init(certificates: authorities.map(\.root.certificate))
  }

  private init(certificates: [X509Reference]) throws(CertificateFileError) {
    guard let store = unsafe X509_STORE_new() else {
      throw CertificateFileError(.unusable, path: nil, reason: "OpenSSL cannot make a certificate store")
    }
    unsafe self.store = store
    var count = 0
    for certificate in certificates {
      // The store acquires its own reference; a duplicate certificate is not an error.
      if unsafe X509_STORE_add_cert(store, certificate.pointer) == 1 { count += 1 }
    }
    self.count = count
    unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    ErrorQueue.clear()
  }

  deinit {
    unsafe X509_STORE_free(store)
  }

  /// Makes the connections of an `SSL_CTX` verify against this store; the context acquires its own reference.
  ///
  /// It becomes the context's verification store, not its general one (`SSL_CTX_set1_cert_store`): libcurl
  /// keeps the general one and assigns it to later connections with the same CA file, regardless of their
  /// own stores.
  func apply(to context: OpaquePointer) {
    // The 1 makes the context acquire its own reference (SSL_CTX_set1_verify_cert_store, a macro).
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_VERIFY_CERT_STORE, 1, UnsafeMutableRawPointer(store))
  }
}

extension TrustStore {
  /// The machine's own authorities, and those of additional files.
  ///
  /// On a machine without any, the store has only the additional files.
  ///
  /// - Parameters:
  ///   - additional: PEM files with further trusted authorities.
  ///   - bundles: The paths of the machine's bundles; the first that exists and is not empty is used.
  /// - Returns: The store.
  /// - Throws: ``CertificateFileError``: ``CertificateFileError/Code/noSystemStore`` if there is nothing to
  ///   trust or the bundle is unusable, another one for the first unusable additional file.
  package static func system(
    additional: [String] = [], bundles: [String] = systemBundles
  ) throws(CertificateFileError) -> TrustStore {
    let own = try additional.map { path throws(CertificateFileError) in try PEMBundle(path: path) }
      .flatMap(\.certificates)
    for path in bundles {
      do {
        return try TrustStore(certificates: PEMBundle(path: path).certificates + own)
      } catch  where error.code == .unreadableFile || error.code == .noCertificate {
        // A missing bundle is at another path. An empty one trusts no authority (update-ca-certificates(8)).
        // An unusable one may be partially written: other authorities must not silently replace it.
        if FileSignature(of: path)?.isEmpty == false {
          throw CertificateFileError(.noSystemStore, path: path, reason: error.reason)
        }
      }
    }
    guard !own.isEmpty else {
      throw CertificateFileError(
        .noSystemStore, path: nil,
        reason: "this machine has no store of certificate authorities; looked for "
          + bundles.joined(separator: ", "))
    }
    return try TrustStore(certificates: own)
  }
}

// The store is not changed after init, and OpenSSL counts references and locks its lookups itself.
extension TrustStore: @unchecked Sendable {}
