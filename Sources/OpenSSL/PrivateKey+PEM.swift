internal import COpenSSL

extension PrivateKey {
  /// What OpenSSL is told when it asks for a passphrase, and whether it asked.
  private final class Passphrase {
    let bytes: [UInt8]?
    var wasAskedFor = false

    init(_ text: String?) {
      bytes = text.map { Array($0.utf8) }
    }
  }

  /// The first private key of a PEM text (PKCS #8, or the older forms of each kind of key).
  ///
  /// - Throws: ``IdentityError`` when there is none, or it cannot be decrypted.
  convenience init(pem: [UInt8], path: String, passphrase: String?) throws(IdentityError) {
    defer { ErrorQueue.clear() }
    guard let bio = try? MemoryBIO(pem) else {
      throw IdentityError(.noKey, path: path, reason: "no memory to read it")
    }
    ErrorQueue.clear()
    let answer = Passphrase(passphrase)
    let key = unsafe withExtendedLifetime(answer) {
      // Without a callback OpenSSL would ask on the terminal.
      unsafe PEM_read_bio_PrivateKey(
        bio.pointer, nil,
        { buffer, size, _, user in
          guard let user = unsafe user, let buffer = unsafe buffer else { return -1 }
          let answer = unsafe Unmanaged<Passphrase>.fromOpaque(user).takeUnretainedValue()
          answer.wasAskedFor = true
          guard let bytes = answer.bytes, bytes.count <= Int(size) else { return -1 }
          for (index, byte) in bytes.enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
          return Int32(bytes.count)
        }, Unmanaged.passUnretained(answer).toOpaque())
    }
    if let key = unsafe key {
      unsafe self.init(adopting: key)
      return
    }
    switch (answer.wasAskedFor, passphrase) {
    case (true, nil):
      throw IdentityError(
        .wrongPassphrase, path: path, reason: "the key is encrypted, and there is no passphrase")
    case (true, _):
      throw IdentityError(.wrongPassphrase, path: path, reason: "the passphrase of the key is wrong")
    case (false, _):
      let hasKey = String(decoding: pem, as: UTF8.self).contains("PRIVATE KEY-----")
      throw IdentityError(
        .noKey, path: path,
        reason: hasKey ? "the private key of the file is broken" : "the file holds no private key in PEM form"
      )
    }
  }
}
