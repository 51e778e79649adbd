internal import CProbeOpenSSL
package import ProbeBase

/// An authority created at startup, which signs certificates for servers and clients under test.
///
/// Certificates in files expire; these are always current. All keys are in memory and leave it only through
/// ``privateKeyPEM()``.
package final class CertificateAuthority {
  /// The contents of the authority's own certificate.
  package let certificate: CertificateFacts
  /// The authority's certificate in PEM format, which a client must trust.
  package let pem: String
  /// The authority's certificate in DER format.
  package let der: [UInt8]
  /// The hash of its name, by which OpenSSL finds it in a folder of certificates (openssl-rehash(1)).
  package let subjectHash: String
  let root: CertificateBuilder.Issuer
  private let intermediate: CertificateBuilder.Issuer

  /// Creates an authority with its own key, and an intermediate authority.
  ///
  /// - Parameters:
  ///   - name: Its name, at most 50 characters.
  ///   - validity: The validity period of its certificates.
  /// - Throws: ``TLSError`` if OpenSSL cannot create it.
  package init(
    name: String = "ProbeKit Test Authority", validity: CertificateValidity = .current
  ) throws(TLSError) {
    root = try Self.issuer(name, validity, pathLength: nil, below: nil)
    intermediate = try Self.issuer("\(name), Intermediate", validity, pathLength: 0, below: root)
    certificate = try CertificateFacts(root.certificate)
    pem = try root.certificate.pem()
    der = try root.certificate.der()
    let hash = unsafe String(X509_subject_name_hash(root.certificate.pointer), radix: 16)
    subjectHash = String(repeating: "0", count: max(0, 8 - hash.count)) + hash
  }

  /// Creates a key and a certificate for it.
  ///
  /// - Throws: ``TLSError`` if a host is invalid in a certificate, or OpenSSL cannot create it.
  package func issue(_ options: LeafOptions) throws(TLSError) -> Identity {
    let last = options.sendsAuthority ? [root.certificate] : []
    switch options.signer {
    case .itself: return try Self.leaf(options, signedBy: nil, sending: last)
    case .intermediate:
      return try Self.leaf(options, signedBy: intermediate, sending: [intermediate.certificate] + last)
    case .missingIntermediate: return try Self.leaf(options, signedBy: intermediate, sending: last)
    default: return try Self.leaf(options, signedBy: root, sending: last)
    }
  }

  /// The authority's private key in PEM format, for a user who explicitly requests it.
  ///
  /// - Throws: ``TLSError`` if OpenSSL cannot write it.
  package func privateKeyPEM() throws(TLSError) -> String {
    try root.key.pem()
  }
}

extension CertificateAuthority {
  private static func issuer(
    _ name: String, _ validity: CertificateValidity, pathLength: Int?, below: CertificateBuilder.Issuer?
  ) throws(TLSError) -> CertificateBuilder.Issuer {
    let key = try PrivateKey()
    let builder = try CertificateBuilder(commonName: name, key: key, validity: validity, issuer: below)
    try builder.addAuthorityExtensions(pathLength: pathLength)
    return CertificateBuilder.Issuer(certificate: try builder.sign(), key: key)
  }

  private static func leaf(
    _ options: LeafOptions, signedBy issuer: CertificateBuilder.Issuer?, sending others: [X509Reference]
  ) throws(TLSError) -> Identity {
    let key = try PrivateKey()
    // A common name has at most 64 characters (RFC 5280 appendix A); clients check the alternative names
    // anyway.
    let name = options.hosts.first.flatMap { $0.utf8.count <= 64 ? $0 : nil } ?? "ProbeKit test certificate"
    let builder = try CertificateBuilder(
      commonName: name, key: key, validity: options.validity, issuer: issuer)
    try builder.addLeafExtensions(options.purposes, hosts: options.hasAlternativeNames ? options.hosts : [])
    return try Identity(certificates: [try builder.sign()] + others, key: key)
  }
}

// Nothing changes after init, and OpenSSL locks what it caches inside its objects.
extension CertificateAuthority: @unchecked Sendable {}

/// A certificate with its key and the certificates to send with it, for a server or a client.
package final class Identity {
  /// The contents of the certificates, the holder's own first, in the order they are sent.
  package let chain: [CertificateFacts]
  let certificates: [X509Reference]
  let key: PrivateKey

  init(certificates: [X509Reference], key: PrivateKey) throws(TLSError) {
    self.certificates = certificates
    self.key = key
    chain = try certificates.map { reference throws(TLSError) in try CertificateFacts(reference) }
  }

  /// The certificates in PEM format, in the order they are sent.
  ///
  /// - Throws: ``TLSError`` if OpenSSL cannot write them.
  package func chainPEM() throws(TLSError) -> String {
    try certificates.map { reference throws(TLSError) in try reference.pem() }.joined()
  }

  /// The holder's own certificate in DER format.
  ///
  /// - Throws: ``TLSError`` if OpenSSL cannot write it.
  package func certificateDER() throws(TLSError) -> [UInt8] {
    try certificates[0].der()
  }

  /// The private key in PEM format, for a user who explicitly requests it.
  ///
  /// - Parameter passphrase: The passphrase to encrypt it with, or nil for no encryption.
  /// - Returns: The key in PKCS #8 format.
  /// - Throws: ``TLSError`` if OpenSSL cannot write it.
  package func privateKeyPEM(passphrase: String? = nil) throws(TLSError) -> String {
    try key.pem(passphrase: passphrase)
  }
}

// Nothing changes after init, and OpenSSL locks the caches inside its objects.
extension Identity: @unchecked Sendable {}
