import Foundation
import LoopbackServer
import ProbeTLS
import ProbeCore
import ProbeBase

/// The test authority, and its certificate in a file of this run.
final class Identities: Sendable {
  static let shared = Identities()

  /// The PEM file to trust.
  let file: String
  private let authority: Guarded<Made>

  /// An authority is not `Sendable`; this one is used only under the lock.
  private struct Made: @unchecked Sendable {
    let authority: Result<CertificateAuthority, any Error>
  }

  private init() {
    let made = Result { try CertificateAuthority() }
    file = authorityFile
    // Without the file, the first test that trusts it fails, and reports that it cannot be read.
    try? made.map(\.pem).get().write(toFile: file, atomically: true, encoding: .utf8)
    atexit { try? FileManager.default.removeItem(atPath: authorityFile) }
    authority = Guarded(Made(authority: made))
  }

  /// The certificate of the authority in PEM form.
  var pem: [UInt8] { authority.withLock { Array(((try? $0.authority.get().pem) ?? "").utf8) } }

  /// A TLS server with its own certificate from the test authority.
  func context(
    _ leaf: LeafOptions, versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3, supportsHTTP2: Bool = false,
    demandingClients: Bool = false
  ) throws -> ServerContext {
    try authority.withLock { made in
      let authority = try made.authority.get()
      return try ServerContext(
        authority.issue(leaf), versions: versions, supportsHTTP2: supportsHTTP2,
        clientAuthorities: demandingClients ? TrustStore(authorities: [authority]) : nil)
    }
  }

  /// A client certificate from the test authority, with an intermediate certificate to send along.
  func client() throws -> Identity {
    var leaf = LeafOptions(hosts: ["client.invalid"])
    leaf.purposes = .client
    leaf.signer = .intermediate
    return try authority.withLock { [leaf] made in try made.authority.get().issue(leaf) }
  }
}

extension ProbeRequest {
  mutating func trustTestAuthority() {
    tls.additionalAuthorities = Identities.shared.file
  }
}

private let authorityFile = FileManager.default.temporaryDirectory
  .appending(path: "probekit-test-ca-\(ProcessInfo.processInfo.processIdentifier).pem").path
