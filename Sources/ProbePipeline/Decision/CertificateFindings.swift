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
        byDate[OperatorName(askedBy: probe), default: []].append(probe)
      } else if probe.failed(with: .certificateIssuer) {
        byIssuer[OperatorName(askedBy: probe), default: []].append(probe)
      }
    }
  }

  /// Whether a third party presents certificates for several operators.
  var isIntercepted: Bool {
    byIssuer.count >= 2 && (verified.isEmpty || sharesCertificates)
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
  /// The conclusions as evidence.
  var evidence: [Evidence] {
    var evidence: [Evidence] = []
    if isClockWrong {
      let early = byDate.values.joined().contains { $0.reason == .certificateNotYetValid }
      evidence.append(
        Evidence(
          .clock,
          "the certificates of \(byDate.count) operators \(early ? "are not valid yet" : "have run out"): "
            + "this machine's clock seems to be \(early ? "slow" : "fast")",
          probes: urls(of: byDate)))
    }
    if isIntercepted {
      let issuers = Set(byIssuer.values.joined().compactMap { $0.response?.tls?.chain.first?.issuer })
      let issuer =
        issuers.count == 1 ? issuers.first.map { ", all issued by \(Excerpt($0, limit: 100))" } : nil
      evidence.append(
        Evidence(
          .certificates,
          "\(byIssuer.count) operators show certificates that are not theirs\(issuer ?? ""): somebody stands "
            + "within the encryption",
          probes: urls(of: byIssuer)))
    }
    let faults = (isClockWrong ? [:] : byDate).merging(isIntercepted ? [:] : byIssuer) { $0 + $1 }
    if !faults.isEmpty {
      let words =
        faults.count == 1
        ? "one operator alone shows a certificate that cannot be trusted"
        : "\(faults.count) operators show certificates that cannot be trusted, each in its own way"
      let cause =
        verified.isEmpty ? "" : ", others show theirs: a fault of \(faults.count == 1 ? "its" : "their") own"
      evidence.append(Evidence(.serverCertificate, words + cause, probes: urls(of: faults)))
    }
    return evidence
  }

  private func urls(of probes: [OperatorName: [ProbeResult]]) -> [String] {
    probes.values.flatMap { $0.map(\.url) }.sorted()
  }
}
