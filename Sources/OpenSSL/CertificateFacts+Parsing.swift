internal import COpenSSL
internal import CProbeShims
internal import FoundationEssentials
public import ProbeCore

/// Reading certificates.
///
/// They come from strangers: every text is bounded by ``CertificateLimits``, and bytes that would not show are written
/// as `\xNN`.
extension CertificateFacts {
  /// Reads a certificate from its DER form.
  ///
  /// - Throws: ``TLSError`` when the bytes are not exactly one certificate.
  public init(der: [UInt8]) throws(TLSError) {
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

  /// Reads the first certificate of a PEM text.
  ///
  /// - Throws: ``TLSError`` when there is none.
  public init(pem: String) throws(TLSError) {
    let bytes = Array(pem.utf8)
    let bio = try MemoryBIO(bytes)
    guard let pointer = unsafe PEM_read_bio_X509(bio.pointer, nil, nil, nil) else {
      throw TLSError.queued(.malformedCertificate, "no certificate in the PEM text")
    }
    try self.init(unsafe X509Reference(adopting: pointer))
  }

  /// Reads an object of OpenSSL's.
  init(_ reference: X509Reference) throws(TLSError) {
    // Extensions that cannot be read leave errors in the queue, which must not be taken for a later call's.
    defer { ErrorQueue.clear() }
    let x509 = unsafe reference.pointer
    guard let notBefore = unsafe Self.date(X509_get0_notBefore(x509)),
      let notAfter = unsafe Self.date(X509_get0_notAfter(x509))
    else { throw TLSError(.malformedCertificate, "the certificate's validity is not a pair of dates") }
    let fingerprint = hexText(try reference.digest()[...])
    self.init(
      subject: unsafe Self.name(X509_get_subject_name(x509)),
      issuer: unsafe Self.name(X509_get_issuer_name(x509)),
      alternativeNames: unsafe Self.alternativeNames(x509),
      serialNumber: unsafe Self.serialNumber(x509),
      notBefore: notBefore,
      notAfter: notAfter,
      fingerprint: fingerprint
    )
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
    return sign + (bytes.isEmpty ? "00" : hexText(bytes.prefix(CertificateLimits.serialNumberBytes))) + cut
  }

  private static func alternativeNames(_ x509: OpaquePointer) -> [String] {
    guard let names = unsafe X509_get_ext_d2i(x509, NID_subject_alt_name, nil, nil) else { return [] }
    let stack = OpaquePointer(names)
    defer { unsafe GENERAL_NAMES_free(stack) }
    var result: [String] = []
    for index in 0..<max(0, unsafe OPENSSL_sk_num(stack))
    where result.count < CertificateLimits.alternativeNames {
      guard let element = unsafe OPENSSL_sk_value(stack, index) else { continue }
      var kind: Int32 = 0
      let name = unsafe element.assumingMemoryBound(to: GENERAL_NAME.self)
      guard let value = unsafe GENERAL_NAME_get0_value(name, &kind) else { continue }
      guard kind == GEN_DNS || kind == GEN_IPADD else { continue }
      let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
      let bytes = unsafe asn1Bytes(string, upTo: CertificateLimits.alternativeNameBytes + 1)
      if kind == GEN_DNS {
        result.append(boundedText(bytes, limit: CertificateLimits.alternativeNameBytes))
      } else if let address = addressText(bytes) {
        result.append(address)
      }
    }
    return result
  }

  private static func asn1Bytes(_ string: UnsafePointer<ASN1_STRING>, upTo limit: Int) -> [UInt8] {
    guard let data = unsafe ASN1_STRING_get0_data(string) else { return [] }
    let count = min(limit, max(0, Int(unsafe ASN1_STRING_length(string))))
    return unsafe Array(UnsafeBufferPointer(start: data, count: count))
  }
}
