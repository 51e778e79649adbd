import PortalAnalysis
import ProbeCore

/// Where a rule of `decide` says to log in: an engine opens what it opens, and not what is most credible.
struct RuledPortal {
  /// The portal, or nil when none of the rule's sources gave an address.
  let portal: Portal?

  /// Looks for the address.
  ///
  /// - Parameters:
  ///   - rule: The rule, which names the sources.
  ///   - sets: The sets that it asks about; their probes that were not accepted are looked at, in their order.
  ///   - capport: What the API of RFC 8908 said, or nil when it was not asked.
  init(_ rule: DecisionRule, _ sets: [SetResult], _ capport: CapportResult?) {
    let foreign = sets.flatMap(\.probes).filter { $0.outcome == .intercepted }
    let probes = foreign.isEmpty ? sets.flatMap(\.probes).filter { $0.outcome == .failed } : foreign
    portal =
      rule.loginURL.lazy.compactMap { source in
        Self.loginURL(source, probes, capport).map {
          Portal(loginURL: $0, source: source, wispr: probes.lazy.compactMap { $0.portal?.wispr }.first)
        }
      }.first
  }

  private static func loginURL(
    _ source: LoginURLSource, _ probes: [ProbeResult], _ capport: CapportResult?
  ) -> ProbeURL? {
    switch source {
    case .capport: capport?.loginURL
    case .location: probes.lazy.compactMap(\.redirectTarget).first
    case .probeURL: probes.lazy.compactMap { (try? ProbeURL($0.url))?.openable }.first
    case .wispr, .body511, .metaRefresh, .javascript, .form, .link:
      probes.lazy.compactMap { $0.portal?.source == source ? $0.portal?.loginURL : nil }.first
    }
  }
}

extension ProbeResult {
  /// Where its last redirect led, unless nobody is sent there.
  fileprivate var redirectTarget: ProbeURL? {
    guard let target = response?.redirects.last?.target?.openable, let asked = try? ProbeURL(url),
      asked.mayLead(to: target)
    else { return nil }
    return target
  }
}

extension ProbeURL {
  /// The URL if a browser opens it.
  fileprivate var openable: ProbeURL? { [.http, .https].contains(scheme) ? self : nil }
}

extension DecisionCondition {
  /// Whether it asks about a set with this name.
  func names(_ set: String) -> Bool {
    switch self {
    case .met(let name, _), .outcome(let name, _, _), .reason(let name, _): name == set
    case .capport, .userPortalURL: false
    case .all(let parts), .any(let parts): parts.contains { $0.names(set) }
    case .not(let part): part.names(set)
    }
  }
}
