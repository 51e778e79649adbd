package import ProbeCore

/// An authority made at start-up, which signs certificates for servers and clients under test.
///
/// Certificates kept in files expire; these are as fresh as the run. All keys live in memory and leave it only
/// when ``privateKeyPEM()`` is called.
package final class CertificateAuthority {
  /// What the authority's own certificate says.
  package let certificate: CertificateFacts
  /// The authority's certificate in PEM form: what a client must trust.
  package let pem: String
  let root: CertificateBuilder.Issuer
  private let intermediate: CertificateBuilder.Issuer

  /// Makes an authority with a key of its own, and an intermediate authority below it.
  ///
  /// - Parameters:
  ///   - name: Its name, at most 50 characters.
  ///   - validity: When its certificates are valid.
  /// - Throws: ``TLSError`` when OpenSSL cannot make it.
  package init(
    name: String = "ProbeKit Test Authority", validity: CertificateValidity = .current
  ) throws(TLSError) {
    root = try Self.issuer(name, validity, pathLength: nil, below: nil)
    intermediate = try Self.issuer("\(name), Intermediate", validity, pathLength: 0, below: root)
    certificate = try CertificateFacts(root.certificate)
    pem = try root.certificate.pem()
  }

  /// Makes a key and a certificate for it.
  ///
  /// - Throws: ``TLSError`` when a host cannot stand in a certificate, or OpenSSL cannot make it.
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

  /// The authority's key in PEM form, for a user who asks for it in so many words.
  ///
  /// - Throws: ``TLSError`` when OpenSSL cannot write it.
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
    // A common name has at most 64 characters (RFC 5280 appendix A); clients look at the alternative names anyway.
    let name = options.hosts.first.flatMap { $0.utf8.count <= 64 ? $0 : nil } ?? "ProbeKit test certificate"
    let builder = try CertificateBuilder(
      commonName: name, key: key, validity: options.validity, issuer: issuer)
    try builder.addLeafExtensions(options.purposes, hosts: options.hosts)
    return try Identity(certificates: [try builder.sign()] + others, key: key)
  }
}

// Nothing changes after init, and OpenSSL locks what it caches inside its objects.
extension CertificateAuthority: @unchecked Sendable {}

/// A certificate with its key, and the certificates to send along: what a server or a client shows.
package final class Identity {
  /// What the certificates say, the holder's own first, in the order they are sent.
  package let chain: [CertificateFacts]
  let certificates: [X509Reference]
  let key: PrivateKey

  init(certificates: [X509Reference], key: PrivateKey) throws(TLSError) {
    self.certificates = certificates
    self.key = key
    chain = try certificates.map { reference throws(TLSError) in try CertificateFacts(reference) }
  }

  /// The certificates in PEM form, in the order they are sent.
  ///
  /// - Throws: ``TLSError`` when OpenSSL cannot write them.
  package func chainPEM() throws(TLSError) -> String {
    try certificates.map { reference throws(TLSError) in try reference.pem() }.joined()
  }

  /// The holder's own certificate in DER form.
  ///
  /// - Throws: ``TLSError`` when OpenSSL cannot write it.
  package func certificateDER() throws(TLSError) -> [UInt8] {
    try certificates[0].der()
  }

  /// The key in PEM form, for a user who asks for it in so many words.
  ///
  /// - Parameter passphrase: What to encrypt it with, or nil not to.
  /// - Returns: The PKCS #8 form.
  /// - Throws: ``TLSError`` when OpenSSL cannot write it.
  package func privateKeyPEM(passphrase: String? = nil) throws(TLSError) -> String {
    try key.pem(passphrase: passphrase)
  }
}

// Nothing changes after init, and OpenSSL locks what it caches inside its objects.
extension Identity: @unchecked Sendable {}
