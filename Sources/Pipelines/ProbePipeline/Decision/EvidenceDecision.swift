import PortalAnalysis
import ProbeCore

/// The verdict from all evidence, for pipelines without `decide` rules.
///
/// The first of these conditions that holds determines the verdict:
///
/// 1. Several operators show a portal, or one does while encrypted traffic is stopped, or while the page that it
///    redirects to is a login: `captivePortal`, even if enough of the others pass, because a portal lets some hosts
///    through.
/// 2. Enough required sets are met: `online`.
/// 3. Any operator shows a portal: `captivePortal`, unless most others pass, or one does and encrypted traffic too.
/// 4. A third party intercepts requests, intercepts TLS, or makes public names resolve to non-public
///    addresses: `intercepted`. If it responds as a portal does to clients that are logged in, and encrypted traffic
///    passes: `partial`.
/// 5. Some traffic passes, and the network stops some: `partial`.
/// 6. No traffic passed, and the network is the cause: `offline`.
/// 7. Otherwise nothing is proven, for example because servers only responded with errors: `inconclusive`.
struct EvidenceDecision {
  let verdict: Verdict
  /// The captive portal, if that is the verdict; if it is `online`, the one that a single operator suggests.
  let portal: Portal?
  /// The most credible sign of a captive portal, whatever the verdict.
  let found: Portal?
  /// The third party that intercepts requests, whatever the verdict; nil if there is none.
  let interception: Interception?
  /// The facts that the verdict is based on, and everything else that was found.
  let evidence: [Evidence]

  /// Determines the verdict.
  ///
  /// - Parameters:
  ///   - sets: The results of all sets.
  ///   - success: How many of the required sets must be met.
  ///   - policy: The policy of the run.
  ///   - capport: The response of the captive-portal API (RFC 8908), or nil if it was not queried.
  init(_ sets: [SetResult], success: Threshold, policy: ProbePolicy, capport: CapportResult? = nil) {
    let required = sets.filter { $0.isRequired && $0.isNeeded }
    let run = RunFindings(sets)
    let portals = PortalFindings(run, capport: capport)
    let thirdParty = ThirdPartyFindings(run)
    let certificates = CertificateFindings(run.failed, verified: run.verified)
    let addresses = AddressFindings(run)

    let isThirdPartyProven = thirdParty.prove(beside: run.openlyAccepted)
    let interception = Interception(
      isThirdPartyProven ? thirdParty : nil,
      certificates.isIntercepted ? certificates : nil,
      addresses.prove && !run.isAnyAccepted ? addresses : nil)
    let isOnline = success.isMet(accepted: required.count { $0.isMet == true }, of: required.count)
    let encrypted = run.encrypted.state
    if portals.prove(isOnline: isOnline, encrypted: encrypted) {
      verdict = .captivePortal
    } else if isOnline {
      verdict = .online
    } else if isThirdPartyProven, thirdParty.isAdmission, !run.verified.isEmpty {
      // A portal that responds as if the client were logged in, and lets encrypted traffic pass.
      verdict = .partial
    } else if interception != nil {
      verdict = .intercepted
    } else if run.traffic.isPartial || certificates.isClockWrong && run.isAnyAccepted {
      verdict = .partial
    } else if !run.isAnyAccepted, Self.showOutage(required.lazy.flatMap(\.probes)) {
      verdict = .offline
    } else {
      verdict = .inconclusive
    }
    self.interception = interception
    found = portals.findings.first { !$0.isRefused }?.portal
    let suggested = verdict == .online && encrypted == .verified ? portals.suggested : nil
    portal = verdict == .captivePortal ? found : suggested?.portal

    var evidence = sets.map(Evidence.accepted)
    evidence += portals.evidence
    if verdict == .captivePortal {
      evidence += [portals.evidenceOfAccess(isOnline: isOnline, encrypted: encrypted)].compactMap(\.self)
    }
    evidence += [suggested.map(Evidence.suggested)].compactMap(\.self)
    evidence += [capport.flatMap(Evidence.capport)].compactMap(\.self)
    evidence += thirdParty.evidence(of: run, for: verdict)
    evidence += [Evidence.responseOfThisMachine(run.ofThisMachine)].compactMap(\.self)
    evidence += addresses.evidence
    evidence += certificates.evidence
    evidence += run.traffic.evidence
    evidence += [run.traffic.evidence(ofInterception: run.intercepted)].compactMap(\.self)
    evidence += Evidence.failed(run.failed.filter { $0.shownPortal == nil && !thirdParty.contains($0) })
    evidence += Evidence.retryAfter(run.failed)
    evidence += Evidence.skipped(run.skipped)
    if policy.httpsOnly, !run.isAnyAccepted, run.intercepted.isEmpty, run.verified.isEmpty {
      evidence += Evidence.httpsOnly(run.failed.lazy.filter(\.concernsNetwork))
    }
    self.evidence = evidence
  }

  /// Whether all these probes failed without a response, and not only for local reasons; those that reached this
  /// machine do not count.
  ///
  /// A server that presents a certificate can be reached, even if the certificate is refused. A handshake after which
  /// nothing is sent is no response: a gateway may pass it on, and nothing else.
  private static func showOutage(_ probes: some Sequence<ProbeResult>) -> Bool {
    let probes = probes.lazy.filter { !$0.isFromThisMachine }
    return probes.allSatisfy { $0.outcome == .failed && !$0.hasResponse && !$0.hasBadCertificate }
      && probes.contains(where: \.concernsNetwork)
  }
}
