import ProbeCore

/// Conclusions from refused certificates: this machine's clock is wrong, a third party intercepts TLS, or a
/// server is misconfigured.
///
/// A misconfiguration affects only one operator. If unrelated operators have the same problem, a third party
/// on the path causes it, or this machine does.
struct CertificateFindings {
  private var byDate: [OperatorName: [ProbeResult]] = [:]
  private var byIssuer: [OperatorName: [ProbeResult]] = [:]
  private let verified: Set<OperatorName>

  /// Sorts the failed probes.
  ///
  /// - Parameters:
  ///   - failed: The probes.
  ///   - verified: The operators with a verified connection.
  init(_ failed: [ProbeResult], verified: Set<OperatorName>) {
    self.verified = verified
    for probe in failed {
      if probe.failed(with: .certificateDate) {
        byDate[OperatorName(requestedBy: probe), default: []].append(probe)
      } else if probe.failed(with: .certificateIssuer) {
        byIssuer[OperatorName(requestedBy: probe), default: []].append(probe)
      }
    }
  }

  /// Whether a third party presents certificates for several operators.
  var isIntercepted: Bool {
    byIssuer.count >= 2 && (verified.isEmpty || sharesCertificates)
  }

  /// The issuer of all refused certificates; nil if there are several, or none.
  var commonIssuer: String? {
    let issuers = Set(byIssuer.values.joined().compactMap { $0.response?.tls?.chain.first?.issuer })
    return issuers.count == 1 ? issuers.first : nil
  }

  /// Whether this machine's clock is wrong: several operators do not let their certificates expire at the
  /// same time.
  var isClockWrong: Bool { byDate.count >= 2 && verified.isEmpty }

  /// Whether different operators present the same certificate, or certificates of the same unknown issuer.
  private var sharesCertificates: Bool {
    var operators: [String: Set<OperatorName>] = [:]
    for (name, probes) in byIssuer {
      for probe in probes {
        guard let leaf = probe.response?.tls?.chain.first else { continue }
        operators["own \(leaf.fingerprint)", default: []].insert(name)
        operators["by \(leaf.issuer)", default: []].insert(name)
      }
    }
    return operators.values.contains { $0.count >= 2 }
  }
}

extension CertificateFindings {
  var evidence: [Evidence] {
    var evidence: [Evidence] = []
    if isClockWrong {
      let early = byDate.values.joined().contains { $0.reason == .certificateNotYetValid }
      evidence.append(
        Evidence(
          .clock,
          "the certificates of \(byDate.count) operators \(early ? "are not valid yet" : "have expired"): "
            + "this machine's clock seems to be \(early ? "slow" : "fast")",
          probes: urls(of: byDate)))
    }
    if isIntercepted {
      let issuer = commonIssuer.map { ", all issued by \(Excerpt($0, limit: 100))" }
      evidence.append(
        Evidence(
          .certificates,
          "TLS is being intercepted: \(byIssuer.count) operators present certificates that are not "
            + "theirs\(issuer ?? "")",
          probes: urls(of: byIssuer)))
    }
    let untrusted = (isClockWrong ? [:] : byDate).merging(isIntercepted ? [:] : byIssuer) { $0 + $1 }
    if !untrusted.isEmpty {
      let words =
        untrusted.count == 1
        ? "only one operator presents a certificate that is not trusted"
        : "\(untrusted.count) operators present different certificates that are not trusted"
      let cause =
        verified.isEmpty
        ? "" : "; those of others are valid, so the fault is \(untrusted.count == 1 ? "its" : "their") own"
      evidence.append(Evidence(.serverCertificate, words + cause, probes: urls(of: untrusted)))
    }
    return evidence
  }

  private func urls(of probes: [OperatorName: [ProbeResult]]) -> [String] {
    probes.values.flatMap { $0.map(\.url) }.sorted()
  }
}
