import PortalAnalysis
import ProbeCore

/// The signs of a captive portal in all responses.
struct PortalFindings {
  /// A login page that one or more probes agree on.
  struct Finding {
    let portal: Portal
    /// The URLs of the probes that found it, as written by their author.
    var probes: [String]
    /// How many of the responses state in a protocol that a login is required.
    var stated = 0
    /// Whether the query of the login URL differs between responses.
    var hasOtherQueries = false
    /// Whether one of the login URLs is in the local network.
    var isLocal = false
    /// Whether only verified connections returned it.
    var isVerified = false
    /// Whether one of the responses is certainly a third party's, and redirects elsewhere than to the operator's
    /// own login.
    var isRedirected = false
    /// Whether it is only evidence, because its login page is not safe to open.
    var isRefused = false
    /// The signs in the first of the responses.
    let signs: [ResponseSign]
    /// The probes whose responses had these same signs.
    var signed: [String] = []
  }

  /// The findings, the most credible first.
  ///
  /// Responses that are not from a verified server come first. Within these, findings are sorted by the
  /// source of the login URL, by the number of probes that agree, and by the order of the plan.
  private(set) var findings: [Finding] = []
  /// The operators that show a portal in responses that may be from a third party.
  private var open = PortalTally<OperatorName>()
  /// The operators that show a portal in any response.
  private var all = PortalTally<OperatorName>()
  let capport: CapportResult?

  /// Collects the findings.
  ///
  /// - Parameters:
  ///   - run: The findings of the run.
  ///   - capport: The response of the captive-portal API (RFC 8908), or nil if it was not queried.
  init(_ run: RunFindings, capport: CapportResult?) {
    self.capport = capport
    var findings: [Finding] = []
    if capport?.state == .captive, let page = capport?.loginURL {
      let portal = Portal(loginURL: page, source: .capport)
      findings.append(Finding(portal: portal, probes: [], stated: 1, signs: []))
    }
    for name in run.openlyAccepted {
      open.pass(name)
      all.pass(name)
    }
    var positions: [PortalLocation: Int] = [:]
    for probe in [run.intercepted, run.failed].joined() {
      guard let analysis = probe.analysis, let portal = analysis.shown else { continue }
      let name = OperatorName(requestedBy: probe)
      let isFromThirdParty = probe.outcome == .intercepted || analysis.isStated
      let isOwn = probe.redirectsToOwnLogin(of: name)
      let isConfirmed = analysis.isConfirmed
      all.show(name, isFromThirdParty: isFromThirdParty, isOwn: isOwn, isConfirmed: isConfirmed)
      if !probe.isVerified {
        open.show(name, isFromThirdParty: isFromThirdParty, isOwn: isOwn, isConfirmed: isConfirmed)
      }
      let isRedirected = isFromThirdParty && !isOwn && !probe.isVerified
      if let position = positions[PortalLocation(portal)] {
        findings[position].probes.append(probe.url)
        if !probe.isVerified { findings[position].isVerified = false }
        if analysis.isStated { findings[position].stated += 1 }
        if portal.loginURL != findings[position].portal.loginURL { findings[position].hasOtherQueries = true }
        if analysis.signs == findings[position].signs { findings[position].signed.append(probe.url) }
        if analysis.isLocal { findings[position].isLocal = true }
        if isRedirected { findings[position].isRedirected = true }
      } else {
        positions[PortalLocation(portal)] = findings.count
        findings.append(
          Finding(
            portal: portal, probes: [probe.url], stated: analysis.isStated ? 1 : 0, isLocal: analysis.isLocal,
            isVerified: probe.isVerified, isRedirected: isRedirected, isRefused: analysis.portal == nil,
            signs: analysis.signs, signed: [probe.url]))
      }
    }
    self.findings = findings.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      return (a.isVerified ? 1 : 0, a.portal.source, -a.probes.count, left.offset)
        < (b.isVerified ? 1 : 0, b.portal.source, -b.probes.count, right.offset)
    }.map(\.element)
    all.isStated = findings.contains { $0.stated > 0 || $0.isLocal }
    open.isStated = findings.contains { !$0.isVerified && ($0.stated > 0 || $0.isLocal) }
  }

  /// Whether the findings prove a portal, considering the operators that gave the expected response without
  /// encryption, where a portal would have responded.
  ///
  /// - Parameters:
  ///   - isOnline: Whether enough responses are as expected. Then responses of verified servers do not count, and
  ///     more of the others must agree.
  ///   - encrypted: What is known of encrypted traffic.
  /// - Returns: Whether they prove it.
  func prove(isOnline: Bool, encrypted: EncryptedTraffic.State) -> Bool {
    if isOnline { return open.proves(isOnline: true, encrypted: encrypted) }
    return capport?.state == .captive || all.proves(isOnline: false, encrypted: encrypted)
  }

  /// The finding of one operator alone that suggests a portal without proving it; nil if there is none.
  var suggested: Finding? { open.suggests ? findings.first { $0.isRedirected && !$0.isRefused } : nil }

  /// Why there is a portal although some operators pass; nil if the responses prove it whatever encrypted traffic does.
  ///
  /// - Parameters:
  ///   - isOnline: Whether enough responses are as expected.
  ///   - encrypted: What is known of encrypted traffic.
  /// - Returns: The evidence.
  func evidenceOfAccess(isOnline: Bool, encrypted: EncryptedTraffic.State) -> Evidence? {
    guard encrypted == .stopped, open.hasPassed, !prove(isOnline: isOnline, encrypted: .verified) else {
      return nil
    }
    return Evidence(
      .portal,
      "other operators respond as expected, but encrypted traffic is stopped: the portal lets them through",
      probes: findings.first(where: \.isRedirected)?.probes ?? [])
  }
}

