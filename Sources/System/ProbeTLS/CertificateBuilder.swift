internal import CProbeOpenSSL

/// The properties of a certificate to create.
package struct LeafOptions: Hashable, Sendable {
  /// The signer of a certificate, and whether the server sends the rest of the chain.
  package struct Signer: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The root authority.
    package static let authority = Signer(rawValue: "authority")
    /// The certificate's own key: self-signed.
    package static let itself = Signer(rawValue: "itself")
    /// An intermediate authority, whose certificate the server sends.
    package static let intermediate = Signer(rawValue: "intermediate")
    /// An intermediate authority, whose certificate the server does not send.
    package static let missingIntermediate = Signer(rawValue: "missingIntermediate")
  }

  /// The purposes of a certificate (RFC 5280 §4.2.1.12).
  package struct Purposes: OptionSet, Hashable, Sendable {
    /// One bit for each purpose.
    package let rawValue: Int

    package init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Server authentication.
    package static let server = Purposes(rawValue: 1)
    /// Client authentication.
    package static let client = Purposes(rawValue: 2)
  }

  /// The DNS names (`*.` at the start for all names one level below) and IP addresses of the certificate.
  package var hosts: [String]
  /// Whether the hosts are among the alternative names; otherwise the certificate has only a common name, the first
  /// host.
  package var hasAlternativeNames = true
  package var validity = CertificateValidity.current
  package var signer = Signer.authority
  /// Whether the authority's own certificate is sent as well, last; a client that trusts it has it (RFC 8446
  /// §4.4.2).
  package var sendsAuthority = false
  package var purposes: Purposes = .server

  /// The default: a valid server certificate for these hosts.
  package init(hosts: [String]) {
    self.hosts = hosts
  }
}

/// A validity period relative to the creation of the certificate, so that none expires unintentionally.
package struct CertificateValidity: Hashable, Sendable {
  /// The start, in seconds after creation; negative for the past.
  package var from: Int
  /// The end, in seconds after creation; negative for the past.
  package var until: Int

  /// A period in seconds after creation.
  package init(from: Int, until: Int) {
    self.from = from
    self.until = until
  }

  private static let day = 86_400

  /// From yesterday, because clocks may differ, for 397 days, the maximum period that browsers accept.
  package static let current = CertificateValidity(from: 0 - day, until: 396 * day)
  /// Valid until yesterday.
  package static let expired = CertificateValidity(from: -31 * day, until: 0 - day)
  /// Valid from tomorrow on.
  package static let notYetValid = CertificateValidity(from: day, until: 31 * day)
}

/// Assembles and signs a certificate (RFC 5280 §4).
struct CertificateBuilder {
  /// The issuer of a certificate: an authority's certificate and key.
  struct Issuer {
    /// The authority's certificate.
    var certificate: X509Reference
    /// The authority's key.
    var key: PrivateKey
  }

  private let x509: X509Reference
  private let key: PrivateKey
  private let issuer: Issuer

  /// A certificate without extensions.
  ///
  /// - Parameters:
  ///   - commonName: The subject's common name, at most 64 characters.
  ///   - key: The key of the subject.
  ///   - validity: The validity period.
  ///   - issuer: The issuer; nil for a self-signed certificate.
  /// - Throws: ``TLSError`` if the name or the validity cannot be encoded.
  init(
    commonName: String, key: PrivateKey, validity: CertificateValidity, issuer: Issuer?
  ) throws(TLSError) {
    ErrorQueue.clear()
    guard let pointer = unsafe X509_new() else { throw Self.failure("no memory for a certificate") }
    x509 = unsafe X509Reference(adopting: pointer)
    self.key = key
    self.issuer = issuer ?? Issuer(certificate: x509, key: key)

    guard unsafe X509_set_version(pointer, Int(X509_VERSION_3)) == 1, unsafe Self.setSerialNumber(pointer),
      unsafe X509_gmtime_adj(X509_getm_notBefore(pointer), validity.from) != nil,
      unsafe X509_gmtime_adj(X509_getm_notAfter(pointer), validity.until) != nil,
      unsafe X509_set_pubkey(pointer, key.pointer) == 1
    else { throw Self.failure("cannot fill in a certificate") }
    let name = Array(commonName.utf8)
    guard
      unsafe X509_NAME_add_entry_by_txt(
        X509_get_subject_name(pointer), "CN", MBSTRING_UTF8, name, Int32(clamping: name.count), -1, 0) == 1,
      unsafe X509_set_issuer_name(
        pointer, X509_get_subject_name(self.issuer.certificate.pointer)) == 1
    else { throw Self.failure("cannot name a certificate \(commonName)") }
  }

