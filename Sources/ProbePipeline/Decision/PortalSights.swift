import PortalAnalysis
import ProbeCore

/// The signs of a captive portal in all answers together.
struct PortalSights {
  /// A place to log in at that some probes agree on.
  struct Finding {
    let portal: Portal
    /// The probes that were told so, as their author wrote them.
    var probes: [String]
    /// Whether one of the answers said in a protocol's own words that a login is required.
    var isStated: Bool
    /// Whether one of them leads into the local network.
    var isLocal = false
    /// The signs that the first of the answers showed.
    let signs: [AnswerSign]
  }

  /// The places, the most credible first: by where the login URL was found, then by how many probes agree, then by the
  /// order of the plan.
  private(set) var findings: [Finding] = []
  /// The operators in whose place a portal answered beyond doubt of who it was.
  private var shown: Set<OperatorName> = []
  /// The operators whose answers look like a portal's, be it their own.
  private var hinted: Set<OperatorName> = []
  private let capport: CapportResult?

  /// Collects them.
  ///
  /// - Parameters:
  ///   - sights: What was seen.
  ///   - capport: What the API of RFC 8908 said, or nil when it was not asked.
  init(_ sights: RunSights, capport: CapportResult?) {
    self.capport = capport
    var findings: [Finding] = []
    if capport?.state == .captive, let page = capport?.document?.userPortalURL {
      let portal = Portal(loginURL: page, source: .capport)
      findings.append(Finding(portal: portal, probes: [], isStated: true, signs: []))
    }
    var positions: [Place: Int] = [:]
    for probe in [sights.intercepted, sights.failed].joined() {
      guard let analysis = probe.analysis, let portal = analysis.portal else { continue }
      let name = OperatorName(askedBy: probe)
      hinted.insert(name)
      if probe.outcome == .intercepted || analysis.isStated { shown.insert(name) }
      if let position = positions[Place(portal)] {
        findings[position].probes.append(probe.url)
        if analysis.isStated { findings[position].isStated = true }
        if analysis.isLocal { findings[position].isLocal = true }
      } else {
        positions[Place(portal)] = findings.count
        findings.append(
          Finding(
            portal: portal, probes: [probe.url], isStated: analysis.isStated, isLocal: analysis.isLocal,
            signs: analysis.signs))
      }
    }
    self.findings = findings.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      return (a.portal.source, -a.probes.count, left.offset)
        < (b.portal.source, -b.probes.count, right.offset)
    }.map(\.element)
  }

  /// Whether they prove a portal beside what else was seen.
  ///
  /// - Parameters:
  ///   - passed: The operators that gave the expected answer without encryption, where a portal would have answered.
  ///   - isOnline: Whether enough answers are as expected: then one odd answer is that server's own doing, and more
  ///     have to agree.
  /// - Returns: Whether they do.
  func prove(beside passed: Set<OperatorName>, isOnline: Bool) -> Bool {
    if capport?.state == .captive, !isOnline { return true }
    // Answers that may be the server's own show nobody in between unless unrelated servers agree.
    let operators = hinted.count >= 2 ? hinted : shown
    guard !operators.isEmpty else { return false }
    let others = passed.subtracting(operators).count
    let agree = operators.count >= 2 || findings.contains { $0.isStated || $0.isLocal }
    // A portal lets some hosts through, but not most of the Internet.
    if agree, operators.count * 4 >= operators.count + others { return true }
    return !isOnline && others <= operators.count
  }
}

/// What two probes must agree on: the query of a login URL often repeats the probed URL.
private struct Place: Hashable {
  let source: LoginURLSource
  let scheme: URLScheme
  let host: String
  let port: UInt16?
  let path: String

  init(_ portal: Portal) {
    source = portal.source
    let url = portal.loginURL
    scheme = url.scheme
    // Without a login page each probed URL stands for the same portal.
    host = portal.source == .probeURL ? "" : url.host
    port = url.port
    path = portal.source == .probeURL ? "" : url.path
  }
}

extension PortalSights {
  /// The places in words, each with the signs of its answers behind it.
  var evidence: [Evidence] {
    findings.flatMap { finding -> [Evidence] in
      // What the API says is told of the API.
      guard !finding.probes.isEmpty else { return [] }
      let signs = finding.signs.filter { $0.kind == .login }.prefix(3).map(\.words)
      let portal = Evidence(.portal, Self.words(finding), probes: finding.probes)
      guard !signs.isEmpty else { return [portal] }
      return [
        portal, Evidence(.sign, "that answer: \(signs.joined(separator: "; "))", probes: finding.probes),
      ]
    }
  }

  private static func words(_ finding: Finding) -> String {
    let url = finding.portal.loginURL
    let probes = probeCount(finding.probes.count)
    switch finding.portal.source {
    case .location: return "\(probes) led to \(url) in place of an answer"
    case .probeURL:
      return finding.isStated
        ? "\(probes) answered that a login is required, without saying where"
        : "\(probes) got a portal's page in place of an answer"
    default:
      return finding.isStated
        ? "\(probes) answered that a login is required, at \(url)"
        : "\(probes) got a portal's page in place of an answer, which leads to \(url)"
    }
  }
}
