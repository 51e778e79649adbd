internal import CProbeOpenSSL
internal import ProbeFiles

/// The certificate authorities that are trusted: read once, then shared by every connection.
///
/// Nothing comes from the environment: `SSL_CERT_FILE` and its like have no effect. As with curl, an intermediate
/// authority in a file is trusted like a root.
@safe package final class TrustStore {
  /// Where systems keep their bundle of authorities, in the order they are looked for.
  package static let systemBundles = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/ssl/cert.pem",  // Alpine, macOS, BSD
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL 7
  ]

  /// How many certificates were read.
  package let count: Int
  private let store: OpaquePointer
  /// What connections that verify against this store were sent.
  let seen = CertificateCache()

  /// The authorities of these files, and no others.
  ///
  /// - Throws: ``CertificateFileError`` for the first file that cannot be read or holds no certificate.
  package convenience init(files: [String]) throws(CertificateFileError) {
    let bundles = try files.map { path throws(CertificateFileError) in try PEMBundle(path: path) }
    try self.init(certificates: bundles.flatMap(\.certificates))
  }

  /// The authorities whose certificates this text in PEM form holds, and no others.
  ///
  /// - Throws: ``CertificateFileError`` without a path when the text holds no certificate, or one that is broken.
  package convenience init(pem text: [UInt8]) throws(CertificateFileError) {
    try self.init(certificates: PEMBundle(text).certificates)
  }

  /// These authorities, made in this process, and no others.
  ///
  /// - Throws: ``CertificateFileError`` when OpenSSL has no memory for them.
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
  /// - Throws: ``CertificateFileError``: ``CertificateFileError/Code/noSystemStore`` when there is nothing to trust or the
  ///   bundle cannot be used, another one for the first additional file that cannot be used.
  package static func system(
    additional: [String] = [], bundles: [String] = systemBundles
  ) throws(CertificateFileError) -> TrustStore {
    let own = try additional.map { path throws(CertificateFileError) in try PEMBundle(path: path) }
      .flatMap(\.certificates)
    for path in bundles {
      do {
        return try TrustStore(certificates: PEMBundle(path: path).certificates + own)
      } catch  where error.code == .unreadableFile || error.code == .noCertificate {
        // A missing bundle is elsewhere. An empty one trusts nobody (update-ca-certificates(8)). One that cannot be used
        // may be half written: other authorities must not take its place without a word.
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