extension Evidence {
  /// Why a login of one operator alone is no portal.
  static func suggested(_ finding: PortalFindings.Finding) -> Evidence {
    Evidence(
      .portal,
      "only one operator leads to a login, and encrypted traffic passes: the login may be the operator's own",
      probes: finding.probes)
  }
}

extension Evidence {
  /// The reason, to append to a summary, why a login page is not opened.
  static func refusalReason(_ url: ProbeURL) -> String {
    url.reach == .link
      ? "; this address is link-local, so it is not given as the login URL"
      : "; this address is on this machine, so it is not given as the login URL"
  }
}

/// The parts of a login URL that must be equal for two probes to agree; its query often repeats the probed
/// URL.
struct PortalLocation: Hashable {
  let source: LoginURLSource
  let scheme: URLScheme
  let host: String
  let port: UInt16?
  let path: String

  init(_ portal: Portal) {
    source = portal.source
    let url = portal.loginURL
    scheme = url.scheme
    // Without a login page, all probed URLs represent the same portal.
    host = portal.source == .probeURL ? "" : url.host
    port = url.port
    path = portal.source == .probeURL ? "" : url.path
  }
}

extension PortalFindings {
  /// The findings as evidence, each followed by the signs in its responses.
  var evidence: [Evidence] {
    findings.flatMap { finding -> [Evidence] in
      // The response of the API has its own evidence.
      guard !finding.probes.isEmpty else { return [] }
      let refusal = finding.isRefused ? Evidence.refusalReason(finding.portal.loginURL) : ""
      let portal = Evidence(.portal, Self.words(finding) + refusal, probes: finding.probes)
      guard let sign = Evidence.signs(finding.signs, of: finding.portal.kind) else { return [portal] }
      return [portal, Evidence(.sign, sign, probes: finding.signed)]
    }
  }

  private static func words(_ finding: Finding) -> String {
    let url = finding.urlDescription
    let probes = probeCount(finding.probes.count)
    switch finding.portal.source {
    case .location:
      let were = finding.probes.count == 1 ? "was" : "were"
      return "\(probes) \(were) redirected to \(url)"
    case .probeURL:
      return finding.isStatedByAll
        ? "\(probes) received a response that requires a login and names no login URL"
        : "\(probes) received \(finding.portal.kind.words)\(finding.statedDescription)"
    default:
      return finding.isStatedByAll
        ? "\(probes) received a response that requires a login at \(url)"
        : "\(probes) received \(finding.portal.kind.words); the login URL is \(url)\(finding.statedDescription)"
    }
  }
}

extension PortalFindings.Finding {
  fileprivate var isStatedByAll: Bool { stated == probes.count }

  /// The number of responses that explicitly require a login; empty if there are none.
  fileprivate var statedDescription: String {
    stated == 0
      ? "" : "; \(stated) of these responses explicitly require\(stated == 1 ? "s" : "") a login"
  }

  /// The login URL, without its query if that differs between probes.
  fileprivate var urlDescription: String {
    let text = portal.loginURL.string
    guard hasOtherQueries, let query = text.firstIndex(of: "?") else { return text }
    return "\(text[..<query])?…"
  }
}
