internal import CProbeOpenSSL
import ProbeBase

/// A server's requirements for client certificates.
@safe final class ClientCertificateRule {
  private let mode: Int32
  private let isVerifying: Bool
  private let authorities: TrustStore?
  private let names: Set<String>?

  /// The rule of these settings; nil if the server requests no certificate.
  init?(_ settings: ServerSettings) {
    let required = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
    switch settings.clientCertificates {
    case .none: return nil
    case .requested: (mode, isVerifying) = (SSL_VERIFY_PEER, false)
    case .required: (mode, isVerifying) = (required, false)
    case .verifiedIfSent: (mode, isVerifying) = (SSL_VERIFY_PEER, true)
    case .requiredAndVerified: (mode, isVerifying) = (required, true)
    }
    authorities = settings.clientAuthorities
    names = settings.clientNames
  }

  /// Applies the rule to the connections of a server; it must outlive the `SSL_CTX`.
  func apply(to context: OpaquePointer) {
    unsafe authorities?.apply(to: context)
    unsafe SSL_CTX_set_verify(context, mode, nil)
    unsafe SSL_CTX_set_cert_verify_callback(
      context,
      { storeContext, rule in
        guard let storeContext = unsafe storeContext, let rule = unsafe rule else { return 0 }
        let accepts = unsafe Unmanaged<ClientCertificateRule>.fromOpaque(rule).takeUnretainedValue()
          .accepts(storeContext)
        return accepts ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func accepts(_ storeContext: OpaquePointer) -> Bool {
    if isVerifying {
      guard unsafe X509_verify_cert(storeContext) == 1 else { return false }
    } else {
      unsafe X509_STORE_CTX_set_error(storeContext, X509_V_OK)
    }
    guard let names else { return true }
    if let certificate = unsafe X509_STORE_CTX_get0_cert(storeContext),
      unsafe Self.hasName(certificate, among: names)
    {
      return true
    }
    unsafe X509_STORE_CTX_set_error(storeContext, X509_V_ERR_APPLICATION_VERIFICATION)
    return false
  }

  /// Whether a certificate has one of these alternative names: a DNS name, email address, URI, or IP address.
  private static func hasName(_ certificate: OpaquePointer, among names: Set<String>) -> Bool {
    guard let list = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
      return false
    }
    let stack = OpaquePointer(list)
    defer { unsafe GENERAL_NAMES_free(stack) }
    for index in 0..<max(0, unsafe OPENSSL_sk_num(stack)) {
      guard let element = unsafe OPENSSL_sk_value(stack, index) else { continue }
      var kind: Int32 = 0
      let name = unsafe element.assumingMemoryBound(to: GENERAL_NAME.self)
      guard let value = unsafe GENERAL_NAME_get0_value(name, &kind),
        [GEN_DNS, GEN_EMAIL, GEN_URI, GEN_IPADD].contains(kind)
      else { continue }
      let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
      let bytes = unsafe UnsafeBufferPointer(
        start: ASN1_STRING_get0_data(string), count: max(0, Int(widening: ASN1_STRING_length(string))))
      let text =
        unsafe kind == GEN_IPADD ? addressText(Array(bytes)) : String(validating: bytes, as: UTF8.self)
      if let text, names.contains(text) { return true }
    }
    return false
  }
}

// Nothing changes after init.
extension ClientCertificateRule: Sendable {}
