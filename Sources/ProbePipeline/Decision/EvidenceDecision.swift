import PortalAnalysis
import ProbeCore

/// The verdict from all that was seen, for pipelines that do not spell out their own decision.
///
/// The first that holds decides:
///
/// 1. Several operators show a portal: `captivePortal`, even where enough of the others pass, because a portal lets
///    some hosts through.
/// 2. Enough required sets are met: `online`.
/// 3. Somebody shows a portal: `captivePortal`.
/// 4. Somebody answers in place of others, stands within the encryption, or leads public names to addresses that are
///    not public: `intercepted`.
/// 5. Some traffic passes, and some is stopped by the network: `partial`.
/// 6. Nothing came through, and the network is to blame: `offline`.
/// 7. Otherwise nothing is proven, such as when servers only answered with errors of their own: `inconclusive`.
struct EvidenceDecision {
  /// What the run says of the network.
  let verdict: Verdict
  /// The captive portal, when that is the verdict.
  var portal: Portal? { verdict == .captivePortal ? found : nil }
  /// The most credible sign of a captive portal, whatever the verdict.
  let found: Portal?
  /// What the verdict rests on, and all else that was seen.
  let evidence: [Evidence]

  /// Decides.
  ///
  /// - Parameters:
  ///   - sets: What came of every set.
  ///   - success: How many of the required sets must be met.
  ///   - policy: What was allowed on the wire.
  ///   - capport: What the API of RFC 8908 said, or nil when it was not asked.
  init(_ sets: [SetResult], success: Threshold, policy: ProbePolicy, capport: CapportResult? = nil) {
    let required = sets.filter { $0.required && $0.isNeeded }
    let run = RunFindings(sets)
    let portals = PortalFindings(run, capport: capport)
    let foreign = ForeignFindings(run)
    let certificates = CertificateFindings(run.failed, verified: run.verified)
    let addresses = AddressFindings(run)

    let isOnline = success.isMet(accepted: required.count { $0.met == true }, of: required.count)
    if portals.prove(isOnline: isOnline) {
      verdict = .captivePortal
    } else if isOnline {
      verdict = .online
    } else if foreign.prove(beside: run.openlyAccepted) || certificates.isIntercepted
      || (addresses.prove && !run.isAnyAccepted)
    {
      verdict = .intercepted
    } else if run.traffic.isPartial || certificates.isClockWrong && run.isAnyAccepted {
      verdict = .partial
    } else if !run.isAnyAccepted, Self.showOutage(required.lazy.flatMap(\.probes)) {
      verdict = .offline
    } else {
      verdict = .inconclusive
    }
    found = portals.findings.first { !$0.isWithheld }?.portal

    var evidence = sets.map(Evidence.accepted)
    evidence += portals.evidence
    evidence += [capport.flatMap(Evidence.capport)].compactMap(\.self)
    evidence += foreign.evidence
    evidence += addresses.evidence
    evidence += certificates.evidence
    evidence += run.traffic.evidence
    evidence += [run.traffic.evidence(besideAnswersInPlaceOfOthers: run.intercepted)].compactMap(\.self)
    evidence += Evidence.failed(run.failed.filter { $0.shownPortal == nil && !foreign.contains($0) })
    evidence += Evidence.retryAfter(run.failed)
    evidence += Evidence.skipped(run.skipped)
    if policy.httpsOnly, !run.isAnyAccepted, run.intercepted.isEmpty {
      evidence += Evidence.httpsOnly(run.failed.lazy.filter(\.saysSomethingOfTheNetwork))
    }
    self.evidence = evidence
  }

  /// Whether these probes all failed without an answer, and not merely for reasons of our own.
  ///
  /// Whoever shows a certificate, be it a bad one, can be reached.
  private static func showOutage(_ probes: some Sequence<ProbeResult>) -> Bool {
    probes.allSatisfy { $0.outcome == .failed && !$0.isAnswered && !$0.hasBadCertificate }
      && probes.contains(where: \.saysSomethingOfTheNetwork)
  }
}
