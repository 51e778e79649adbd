internal import COpenSSL

/// A private key that lives in memory only.
@safe final class PrivateKey {
  /// OpenSSL's object; valid while this key lives.
  let pointer: OpaquePointer

  /// Makes a new P-256 key.
  init() throws(TLSError) {
    ErrorQueue.clear()
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
      throw TLSError.queued(.cannotIssue, "cannot make a key")
    }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_keygen_init(context) == 1,
      unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
      unsafe EVP_PKEY_generate(context, &key) == 1,
      let key = unsafe key
    else { throw TLSError.queued(.cannotIssue, "cannot make a key") }
    unsafe pointer = key
  }

  /// Takes over a key that the caller owns.
  init(adopting pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe EVP_PKEY_free(pointer)
  }

  /// The key in PEM form (PKCS #8), encrypted when there is a passphrase.
  func pem(passphrase: String? = nil) throws(TLSError) -> String {
    let bio = try MemoryBIO()
    let bytes = passphrase.map { Array($0.utf8CString) }
    let cipher = unsafe bytes == nil ? nil : EVP_aes_256_cbc()
    let length = Int32(clamping: (bytes?.count ?? 1) - 1)
    let result = unsafe PEM_write_bio_PKCS8PrivateKey(bio.pointer, pointer, cipher, bytes, length, nil, nil)
    guard result == 1 else {
      throw TLSError.queued(.cannotIssue, "cannot write the key")
    }
    return String(decoding: bio.contents(), as: UTF8.self)
  }
}

extension X509Reference {
  /// The certificate in PEM form.
  func pem() throws(TLSError) -> String {
    let bio = try MemoryBIO()
    guard unsafe PEM_write_bio_X509(bio.pointer, pointer) == 1 else {
      throw TLSError.queued(.cannotIssue, "cannot write the certificate")
    }
    return String(decoding: bio.contents(), as: UTF8.self)
  }

  /// The certificate in DER form.
  func der() throws(TLSError) -> [UInt8] {
    let bio = try MemoryBIO()
    guard unsafe i2d_X509_bio(bio.pointer, pointer) == 1 else {
      throw TLSError.queued(.cannotIssue, "cannot write the certificate")
    }
    return bio.contents()
  }
}
