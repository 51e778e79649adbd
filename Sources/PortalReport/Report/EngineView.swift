import EngineProfiles
import PortalAnalysis
public import ProbeCore
public import ProbePipeline

/// The user's view of the network in an operating system.
public struct EngineView: Sendable {
  /// The name of the profile.
  public let profile: String
  /// The product.
  public let system: String
  /// The result of its network check.
  public let verdict: Verdict
  /// The URL that it opens; nil if it opens none.
  public let opens: ProbeURL?
  /// A description of what the user sees.
  public let shows: String

  /// Whether it can find a portal at all: a check by HTTPS alone only finds that there is no Internet access.
  public let looksForPortals: Bool

  /// Creates the view of an engine's run.
  public init(_ run: EngineRun) {
    profile = run.profile.name
    system = run.profile.system
    let result = run.result
    looksForPortals = result.sets.contains { $0.probes.contains { $0.encryption == .plaintext } }
    verdict = result.verdict
    opens = result.verdict == .captivePortal ? result.portal?.loginURL : nil
    shows =
      switch result.verdict {
      case .captivePortal: run.profile.loginDisplay
      case .online: "finds the network open"
      case _ where !looksForPortals: "no Internet access, because it probes only HTTPS"
      case .partial: "limited connectivity, because \(Self.cause(of: result))"
      case .intercepted: "no login page, because \(Self.cause(of: result))"
      case .offline, .inconclusive, .healthy, .degraded, .unhealthy:
        "nothing, because \(Self.cause(of: result))"
      }
  }

  /// Whether the user reaches a login.
  public var showsLogin: Bool { verdict == .captivePortal }

  /// The first probe that was not accepted.
  private static func cause(of result: RunResult) -> String {
    let probes = result.sets.flatMap(\.probes)
    guard
      let probe = probes.first(where: { $0.outcome == .failed })
        ?? probes.first(where: { $0.outcome == .intercepted })
    else { return "it has no evidence" }
    // A detail may refer to the rules of a profile, which the reader did not write.
    if let head = probe.response?.head, !probe.failed(with: .stopsTraffic) {
      return "\(probe.url.escapedForDisplay): \(head.statusForDisplay)"
    }
    return
      "\(probe.url.escapedForDisplay): \(probe.detail ?? probe.reason?.rawValue ?? probe.outcome.rawValue)"
  }
}
