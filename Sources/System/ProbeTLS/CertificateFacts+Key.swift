internal import CProbeOpenSSL
internal import ProbeBase

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
