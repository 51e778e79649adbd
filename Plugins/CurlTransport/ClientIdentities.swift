internal import Locking
internal import OpenSSL
internal import ProbeCore

/// The client certificates in use, each read once.
final class ClientIdentities: Sendable {
  private let identities = Guarded<[ClientCertificate: Identity]>([:])

  /// The certificate and key of these files.
  ///
  /// - Throws: ``ProbeFailure`` with `request.invalid` or `local.descriptors`.
  func identity(_ certificate: ClientCertificate) throws(ProbeFailure) -> Identity {
    do {
      return try identities.withLock { identities throws(IdentityError) in
        if let identity = identities[certificate] { return identity }
        let identity = try Self.read(certificate)
        identities[certificate] = identity
        return identity
      }
    } catch {
      let reason: ReasonCode = error.code == .noDescriptors ? .noDescriptors : .invalidRequest
      throw ProbeFailure(reason, "the client certificate cannot be used: \(error)")
    }
  }

  private static func read(_ certificate: ClientCertificate) throws(IdentityError) -> Identity {
    let (file, key) = (certificate.certificateFile, certificate.keyFile ?? certificate.certificateFile)
    guard let passphrase = certificate.passphrase else {
      return try Identity(certificateFile: file, keyFile: key)
    }
    return try passphrase.withText { text throws(IdentityError) in
      try Identity(certificateFile: file, keyFile: key, passphrase: text)
    }
  }
}
