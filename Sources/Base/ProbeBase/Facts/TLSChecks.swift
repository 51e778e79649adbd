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

package struct TLSVersion: RawRepresentable, Hashable, Comparable, Sendable {
  /// The version number in the protocol's records, such as 0x0303.
  package let rawValue: Int

  /// Creates a version from its number in the protocol's records.
  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// TLS 1.0, forbidden since RFC 8996.
  package static let v1_0 = TLSVersion(rawValue: 0x0301)
  /// TLS 1.1, forbidden since RFC 8996.
  package static let v1_1 = TLSVersion(rawValue: 0x0302)
  /// TLS 1.2 (RFC 5246).
  package static let v1_2 = TLSVersion(rawValue: 0x0303)
  /// TLS 1.3 (RFC 8446).
  package static let v1_3 = TLSVersion(rawValue: 0x0304)

  /// Whether the left version is older than the right one.
  package static func < (left: TLSVersion, right: TLSVersion) -> Bool {
    left.rawValue < right.rawValue
  }
}
