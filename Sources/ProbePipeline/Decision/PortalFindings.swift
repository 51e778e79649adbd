import PortalAnalysis
import ProbeCore

/// The signs of a captive portal in all answers together.
struct PortalFindings {
  /// A place to log in at that some probes agree on.
  struct Finding {
    let portal: Portal
    /// The probes that were told so, as their author wrote them.
    var probes: [String]
    /// How many of the answers said in a protocol's own words that a login is required.
    var stated = 0
    /// Whether the query of the login URL is not the same for all.
    var hasOtherQueries = false
    /// Whether one of them leads into the local network.
    var isLocal = false
    /// Whether only verified connections brought it.
    var isVerified = false
    /// Whether it is evidence alone, because nobody is sent to its login page.
    var isWithheld = false
    /// The signs that the first of the answers showed.
    let signs: [AnswerSign]
    /// The probes whose answers showed these signs.
    var signed: [String] = []
  }

  /// The places, the most credible first: what somebody else than a verified server said, then by where the login URL was
  /// found, then by how many probes agree, then by the order of the plan.
  private(set) var findings: [Finding] = []
  /// Who shows a portal in answers that need not be the server's own.
  private var open = PortalTally<OperatorName>()
  /// Who shows one in any answer.
  private var all = PortalTally<OperatorName>()
  private let capport: CapportResult?

  /// Collects them.
  ///
  /// - Parameters:
  ///   - run: What was seen.
  ///   - capport: What the API of RFC 8908 said, or nil when it was not asked.
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
    var positions: [PortalPlace: Int] = [:]
    for probe in [run.intercepted, run.failed].joined() {
      guard let analysis = probe.analysis, let portal = analysis.shown else { continue }
      let name = OperatorName(askedBy: probe)
      let isForeign = probe.outcome == .intercepted || analysis.isStated
      all.show(name, isForeign: isForeign)
      if !probe.isVerified { open.show(name, isForeign: isForeign) }
      if let position = positions[PortalPlace(portal)] {
        findings[position].probes.append(probe.url)
        if !probe.isVerified { findings[position].isVerified = false }
        if analysis.isStated { findings[position].stated += 1 }
        if portal.loginURL != findings[position].portal.loginURL { findings[position].hasOtherQueries = true }
        if analysis.signs == findings[position].signs { findings[position].signed.append(probe.url) }
        if analysis.isLocal { findings[position].isLocal = true }
      } else {
        positions[PortalPlace(portal)] = findings.count
        findings.append(
          Finding(
            portal: portal, probes: [probe.url], stated: analysis.isStated ? 1 : 0, isLocal: analysis.isLocal,
            isVerified: probe.isVerified, isWithheld: analysis.portal == nil, signs: analysis.signs,
            signed: [probe.url]))
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

  /// Whether they prove a portal beside the operators that gave the expected answer without encryption, where a portal
  /// would have answered.
  ///
  /// - Parameter isOnline: Whether enough answers are as expected: then what a verified server says speaks for itself
  ///   alone, and of the others more have to agree.
  /// - Returns: Whether they do.
  func prove(isOnline: Bool) -> Bool {
    if isOnline { return open.proves(isOnline: true) }
    return capport?.state == .captive || all.proves(isOnline: false)
  }
}

extension Evidence {
  /// Why nobody is sent to a login page, to be said behind it.
  static func withheldInWords(_ url: ProbeURL) -> String {
    url.reach == .link
      ? "; that address is of this machine's link alone, and nobody is sent there"
      : "; that is this machine itself, and nobody is sent there"
  }
}

/// What two probes must agree on: the query of a login URL often repeats the probed URL.
struct PortalPlace: Hashable {
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

extension PortalFindings {
  /// The places in words, each with the signs of its answers behind it.
  var evidence: [Evidence] {
    findings.flatMap { finding -> [Evidence] in
      // What the API says is told of the API.
      guard !finding.probes.isEmpty else { return [] }
      let signs = finding.signs.filter { $0.kind == .login }.prefix(3).map(\.words)
      let withheld = finding.isWithheld ? Evidence.withheldInWords(finding.portal.loginURL) : ""
      let portal = Evidence(.portal, Self.words(finding) + withheld, probes: finding.probes)
      guard !signs.isEmpty else { return [portal] }
      return [
        portal, Evidence(.sign, "that answer: \(signs.joined(separator: "; "))", probes: finding.signed),
      ]
    }
  }

  private static func words(_ finding: Finding) -> String {
    let url = finding.urlInWords
    let probes = probeCount(finding.probes.count)
    switch finding.portal.source {
    case .location: return "\(probes) led to \(url) in place of an answer"
    case .probeURL:
      return finding.isStatedByAll
        ? "\(probes) answered that a login is required, without saying where"
        : "\(probes) got a portal's page in place of an answer\(finding.statedInWords)"
    default:
      return finding.isStatedByAll
        ? "\(probes) answered that a login is required, at \(url)"
        : "\(probes) got a portal's page in place of an answer, which leads to \(url)\(finding.statedInWords)"
    }
  }
}

extension PortalFindings.Finding {
  fileprivate var isStatedByAll: Bool { stated == probes.count }

  /// That some of the answers say more than others; empty where none do.
  fileprivate var statedInWords: String {
    stated == 0 ? "" : "; \(stated) of them answered that a login is required"
  }

  /// The login URL, without its query where that differs from probe to probe.
  fileprivate var urlInWords: String {
    let text = portal.loginURL.string
    guard hasOtherQueries, let query = text.firstIndex(of: "?") else { return text }
    return "\(text[..<query])?…"
  }
}
