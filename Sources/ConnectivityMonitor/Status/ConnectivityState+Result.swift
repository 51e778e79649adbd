import PortalAnalysis
import ProbeCore
import ProbePipeline

/// What of a state counts as a change when it becomes another.
///
/// Latency and the words of the evidence differ from check to check and say nothing new. Nor does which family a probe
/// happened to take, unless its set asks by each on its own.
struct AnnouncedState: Equatable {
  let status: ConnectivityStatus
  let verdict: Verdict?
  let loginURL: ProbeURL?
  let interface: InterfaceName?
  let families: [IPFamily: FamilyState]
  let isSlow: Bool
  let pathFailure: PathFailure?

  /// What tells one interface from another.
  struct InterfaceName: Equatable {
    let name: String
    let kind: InterfaceKind
    let isMetered: Bool?
  }
}

extension ConnectivityState {
  /// What of it counts as a change when it becomes another.
  var announced: AnnouncedState {
    AnnouncedState(
      status: status, verdict: verdict, loginURL: portal?.loginURL,
      interface: currentInterface.map {
        AnnouncedState.InterfaceName(name: $0.name, kind: $0.kind, isMetered: $0.isMetered)
      },
      families: families.filter { askedFamilies.contains($0.key) }, isSlow: isSlow, pathFailure: pathFailure)
  }

  /// What each family does, as far as interfaces and routes and a check tell.
  func families(after result: RunResult?) -> [IPFamily: FamilyState] {
    var states: [IPFamily: FamilyState] = [:]
    for family in IPFamily.allCases {
      let tested = result?.state(of: family) ?? .untested
      let hasWay = path.map { $0.interface(for: family) != nil } ?? true
      // A probe that was accepted found a way, whatever the routes say: a proxy, or a server on this machine.
      states[family] = hasWay || tested == .works ? tested : .noRoute
    }
    return states
  }

  /// Takes over what a check says.
  mutating func adopt(_ result: RunResult, slowLatency: Duration?) {
    self.result = result
    currentInterface = path?.currentInterface
    status = ConnectivityStatus(hasInternet: result.verdict == .online, via: currentInterface?.kind)
    verdict = result.verdict
    portal = result.portal
    evidence = result.evidence
    families = families(after: result)
    askedFamilies = result.askedFamilies
    latency = result.latency
    isSlow = status.isConnected && isSlow(latency, from: slowLatency)
  }

  /// Takes over that there is no way to the Internet, which need not be asked.
  mutating func loseWay() {
    currentInterface = nil
    status = .notConnected
    verdict = .offline
    portal = nil
    evidence = [Evidence(.noRoute, "this machine has no route to the Internet", probes: [])]
    result = nil
    families = families(after: nil)
    askedFamilies = []
    latency = nil
    isSlow = false
  }

  private func isSlow(_ latency: Duration?, from limit: Duration?) -> Bool {
    guard let latency, let limit else { return false }
    // What is slow stays so until it is clearly not, so that a latency near the limit does not change it each time.
    return latency >= (isSlow ? limit * 3 / 4 : limit)
  }
}

extension RunResult {
  /// How long the answers took: the median of the accepted probes, or nil when none was.
  var latency: Duration? {
    let times = sets.flatMap(\.probes).filter { $0.outcome == .accepted }
      .compactMap { $0.response?.timings.total }.sorted()
    return times.isEmpty ? nil : times[times.count / 2]
  }

  /// The families by which sets asked each on its own.
  var askedFamilies: Set<IPFamily> { Set(sets.flatMap(\.probes).compactMap(\.family)) }

  /// What a family does, as far as its probes tell.
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
