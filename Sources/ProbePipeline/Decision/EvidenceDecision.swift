import PortalAnalysis
import ProbeCore

/// The verdict from all that was seen, for pipelines that do not spell out their own decision.
///
/// Whatever else is seen, enough required sets that are met mean that the network is open. A sign of a portal
/// decides before mere interception, and interception before an outage: both prove that somebody answered. Errors
/// that servers answered with are no outage either.
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
    let other = OtherResults(sets)
    let portals = PortalFinding.all(in: other.withPortal, capport)
    let isIntercepted = !other.intercepted.isEmpty
    let isAnyAccepted = sets.contains { $0.accepted > 0 }

    if success.isMet(accepted: required.count(where: \.met), of: required.count) {
      verdict = .online
    } else if !portals.isEmpty || capport?.state == .captive {
      verdict = .captivePortal
    } else if isIntercepted {
      verdict = .intercepted
    } else if !isAnyAccepted, Self.showOutage(required.lazy.flatMap(\.probes)) {
      verdict = .offline
    } else {
      verdict = .inconclusive
    }
    found = portals.first?.portal

    var evidence = sets.map(Evidence.accepted)
    evidence += portals.compactMap(\.evidence)
    evidence += [capport.flatMap(Evidence.capport)].compactMap(\.self)
    evidence += Evidence.intercepted(other.intercepted.lazy.filter { $0.portal == nil })
    evidence += Evidence.failed(other.failed)
    evidence += Evidence.skipped(other.skipped)
    if policy.httpsOnly, !isAnyAccepted, !isIntercepted {
      evidence += Evidence.httpsOnly(other.failed.lazy.filter(\.saysSomethingOfTheNetwork))
    }
    self.evidence = evidence
  }

  /// Whether these probes all failed without an answer, and not merely for reasons of our own.
  private static func showOutage(_ probes: some Sequence<ProbeResult>) -> Bool {
    probes.allSatisfy { $0.outcome == .failed && $0.response?.status == nil }
      && probes.contains(where: \.saysSomethingOfTheNetwork)
  }
}

/// The results that were not accepted, by what became of them.
///
/// Taken by position: looking at one of a hundred thousand results as a whole copies it, which takes longer than the
/// question.
private struct OtherResults {
  private(set) var intercepted: [ProbeResult] = []
  private(set) var failed: [ProbeResult] = []
  private(set) var skipped: [ProbeResult] = []
  private(set) var withPortal: [ProbeResult] = []

  init(_ sets: [SetResult]) {
    for set in sets {
      for index in set.probes.indices where set.probes[index].outcome != .accepted {
        let probe = set.probes[index]
        switch probe.outcome {
        case .intercepted: intercepted.append(probe)
        case .failed: failed.append(probe)
        case .skipped: skipped.append(probe)
        case .accepted: break
        }
        if probe.portal != nil { withPortal.append(probe) }
      }
    }
  }
}

extension ProbeResult {
  /// Whether a failure says something of the network, rather than of the plan or of this machine.
  fileprivate var saysSomethingOfTheNetwork: Bool {
    guard let reason else { return true }
    return reason != .plaintext && reason != .cancelled && reason.area != "request" && reason.area != "local"
  }
}

/// A portal that some probes agree on.
private struct PortalFinding {
  /// What two probes must agree on: the query of a login URL often repeats the probed URL.
  private struct Place: Hashable {
    let source: LoginURLSource
    let scheme: URLScheme
    let host: String
    let port: UInt16?
    let path: String
  }

  let portal: Portal
  var probes: [String]

  /// The portals found, the most credible first: by where the login URL was found, then by how many probes agree, then
  /// by the order of the plan.
  static func all(in probes: some Sequence<ProbeResult>, _ capport: CapportResult?) -> [PortalFinding] {
    var findings: [PortalFinding] = []
    if capport?.state == .captive, let page = capport?.document?.userPortalURL {
      findings.append(PortalFinding(portal: Portal(loginURL: page, source: .capport), probes: []))
    }
    var positions: [Place: Int] = [:]
    for probe in probes {
      guard let portal = probe.portal else { continue }
      let url = portal.loginURL
      let place = Place(
        source: portal.source, scheme: url.scheme, host: url.host, port: url.port,
        // Without a login page each probed URL stands for the same portal.
        path: portal.source == .probeURL ? "" : url.path)
      if let position = positions[place] {
        findings[position].probes.append(probe.url)
      } else {
        positions[place] = findings.count
        findings.append(PortalFinding(portal: portal, probes: [probe.url]))
      }
    }
    return findings.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      return (a.portal.source.rank, -a.probes.count, left.offset)
        < (b.portal.source.rank, -b.probes.count, right.offset)
    }.map(\.element)
  }

  /// What the probes said; nil for what no probe said.
  var evidence: Evidence? {
    if probes.isEmpty { return nil }
    let url = portal.loginURL
    let count = probes.count
    let summary =
      switch portal.source {
      case .location: "\(probeCount(count)) led to \(url) in place of an answer"
      case .probeURL: "\(probeCount(count)) answered that a login is required, without saying where (511)"
      default: "\(probeCount(count)) answered that a login is required, at \(url)"
      }
    return Evidence(.portal, summary, probes: probes)
  }
}

extension LoginURLSource {
  /// The place in the order of weight.
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
