internal import CProbeOpenSSL
internal import FoundationEssentials
package import ProbeBase

/// Parsing certificates.
///
/// They are untrusted: every text is bounded by ``CertificateLimits``, and unprintable bytes are written as
/// `\xNN`. The number of names is bounded by the size of a certificate.
extension CertificateFacts {
  /// Parses a certificate in DER format.
  ///
  /// - Throws: ``TLSError`` if the bytes are not exactly one certificate.
  package init(der: [UInt8]) throws(TLSError) {
    guard !der.isEmpty, der.count <= CertificateLimits.certificateBytes else {
      throw TLSError(.malformedCertificate, "\(der.count) bytes cannot be a certificate")
    }
    var read = 0
    let x509 = unsafe der.withUnsafeBufferPointer { bytes -> X509Reference? in
      var cursor = bytes.baseAddress
      guard let pointer = unsafe d2i_X509(nil, &cursor, bytes.count) else { return nil }
      if let start = bytes.baseAddress, let end = unsafe cursor { read = unsafe end - start }
      return unsafe X509Reference(adopting: pointer)
    }
    guard let x509 else { throw TLSError.queued(.malformedCertificate, "not a certificate") }
    guard read == der.count else {
      throw TLSError(.malformedCertificate, "\(der.count - read) bytes follow the certificate")
    }
    try self.init(x509)
  }

  /// Parses the first certificate of a PEM text.
  ///
  /// - Throws: ``TLSError`` if there is none.
  package init(pem: String) throws(TLSError) {
    let bytes = Array(pem.utf8)
    let bio = try MemoryBIO(bytes)
    guard let pointer = unsafe PEM_read_bio_X509(bio.pointer, nil, nil, nil) else {
      throw TLSError.queued(.malformedCertificate, "no certificate in the PEM text")
    }
    try self.init(unsafe X509Reference(adopting: pointer))
  }

  /// Reads a certificate object of OpenSSL.
  init(_ reference: X509Reference) throws(TLSError) {
    // Invalid extensions leave errors in the queue, which must not be attributed to a later call.
    defer { ErrorQueue.clear() }
    let x509 = unsafe reference.pointer
    guard let notBefore = unsafe Self.date(X509_get0_notBefore(x509)),
      let notAfter = unsafe Self.date(X509_get0_notAfter(x509))
    else { throw TLSError(.malformedCertificate, "the certificate's validity is not a pair of dates") }
    let fingerprint = try reference.digest().hexText
    self.init(
      subject: unsafe Self.name(X509_get_subject_name(x509)),
      issuer: unsafe Self.name(X509_get_issuer_name(x509)),
      alternativeNames: unsafe Self.alternativeNames(x509),
      serialNumber: unsafe Self.serialNumber(x509),
      notBefore: notBefore,
      notAfter: notAfter,
      fingerprint: fingerprint
    )
    unsafe readKeyAndSignature(of: x509)
  }
}

extension CertificateFacts {
  private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date? {
    guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
    defer { unsafe ASN1_TIME_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(days) * 86400 + TimeInterval(seconds))
  }

  private static func name(_ name: OpaquePointer?) -> String {
    guard let name = unsafe name, let bio = try? MemoryBIO() else { return "" }
    guard unsafe X509_NAME_print_ex(bio.pointer, name, 0, probe_distinguished_name_flags()) >= 0 else {
      return ""
    }
    let limit = CertificateLimits.nameBytes
    return boundedText(bio.contents(upTo: limit + 1), limit: limit)
  }

  private static func serialNumber(_ x509: OpaquePointer) -> String {
    guard let number = unsafe X509_get0_serialNumber(x509) else { return "" }
    let bytes = unsafe asn1Bytes(number, upTo: CertificateLimits.serialNumberBytes + 1)
    let sign = unsafe ASN1_STRING_type(number) == V_ASN1_NEG_INTEGER ? "-" : ""
    let cut = bytes.count > CertificateLimits.serialNumberBytes ? "…" : ""
    return sign + (bytes.isEmpty ? "00" : bytes.prefix(CertificateLimits.serialNumberBytes).hexText) + cut
  }

