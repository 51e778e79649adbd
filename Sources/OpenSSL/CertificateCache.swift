import Locking
internal import ProbeCore

/// Certificates that were read before, by their digest: most servers send the same chain every time, and reading one
/// certificate takes as long as twenty of the digests it is found by.
final class CertificateCache: Sendable {
  /// A server that sends another certificate every time gains nothing but that they are forgotten.
  private static let capacity = 64

  private let certificates = Guarded<[[UInt8]: CertificateFacts]>([:])

  /// What a certificate says, or nil when it cannot be read.
  func certificate(_ reference: X509Reference) -> CertificateFacts? {
    guard let digest = try? reference.digest() else { return nil }
    if let known = certificates.withLock({ $0[digest] }) { return known }
    guard let certificate = try? CertificateFacts(reference) else { return nil }
    certificates.withLock { certificates in
      if certificates.count >= Self.capacity { certificates.removeAll() }
      certificates[digest] = certificate
    }
    return certificate
  }
}