  /// Makes it an authority's certificate with this maximum path length.
  func addAuthorityExtensions(pathLength: Int?) throws(TLSError) {
    let limit = pathLength.map { ",pathlen:\($0)" } ?? ""
    try addExtension(NID_basic_constraints, "critical,CA:TRUE\(limit)")
    try addExtension(NID_key_usage, "critical,keyCertSign,cRLSign")
    try addKeyIdentifiers()
  }

  /// Makes it a certificate of a server, a client or both.
  func addLeafExtensions(_ purposes: LeafOptions.Purposes, hosts: [String]) throws(TLSError) {
    try addExtension(NID_basic_constraints, "critical,CA:FALSE")
    try addExtension(NID_key_usage, "critical,digitalSignature")
    let usages = [(LeafOptions.Purposes.server, "serverAuth"), (.client, "clientAuth")]
    let wanted = usages.filter { purposes.contains($0.0) }.map(\.1)
    if !wanted.isEmpty { try addExtension(NID_ext_key_usage, wanted.joined(separator: ",")) }
    try addKeyIdentifiers()
    if !hosts.isEmpty { try addAlternativeNames(hosts) }
  }

  /// Signs it; it cannot be changed afterwards.
  func sign() throws(TLSError) -> X509Reference {
    guard unsafe X509_sign(x509.pointer, issuer.key.pointer, EVP_sha256()) > 0 else {
      throw Self.failure("cannot sign a certificate")
    }
    return x509
  }
}

extension CertificateBuilder {
  private static func failure(_ action: String) -> TLSError {
    TLSError.queued(.cannotIssue, action)
  }

  /// A random serial number of 126 bits, positive as required by RFC 5280 §4.1.2.2.
  private static func setSerialNumber(_ x509: OpaquePointer) -> Bool {
    guard let number = unsafe BN_new() else { return false }
    defer { unsafe BN_free(number) }
    return unsafe BN_rand(number, 126, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1
      && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)) != nil
  }

  private func addKeyIdentifiers() throws(TLSError) {
    try addExtension(NID_subject_key_identifier, "hash")
    try addExtension(NID_authority_key_identifier, "keyid")
  }

  /// Adds an extension in the notation of x509v3_config(5).
  ///
  /// Only for constants: the notation has no safe quoting.
  private func addExtension(_ identifier: Int32, _ value: String) throws(TLSError) {
    var context = unsafe X509V3_CTX()
    unsafe X509V3_set_ctx(&context, issuer.certificate.pointer, x509.pointer, nil, nil, 0)
    guard let extension509 = unsafe X509V3_EXT_nconf_nid(nil, &context, identifier, value) else {
      throw Self.failure("cannot make the extension \(value)")
    }
    defer { unsafe X509_EXTENSION_free(extension509) }
    guard unsafe X509_add_ext(x509.pointer, extension509, -1) == 1 else {
      throw Self.failure("cannot add the extension \(value)")
    }
  }

  private func addAlternativeNames(_ hosts: [String]) throws(TLSError) {
    guard let names = unsafe GENERAL_NAMES_new() else { throw Self.failure("no memory for names") }
    defer { unsafe GENERAL_NAMES_free(names) }
    for host in hosts {
      guard let name = unsafe GENERAL_NAME_new() else { throw Self.failure("no memory for names") }
      guard unsafe Self.set(name, to: host), unsafe OPENSSL_sk_push(names, name) > 0 else {
        unsafe GENERAL_NAME_free(name)
        throw Self.failure("a certificate cannot be for \(host)")
      }
    }
    guard
      unsafe X509_add1_ext_i2d(x509.pointer, NID_subject_alt_name, UnsafeMutableRawPointer(names), 0, 0) == 1
    else { throw Self.failure("cannot add the names \(hosts.joined(separator: ", "))") }
  }

  private static func set(_ name: UnsafeMutablePointer<GENERAL_NAME>, to host: String) -> Bool {
    guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), (1...255).contains(host.utf8.count) else {
      return false
    }
    if let address = unsafe a2i_IPADDRESS(host) {
      unsafe GENERAL_NAME_set0_value(name, GEN_IPADD, address)
      return true
    }
    // It is not an error if the text is not an address.
    ErrorQueue.clear()
    let bytes = Array(host.utf8)
    guard let text = unsafe ASN1_STRING_type_new(V_ASN1_IA5STRING) else { return false }
    guard unsafe ASN1_STRING_set(text, bytes, Int32(clamping: bytes.count)) == 1 else {
      unsafe ASN1_STRING_free(text)
      return false
    }
    unsafe GENERAL_NAME_set0_value(name, GEN_DNS, text)
    return true
  }
}
