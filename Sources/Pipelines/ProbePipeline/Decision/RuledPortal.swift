import PortalAnalysis
import ProbeCore

/// The login URL according to a `decide` rule: an emulated engine opens a specific URL, not the most credible
/// one.
struct RuledPortal {
  /// The portal, or nil if none of the rule's sources has a URL and the engine opens no URL of its own.
  let portal: Portal?

  /// Looks for the login URL.
  ///
  /// - Parameters:
  ///   - rule: The rule, which names the sources.
  ///   - sets: The sets that it refers to; their probes that were not accepted are examined in order.
  ///   - capport: The response of the captive-portal API (RFC 8908), or nil if it was not queried.
  init(_ rule: DecisionRule, _ sets: [SetResult], _ capport: CapportResult?) {
    let foreign = sets.flatMap(\.probes).filter { $0.outcome == .intercepted }
    let probes = foreign.isEmpty ? sets.flatMap(\.probes).filter { $0.outcome == .failed } : foreign
    func portal(_ url: ProbeURL, _ source: LoginURLSource) -> Portal {
      Portal(
        loginURL: url, source: source, wispr: probes.lazy.compactMap { $0.portal?.wispr }.first,
        kind: probes.lazy.compactMap { $0.shownPortal?.kind }.first ?? .login,
        confidence: probes.lazy.compactMap(\.shownPortal).first?.confidence)
    }
    let found = rule.loginURL.lazy.compactMap { source in
      Self.loginURL(source, probes, capport).map { portal($0, source) }
    }.first
    // Like a probed URL, it shows the portal's page, because the portal intercepts the request for it.
    self.portal = found ?? rule.opens.map { portal($0, .probeURL) }
  }

  private static func loginURL(
    _ source: LoginURLSource, _ probes: [ProbeResult], _ capport: CapportResult?
  ) -> ProbeURL? {
    switch source {
    case .capport: capport?.loginURL
    case .location: probes.lazy.compactMap(\.redirectTarget).first
    case .probeURL: probes.lazy.compactMap { (try? ProbeURL($0.url))?.openable }.first
    case .wispr: probes.lazy.compactMap(\.messageURL).first
    case .body511, .metaRefresh, .javascript, .form, .link:
      probes.lazy.compactMap { $0.portal?.source == source ? $0.portal?.loginURL : nil }.first
    }
  }
}

extension ProbeResult {
  /// The login URL of the WISPr message, even if the response has another URL that is more credible.
  fileprivate var messageURL: ProbeURL? {
    guard let portal, portal.source != .wispr else { return portal?.loginURL }
    guard let text = portal.wispr?.loginURL, let asked = try? ProbeURL(url),
      let target = asked.resolve(text)?.openable, asked.mayRedirect(to: target)
    else { return nil }
    return target
  }

  /// The target of the last redirect that has one, unless it is not safe to open.
  fileprivate var redirectTarget: ProbeURL? {
    guard let target = response?.redirects.last(where: { $0.target != nil })?.target?.openable,
      let asked = try? ProbeURL(url), asked.mayRedirect(to: target)
    else { return nil }
    return target
  }
}

extension ProbeURL {
  /// The URL, or nil if browsers do not open its scheme.
  fileprivate var openable: ProbeURL? { [.http, .https].contains(scheme) ? self : nil }
}

extension DecisionCondition {
  /// Whether the condition refers to a set with this name.
  func names(_ set: String) -> Bool {
    switch self {
    case .met(let name, _), .outcome(let name, _, _), .reason(let name, _): name == set
    case .capport, .userPortalURL: false
    case .all(let parts), .any(let parts): parts.contains { $0.names(set) }
    case .not(let part): part.names(set)
    }
  }
}
