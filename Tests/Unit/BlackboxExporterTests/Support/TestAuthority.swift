import ProbeCore
import ProbeTLS

@testable import BlackboxExporter

/// The authority of the tests, and the certificates that it signs.
enum TestAuthority {
  private static let made = Result { try CertificateAuthority() }

  /// The authority.
  static var authority: CertificateAuthority { get throws { try made.get() } }

  /// Its certificate as PEM.
  static var pem: ModuleText { get throws { .text(Secret(try authority.pem)) } }

  /// A TLS server with a certificate for `localhost`, unless it is changed.
  static func server(
    versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3, demandsClients: Bool = false,
    _ adjust: (inout LeafOptions) -> Void = { _ in }
  ) throws -> ServerContext {
    try ServerContext(
      try identity(adjust), versions: versions,
      clientAuthorities: demandsClients ? TrustStore(authorities: [try authority]) : nil)
  }

  /// A certificate for `localhost`, unless it is changed.
  static func identity(_ adjust: (inout LeafOptions) -> Void = { _ in }) throws -> Identity {
    var leaf = LeafOptions(hosts: ["localhost"])
    adjust(&leaf)
    return try authority.issue(leaf)
  }
}
