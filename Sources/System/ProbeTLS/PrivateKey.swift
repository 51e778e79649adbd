internal import CProbeOpenSSL
import ProbeBase

/// A private key in memory.
@safe final class PrivateKey {
  /// OpenSSL's object; valid for the lifetime of this key.
  let pointer: OpaquePointer

  /// Generates a new P-256 key.
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

  /// Takes ownership of a key.
  init(adopting pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe EVP_PKEY_free(pointer)
  }

  /// The key in PEM format (PKCS #8), encrypted if there is a passphrase.
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
  /// The certificate in PEM format.
  func pem() throws(TLSError) -> String {
    let bio = try MemoryBIO()
    guard unsafe PEM_write_bio_X509(bio.pointer, pointer) == 1 else {
      throw TLSError.queued(.cannotIssue, "cannot write the certificate")
    }
    return String(decoding: bio.contents(), as: UTF8.self)
  }

  /// The certificate in DER format.
  func der() throws(TLSError) -> [UInt8] {
    let bio = try MemoryBIO()
    guard unsafe i2d_X509_bio(bio.pointer, pointer) == 1 else {
      throw TLSError.queued(.cannotIssue, "cannot write the certificate")
    }
    return bio.contents()
  }
}

extension PrivateKey {
  /// The response to OpenSSL's request for a passphrase, and whether there was a request.
  private final class Passphrase {
    let bytes: [UInt8]?
    var wasAskedFor = false

    init(_ text: String?) {
      bytes = text.map { Array($0.utf8) }
    }
  }

  /// The first private key of a PEM text (PKCS #8, or the older format of each key type).
  ///
  /// - Throws: ``CertificateFileError`` if there is none, or it cannot be decrypted.
  convenience init(pem: [UInt8], path: String?, passphrase: String?) throws(CertificateFileError) {
    defer { ErrorQueue.clear() }
    guard let bio = try? MemoryBIO(pem) else {
      throw CertificateFileError(.noKey, path: path, reason: "no memory to read it")
    }
    ErrorQueue.clear()
    let supplied = Passphrase(passphrase)
    let key = unsafe withExtendedLifetime(supplied) {
      // Without a callback OpenSSL would prompt on the terminal.
      unsafe PEM_read_bio_PrivateKey(
        bio.pointer, nil,
        { buffer, size, _, user in
          guard let user = unsafe user, let buffer = unsafe buffer else { return -1 }
          let supplied = unsafe Unmanaged<Passphrase>.fromOpaque(user).takeUnretainedValue()
          supplied.wasAskedFor = true
          guard let bytes = supplied.bytes, bytes.count <= Int(widening: size) else { return -1 }
          for (index, byte) in bytes.enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
          return Int32(clamping: bytes.count)
        }, Unmanaged.passUnretained(supplied).toOpaque())
    }
    if let key = unsafe key {
      unsafe self.init(adopting: key)
      return
    }
    switch (supplied.wasAskedFor, passphrase) {
    case (true, nil):
      throw CertificateFileError(
        .wrongPassphrase, path: path, reason: "the key is encrypted, and there is no passphrase")
    case (true, _):
      throw CertificateFileError(.wrongPassphrase, path: path, reason: "the passphrase of the key is wrong")
    case (false, _):
      let hasKey = String(decoding: pem, as: UTF8.self).contains("PRIVATE KEY-----")
      throw CertificateFileError(
        .noKey, path: path,
        reason: hasKey ? "the private key of the file is broken" : "the file holds no private key in PEM form"
      )
    }
  }
}
