import EngineProfiles
import PortalAnalysis
package import ProbeCore
package import ProbePipeline

/// The reaction of an operating system to the network, as the user sees it.
package struct EngineReaction: Sendable {
  /// The name of the profile.
  package let profile: String
  /// The product.
  package let system: String
  /// The result of its network check.
  package let verdict: Verdict
  /// The URL that it opens; nil if it opens none.
  package let opens: ProbeURL?
  /// The page that follows the portal's response to ``opens``, by a redirect, a refresh or a script.
  ///
  /// Nil if the response is a page itself, or is not known.
  package let target: ProbeURL?
  /// A description of what the user sees.
  package let shows: String

  /// Whether it can find a portal at all: a check by HTTPS alone only finds that there is no Internet access.
  package let looksForPortals: Bool

  /// Whether the user reaches a login.
  package let showsLogin: Bool

  package init(_ run: EngineRun) {
    profile = run.profile.name
    system = run.profile.system
    let result = run.result
    looksForPortals = result.sets.contains { $0.probes.contains { $0.encryption == .plaintext } }
    verdict = result.verdict
    let url = result.verdict == .captivePortal ? result.portal?.loginURL : nil
    opens = url
    target = url.flatMap { Self.target(of: $0, run) }
    let obstacle = url == nil ? nil : run.opened.flatMap(Self.obstacle)
    showsLogin = result.verdict == .captivePortal && obstacle == nil
    shows =
      switch result.verdict {
      case .captivePortal: obstacle.map { "no login page, because \($0)" } ?? run.profile.loginDisplay
      case .online: "finds the network open"
      case _ where !looksForPortals: "no Internet access, because it probes only HTTPS"
      case .partial: "limited connectivity, because \(Self.cause(of: result))"
      case .intercepted: "no login page, because \(Self.cause(of: result))"
      case .offline, .inconclusive, .healthy, .degraded, .unhealthy:
        "nothing, because \(Self.cause(of: result))"
      }
  }

  /// The page that follows the response to a URL that an engine opens.
  private static func target(of url: ProbeURL, _ run: EngineRun) -> ProbeURL? {
    let portals =
      [run.opened?.analysis?.portal]
      + run.result.sets.flatMap(\.probes).filter { (try? ProbeURL($0.url)) == url }.map(\.portal)
    guard let portal = portals.lazy.compactMap(\.self).first, portal.loginURL != url,
      portal.source.isAutomatic
    else { return nil }
    return portal.loginURL
  }

  /// The reason why the page that an engine opens is not the portal's; nil if it is, or may be.
  private static func obstacle(_ opened: FetchedPage) -> String? {
    let url = opened.url.string.escapedForDisplay
    switch opened.response {
    case .failure(let failure):
      // This machine may refuse a request that another one makes.
      return failure.reason.traits.contains(.thisMachine) ? nil : "\(url): \(failure.detail)"
    case .success(let response):
      guard let head = response.head, head.status >= 400, opened.analysis?.shown == nil else { return nil }
      return "\(url): \(head.statusForDisplay)"
    }
  }

  /// The first probe that was not accepted, in words.
  private static func cause(of result: RunResult) -> String {
    let probes = result.sets.flatMap(\.probes)
    guard
      let probe = probes.first(where: { $0.outcome == .failed })
        ?? probes.first(where: { $0.outcome == .intercepted })
    else { return "it has no evidence" }
    if probe.reason == .androidPrivateAddress, let address = probe.response?.remoteAddress?.address {
      return "\(probe.url.escapedForDisplay): the name resolves to the private address \(address)"
    }
    // A detail may refer to the rules of a profile, which the reader did not write.
    if let head = probe.response?.head, !probe.failed(with: .stopsTraffic) {
      return "\(probe.url.escapedForDisplay): \(head.statusForDisplay)"
    }
    return
      "\(probe.url.escapedForDisplay): \(probe.detail ?? probe.reason?.rawValue ?? probe.outcome.rawValue)"
  }
}

extension ReasonCode {
  /// The reason of the profile of Android's guard against forged DNS.
  static let androidPrivateAddress = ReasonCode(rawValue: "android.privateAddress")
}