  private static func alternativeNames(_ x509: OpaquePointer) -> [String] {
    guard let names = unsafe X509_get_ext_d2i(x509, NID_subject_alt_name, nil, nil) else { return [] }
    let stack = OpaquePointer(names)
    defer { unsafe GENERAL_NAMES_free(stack) }
    var result: [String] = []
    // All of them, because any may be the one that a user requires; reports have fewer.
    for index in 0..<max(0, unsafe OPENSSL_sk_num(stack)) {
      guard let element = unsafe OPENSSL_sk_value(stack, index) else { continue }
      var kind: Int32 = 0
      let name = unsafe element.assumingMemoryBound(to: GENERAL_NAME.self)
      guard let value = unsafe GENERAL_NAME_get0_value(name, &kind) else { continue }
      guard kind == GEN_DNS || kind == GEN_IPADD else { continue }
      let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
      let bytes = unsafe asn1Bytes(string, upTo: CertificateLimits.alternativeNameBytes + 1)
      if kind == GEN_DNS {
        let name = boundedText(bytes, limit: CertificateLimits.alternativeNameBytes)
        let looksLikeAddress = CertificateHost.address(bytes) != nil
        result.append(looksLikeAddress ? CertificateFacts.dnsNamePrefix + name : name)
      } else if let address = addressText(bytes) {
        result.append(address)
      }
    }
    return result
  }

  private static func asn1Bytes(_ string: UnsafePointer<ASN1_STRING>, upTo limit: Int) -> [UInt8] {
    guard let data = unsafe ASN1_STRING_get0_data(string) else { return [] }
    let count = min(limit, max(0, Int(widening: unsafe ASN1_STRING_length(string))))
    return unsafe Array(UnsafeBufferPointer(start: data, count: count))
  }
}

/// Limits for the contents of a certificate; excess parts are dropped, texts end with an ellipsis.
package enum CertificateLimits {
  /// The maximum size of a DER certificate, in bytes.
  package static let certificateBytes = 128 * 1024
  /// The length of a distinguished name in bytes.
  package static let nameBytes = 1024
  /// The length of an alternative name in bytes; a DNS name has at most 255.
  static let alternativeNameBytes = 255
  /// The length of a serial number in bytes; RFC 5280 §4.1.2.2 allows 20.
  static let serialNumberBytes = 64
  /// The number of certificates of one chain.
  package static let chainLength = 16
}

/// Parsed certificates by their digest.
///
/// Most servers always send the same chain, and parsing a certificate takes as long as twenty digests.
final class CertificateCache: Sendable {
  /// A server that sends another certificate every time only evicts the others.
  private static let capacity = 64
  /// The maximum number of names of a certificate to keep; some have as many as fit, to fill the memory.
  private static let maximumNames = 1000

  private let certificates = Guarded<[[UInt8]: CertificateFacts]>([:])

  /// The contents of a certificate, or nil if it is invalid.
  func certificate(_ reference: X509Reference) -> CertificateFacts? {
    guard let digest = try? reference.digest() else { return nil }
    if let known = certificates.withLock({ $0[digest] }) { return known }
    guard let certificate = try? CertificateFacts(reference) else { return nil }
    guard certificate.alternativeNames.count + certificate.issuerNames.count <= Self.maximumNames else {
      return certificate
    }
    certificates.withLock { certificates in
      if certificates.count >= Self.capacity { certificates.removeAll() }
      certificates[digest] = certificate
    }
    return certificate
  }
}

/// Untrusted text of at most this many bytes, truncated with an ellipsis; unprintable bytes become `\xNN`.
func boundedText(_ bytes: [UInt8], limit: Int) -> String {
  var end = min(limit, bytes.count)
  // Not inside a character: no UTF-8 sequence has more than three bytes after its first.
  for _ in 0..<3 where end > 0 && end < bytes.count && bytes[end] & 0xC0 == 0x80 { end -= 1 }
  let shown = bytes[..<end]
  var text = ""
  if let whole = String(validating: shown, as: UTF8.self) {
    for scalar in whole.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        text += scalar.utf8.map(escape).joined()
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  } else {
    // Not UTF-8.
    for byte in shown { text += (0x20..<0x7F).contains(byte) ? String(Unicode.Scalar(byte)) : escape(byte) }
  }
  return bytes.count > limit ? text + "…" : text
}

