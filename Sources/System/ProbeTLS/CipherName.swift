internal import CProbeOpenSSL

/// The names of cipher suites.
package enum CipherName {
  /// The name of a cipher suite in the registry of IANA, such as `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`.
  ///
  /// - Parameter name: OpenSSL's name, such as `ECDHE-RSA-AES128-GCM-SHA256`.
  /// - Returns: The registered name, or the same name if there is none.
  package static func standard(_ name: String) -> String {
    name.hasPrefix("TLS_") ? name : registered[name] ?? name
  }

  private static let registered: [String: String] = {
    guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { return [:] }
    defer { unsafe SSL_CTX_free(context) }
    // Including the suites that a client does not offer by default.
    unsafe SSL_CTX_set_cipher_list(context, "ALL:COMPLEMENTOFALL:@SECLEVEL=0")
    let ciphers = unsafe SSL_CTX_get_ciphers(context)
    var names: [String: String] = [:]
    for index in 0..<max(0, unsafe OPENSSL_sk_num(ciphers)) {
      guard let cipher = unsafe OPENSSL_sk_value(ciphers, index).map({ OpaquePointer($0) }),
        let name = unsafe SSL_CIPHER_get_name(cipher), let standard = unsafe SSL_CIPHER_standard_name(cipher)
      else { continue }
      unsafe names[String(cString: name)] = unsafe String(cString: standard)
    }
    return names
  }()
}
