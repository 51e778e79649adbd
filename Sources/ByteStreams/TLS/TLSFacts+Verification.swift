internal import FoundationEssentials
package import OpenSSL
package import ProbeCore

extension TLSFacts {
  /// What a handshake showed.
  package init(_ verification: Verification) {
    self.init(
      version: verification.version,
      cipher: verification.cipher,
      chain: verification.chain.map(CertificateFacts.init)
    )
  }
}

extension CertificateFacts {
  fileprivate init(_ certificate: Certificate) {
    self.init(
      subject: certificate.subject,
      issuer: certificate.issuer,
      alternativeNames: certificate.alternativeNames,
      serialNumber: certificate.serialNumber,
      notBefore: Date(timeIntervalSince1970: TimeInterval(certificate.notBefore)),
      notAfter: Date(timeIntervalSince1970: TimeInterval(certificate.notAfter)),
      fingerprint: certificate.fingerprint
    )
  }
}
