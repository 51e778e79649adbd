import PortalAnalysis
import ProbeCore
import ProbePipeline

/// The parts of a state whose change is announced.
///
/// Latency and the wording of the evidence differ from check to check without adding information. The same
/// applies to the address family that a probe happened to use, unless its set probes each family separately.
struct AnnouncedState: Equatable {
  let status: ConnectivityStatus
  let verdict: Verdict?
  let loginURL: ProbeURL?
  let interface: InterfaceName?
  let families: [IPFamily: FamilyState]
  let isSlow: Bool
  let pathFailure: PathFailure?

  /// The properties that distinguish interfaces.
  struct InterfaceName: Equatable {
    let name: String
    let kind: InterfaceKind
    let isMetered: Bool?
  }
}

extension ConnectivityState {
  /// The parts whose change is announced.
  var announced: AnnouncedState {
    AnnouncedState(
      status: status, verdict: verdict, loginURL: portal?.loginURL,
      interface: currentInterface.map {
        AnnouncedState.InterfaceName(name: $0.name, kind: $0.kind, isMetered: $0.isMetered)
      },
      families: families.filter { probedFamilies.contains($0.key) }, isSlow: isSlow, pathFailure: pathFailure)
  }

  /// The state of each family, according to interfaces, routes and a check.
  func families(after result: RunResult?) -> [IPFamily: FamilyState] {
    var states: [IPFamily: FamilyState] = [:]
    for family in IPFamily.allCases {
      let tested = result?.state(of: family) ?? .untested
      let hasWay = path.map { $0.interface(for: family) != nil } ?? true
      // An accepted probe found a path, regardless of the routes: a proxy, or a server on this machine.
      states[family] = hasWay || tested == .works ? tested : .noRoute
    }
    return states
  }

  mutating func adopt(_ result: RunResult, slowLatency: Duration?) {
    self.result = result
    currentInterface = path?.currentInterface
    status = ConnectivityStatus(hasInternet: result.showsInternet, via: currentInterface?.kind)
    verdict = result.verdict
    // A login that is not required is no news, and nothing to open.
    portal = result.verdict == .online ? nil : result.portal
    evidence = result.evidence
    families = families(after: result)
    probedFamilies = result.probedFamilies
    latency = result.latency
    isSlow = status.isConnected && isSlow(latency, from: slowLatency)
  }

  /// Records that there is no route to the Internet, so that no check is needed.
  mutating func loseWay() {
    currentInterface = nil
    status = .notConnected
    verdict = .offline
    portal = nil
    evidence = [Evidence(.noRoute, "this machine has no route to the Internet", probes: [])]
    result = nil
    families = families(after: nil)
    probedFamilies = []
    latency = nil
    isSlow = false
  }

  private func isSlow(_ latency: Duration?, from limit: Duration?) -> Bool {
    guard let latency, let limit else { return false }
    // Slow access remains slow until it is clearly faster, so that a latency near the limit does not toggle
    // it.
    return latency >= (isSlow ? limit * 3 / 4 : limit)
  }
}

extension RunResult {
  /// Whether it shows Internet access; about services, whether the network is not known to be down, because a
  /// failing service is no evidence about the Internet.
  var showsInternet: Bool {
    switch question {
    case .internet: verdict == .online
    case .services: !evidence.contains { $0.kind == .unreached }
    }
  }

  /// Whether the verdict is the best one for its question.
  var isAsHoped: Bool { verdict == .online || verdict == .healthy }

  /// The median time of the accepted probes, or nil if none was accepted.
  var latency: Duration? {
    let times = sets.flatMap(\.probes).filter { $0.outcome == .accepted }
      .compactMap { $0.response?.timings.total }.sorted()
    return times.isEmpty ? nil : times[times.count / 2]
  }

  /// The families that sets probe separately.
  var probedFamilies: Set<IPFamily> { Set(sets.flatMap(\.probes).compactMap(\.family)) }

  /// The state of a family, according to its probes.
  func state(of family: IPFamily) -> FamilyState {
    let probes = sets.flatMap(\.probes).filter { $0.outcome != .skipped }
    let own = probes.filter { $0.family == family }
    let reached = probes.contains {
      $0.outcome == .accepted && !$0.isRouted && $0.response?.remoteAddress?.address.family == family
    }
    if reached || own.contains(where: { $0.outcome == .accepted }) { return .works }
    return own.isEmpty ? .untested : .fails
  }
}
