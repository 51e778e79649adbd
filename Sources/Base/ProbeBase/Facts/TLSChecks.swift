/// The versions of TLS that a client offers, and its handling of the server's certificates.
package struct TLSChecks: Hashable, Sendable {
  /// The lowest version to offer.
  package var minimumVersion = TLSVersion.v1_2
  /// The highest version to offer; nil for the newest one.
  package var maximumVersion: TLSVersion?
  /// Whether a certificate that cannot be verified is recorded in ``TLSFacts/problem`` instead of failing the
  /// probe.
  ///
  /// The request is then sent without its credentials, its secrets and the client's certificate.
  package var observesCertificates = false
  /// Whether ``TLSFacts/verifiedExpiry`` is reported.
  package var reportsVerifiedExpiry = false

  /// TLS 1.2 and newer, with verified certificates.
  package init() {}
}
