package import OpenSSL
package import ProbeCore

/// The client certificates in use, each read once and again when its files change.
package final class ClientIdentities: Sendable {
  private let identities = FileCache<ClientCertificate, Identity>()

  /// No certificate yet.
  package init() {}

  /// The certificate and key of these files.
  ///
  /// - Parameters:
  ///   - certificate: The files.
  ///   - isInUse: Whether those read before serve on while files that have changed cannot be used.
  /// - Returns: The certificate with its key.
  /// - Throws: ``ProbeFailure`` with `request.invalid` or `local.descriptors`.
  package func identity(_ certificate: ClientCertificate, isInUse: Bool) throws(ProbeFailure) -> Identity {
    do {
      let files = [certificate.certificateFile] + (certificate.keyFile.map { [$0] } ?? [])
      return try identities.value(for: certificate, of: files, isInUse: isInUse) {
        () throws(IdentityError) in try Self.read(certificate)
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