/// The text form of the bytes of an IP address (RFC 5280 §4.2.1.6): dotted decimal, or RFC 5952.
///
/// - Returns: nil if there are neither 4 nor 16 bytes.
func addressText(_ bytes: [UInt8]) -> String? {
  switch bytes.count {
  case 4:
    return bytes.map { String($0) }.joined(separator: ".")
  case 16:
    // In a name that the authority wrote, an embedded IPv4 address is not shown as one.
    return IPAddress.hexadecimalText(bytes.reduce(0) { $0 << 8 | UInt128(widening: $1) })
  default:
    return nil
  }
}

private func escape(_ byte: UInt8) -> String {
  "\\x" + byte.hexText(atLeast: 2)
}

/// Reading the key and the signature of a certificate, and the names of its issuer.
extension CertificateFacts {
  /// Adds the certificate's data about its key, its signature and its issuer.
  mutating func readKeyAndSignature(of x509: OpaquePointer) {
    issuerNames = unsafe Self.organizationsAndCommonNames(X509_get_issuer_name(x509))
    if let key = unsafe X509_get0_pubkey(x509) {
      let kind = unsafe Self.kind(of: key)
      keyAlgorithm = kind?.name
      let bits = unsafe kind?.bits ?? Int(widening: EVP_PKEY_get_bits(key))
      keyBits = bits > 0 ? bits : nil
    }
    signatureAlgorithm = unsafe Self.signatureName(x509)
    signatureHash = unsafe Self.signatureHash(x509)
  }

  /// The name of a kind of key, and its size if all keys of the kind have the same (RFC 8032 §5).
  private static func kind(of key: OpaquePointer) -> (name: String, bits: Int?)? {
    switch unsafe EVP_PKEY_get_base_id(key) {
    case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: ("rsa", nil)
    case EVP_PKEY_EC: ("ec", nil)
    case EVP_PKEY_DSA: ("dsa", nil)
    case EVP_PKEY_ED25519: ("ed25519", 256)
    case EVP_PKEY_ED448: ("ed448", 456)
    case let other: unsafe OBJ_nid2sn(other).map { (unsafe String(cString: $0).lowercased(), nil) }
    }
  }

  private static func signatureName(_ x509: OpaquePointer) -> String? {
    var algorithm: UnsafePointer<X509_ALGOR>?
    unsafe X509_get0_signature(nil, &algorithm, x509)
    var object: OpaquePointer?
    unsafe X509_ALGOR_get0(&object, nil, nil, algorithm)
    var text = [CChar](repeating: 0, count: 128)
    let length = unsafe OBJ_obj2txt(&text, Int32(clamping: text.count), object, 0)
    guard length > 0 else { return nil }
    return boundedText(text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, limit: text.count)
  }

  /// The hash function; that of RSASSA-PSS is a parameter of the signature (RFC 4055 §3.1).
  private static func signatureHash(_ x509: OpaquePointer) -> String? {
    var (hash, key): (Int32, Int32) = (0, 0)
    guard unsafe X509_get_signature_info(x509, &hash, &key, nil, nil) == 1 else { return nil }
    switch key {
    // These algorithms include their hash function (RFC 8032 §5.1, §5.2).
    case NID_ED25519: return "sha512"
    case NID_ED448: return "shake256"
    default: break
    }
    guard hash != NID_undef, let name = unsafe OBJ_nid2sn(hash) else { return nil }
    return unsafe String(cString: name).lowercased()
  }

  private static func organizationsAndCommonNames(_ name: OpaquePointer?) -> [String] {
    guard let name = unsafe name else { return [] }
    var names: [String] = []
    for index in 0..<max(0, unsafe X509_NAME_entry_count(name)) {
      let entry = unsafe X509_NAME_get_entry(name, index)
      let kind = unsafe OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry))
      guard kind == NID_commonName || kind == NID_organizationName, let bio = try? MemoryBIO(),
        unsafe ASN1_STRING_print_ex(
          bio.pointer, X509_NAME_ENTRY_get_data(entry), UInt(ASN1_STRFLGS_UTF8_CONVERT)) >= 0
      else { continue }
      let limit = CertificateLimits.nameBytes
      names.append(boundedText(bio.contents(upTo: limit + 1), limit: limit))
    }
    return names
  }
}
