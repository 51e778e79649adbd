import FoundationEssentials
import ProbeCore
import ProbeTLS

extension ProbeSamples {
  /// Adds the samples of a TLS session.
  ///
  /// - Parameters:
  ///   - tls: The session.
  ///   - hasCipher: Whether to add the cipher, which blackbox_exporter does for HTTP only.
  mutating func add(_ tls: TLSFacts, hasCipher: Bool) {
    set(.earliestExpiry, to: Self.seconds(tls.earliestExpiry))
    set(.chainExpiry, to: Self.seconds(tls.verifiedExpiry))
    set(.tlsVersion, [("version", Self.name(ofVersion: tls.version))], to: 1)
    if hasCipher { set(.tlsCipher, [("cipher", tls.cipher.map(CipherName.standard) ?? "")], to: 1) }
    if let problem = tls.problem { set(.observedProblem, [("problem", problem)], to: 1) }
    addLeaf(of: tls)
  }

  /// Adds the samples of the certificates that a handshake refused, which blackbox_exporter lacks.
  mutating func addCertificates(refusedBy failure: ProbeFailure) {
    guard failure.reason.rawValue.hasPrefix("tls."), let tls = failure.partial?.tls, !tls.chain.isEmpty
    else { return }
    set(.earliestExpiry, to: Self.seconds(tls.earliestExpiry))
    addLeaf(of: tls)
  }

  private mutating func addLeaf(of tls: TLSFacts) {
    guard let leaf = tls.chain.first else { return }
    set(
      .chainInfo,
      [
        ("fingerprint_sha256", leaf.fingerprint), ("issuer", leaf.issuer),
        ("serialnumber", leaf.serialNumber), ("subject", leaf.subject),
        ("subjectalternative", leaf.dnsNames.joined(separator: ",")),
      ], to: 1)
  }

  /// A time as a sample; without one, Go's zero time as in blackbox_exporter.
  private static func seconds(_ date: Date?) -> Double {
    date.map { $0.timeIntervalSince1970.rounded(.down) } ?? -62_135_596_800
  }

  /// A version as in Go: `TLS 1.3` for `TLSv1.3`.
  private static func name(ofVersion version: String?) -> String {
    switch version {
    case "TLSv1": "TLS 1.0"
    case let version? where version.hasPrefix("TLSv1."): "TLS \(version.dropFirst(4))"
    default: "unknown"
    }
  }
}
