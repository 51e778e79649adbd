import PortalAnalysis
import ProbeCore

/// The verdict about services, from the sets that are met.
///
/// - `healthy`: Every set is met, required or not.
/// - `degraded`: Enough required sets are met for success, but another set is not.
/// - `unhealthy`: Too few required sets are met.
///
/// A portal, or anything else that intercepts requests, does not change the verdict: it is one cause of
/// what the probes found. It is noted if unrelated operators failed in the same way, or if the network's
/// captive-portal API reports it.
struct ServiceDecision {
  let verdict: Verdict
  /// A captive portal that may be in the way; nil if nothing suggests one.
  let portal: Portal?
  /// The problems, set by set, and their possible causes.
  let evidence: [Evidence]

  /// Determines the verdict.
  ///
  /// - Parameters:
  ///   - sets: The results of all sets.
  ///   - success: How many of the required sets must be met.
  ///   - capport: The response of the captive-portal API (RFC 8908), or nil if it was not queried.
  init(_ sets: [SetResult], success: Threshold, capport: CapportResult?) {
    let needed = sets.filter(\.isNeeded)
    let required = needed.filter(\.isRequired)
    let isSuccess = success.isMet(accepted: required.count { $0.isMet == true }, of: required.count)
    verdict = !isSuccess ? .unhealthy : needed.allSatisfy { $0.isMet == true } ? .healthy : .degraded

    let run = RunFindings(sets)
    let portals = PortalFindings(run, capport: capport)
    let showsPortal = portals.areOfUnrelatedServices
    portal = showsPortal ? portals.findings.first { !$0.isRefused }?.portal : nil
    var evidence = [Evidence.unreached(sets)].compactMap(\.self)
    if showsPortal { evidence += [Evidence.portalInTheWay(portals.findings)].compactMap(\.self) }
    // A service of this machine fails as any other does.
    let failed = run.failed + run.ofThisMachine.filter { $0.outcome == .failed }
    evidence += Self.causes(run, failed)
    evidence += [capport.flatMap(Evidence.capport)].compactMap(\.self)
    evidence += needed.compactMap(Evidence.unmet)
    evidence += needed.flatMap(Evidence.failedThoughMet)
    evidence += Evidence.retryAfter(failed)
    evidence += Evidence.skipped(run.skipped)
    self.evidence = evidence + sets.filter { $0.isMet == true }.map(Evidence.accepted)
  }

  /// The problems that several unrelated operators have in common, other than a portal.
  private static func causes(_ run: RunFindings, _ failed: [ProbeResult]) -> [Evidence] {
    let certificates = CertificateFindings(failed, verified: run.verified)
    let addresses = AddressFindings(run)
    return certificates.evidence.filter { $0.kind != .serverCertificate }
      + (addresses.prove ? addresses.evidence : [])
  }
}

extension PortalFindings {
  /// Whether the same login page replaces the responses of unrelated operators, or the captive-portal API requires a
  /// login.
  ///
  /// Services of one owner may share a login page on one of their own domains.
  fileprivate var areOfUnrelatedServices: Bool {
    if capport?.state == .captive { return true }
    return findings.contains { finding in
      let probed = Set(finding.probes.compactMap { try? ProbeURL($0) }.map { OperatorName(ofHost: $0.host) })
      return probed.count >= 2 && !probed.contains(OperatorName(ofHost: finding.portal.loginURL.host))
    }
  }
}

extension Evidence {
  /// The maximum number of probes of a set to explain.
  private static let maximumExplained = 3

  /// No server was reached at all, so the network of this machine is the likely cause; nil if one was.
  fileprivate static func unreached(_ sets: [SetResult]) -> Evidence? {
    let probes = sets.lazy.flatMap(\.probes).filter { $0.outcome != .skipped }
    guard !probes.isEmpty, probes.allSatisfy(\.hasNoNetwork) else { return nil }
    return Evidence(
      .unreached,
      "no server could be reached: the network of this machine may be down, or its name lookups may fail",
      probes: probes.map(\.url))
  }

  /// A captive portal may be the cause.
  fileprivate static func portalInTheWay(_ findings: [PortalFindings.Finding]) -> Evidence? {
    guard let finding = findings.first else { return nil }
    let url =
      finding.isRefused
      ? refusalReason(finding.portal.loginURL) : ", with its login at \(finding.portal.loginURL)"
    let why =
      finding.probes.isEmpty ? "" : ": unrelated servers gave the same response"
    return Evidence(.portal, "a captive portal may be in the way\(url)\(why)", probes: finding.probes)
  }

  /// A set that is not met: how many of its probes were accepted, and why the first others were not; nil if it is
  /// met.
  package static func unmet(_ set: SetResult) -> Evidence? {
    guard set.isMet != true else { return nil }
    let failed = set.probes.filter { $0.outcome != .accepted }
    let all = set.threshold.description == "100 %" ? "all" : set.threshold.description
    let counts = "\(set.accepted) of \(set.total) accepted, \(all) needed"
    let optional = set.isRequired ? "" : " (not required)"
    return Evidence(
      .unmet, "the set \(Excerpt(set.name, limit: 100))\(optional) is not met: \(counts)\(reasons(failed))",
      probes: failed.map(\.url))
  }

  /// Probes that failed although their set is met.
  fileprivate static func failedThoughMet(_ set: SetResult) -> [Evidence] {
    let failed = set.probes.filter { $0.outcome == .failed || $0.outcome == .intercepted }
    guard set.isMet == true, !failed.isEmpty else { return [] }
    return [
      Evidence(
        .failed,
        "the set \(Excerpt(set.name, limit: 100)) is met, but \(probeCount(failed.count)) failed\(reasons(failed))",
        probes: failed.map(\.url))
    ]
  }

  private static func reasons(_ probes: [ProbeResult]) -> String {
    let shown = probes.prefix(maximumExplained).map { probe in
      let why = [probe.reason?.rawValue, probe.detail].compactMap(\.self).joined(separator: ": ")
      return "\(probe.url.escapedForDisplay): \(why.isEmpty ? probe.outcome.rawValue : why)"
    }
    let more = probes.count > shown.count ? "; and \(probes.count - shown.count) more" : ""
    return shown.isEmpty ? "" : "; " + shown.joined(separator: "; ") + more
  }
}

extension ProbeResult {
  /// Whether it failed before any server could respond, in a way that a network that is down explains.
  fileprivate var hasNoNetwork: Bool {
    outcome == .failed && !isReached
      && (failed(with: .lookup) && reason != .noSuchHost || reason == .connectUnreachable)
  }
}
