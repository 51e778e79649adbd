import PortalAnalysis
import ProbeCore

/// What the answers that are still out can change about a captive portal: whether there is one, and where to log in.
///
/// Only answers that somebody else than the server can give matter: those without encryption. Each event costs constant
/// time, taken over the whole run.
struct PortalProgress {
  /// The operator of each probe; nil for one that nobody else can answer.
  private let operators: [Int?]
  private var tally = PortalTally<Int>()
  private var isPending: [Bool]
  private var pending = 0
  /// No probe before this position is pending.
  private var firstPending = 0
  /// How many answers redirect to which place.
  private var redirects: [PortalPlace: Int] = [:]
  /// The place that most of them redirect to, and the first probe in whose place somebody else did.
  private var lead: (place: PortalPlace, first: Int)?
  /// How many redirect to the place behind it.
  private var second = 0

  /// Nothing is answered yet.
  ///
  /// - Parameters:
  ///   - probes: The probes of the run, or none where nobody asks.
  ///   - policy: What is allowed on the wire.
  ///   - encryption: Whether a scheme is encrypted; nil for a scheme nothing is known of.
  init(_ probes: [PlannedProbe], policy: ProbePolicy, encryption: (URLScheme) -> Encryption?) {
    var positions: [OperatorName: Int] = [:]
    var known: [String: Int] = [:]
    operators = probes.map { probe in
      guard let request = try? probe.request.get(), request.isOpen(under: policy, encryption) else {
        return nil
      }
      let host = request.url.host
      if let position = known[host] { return position }
      let name = OperatorName(ofHost: host)
      let position = positions[name] ?? positions.count
      positions[name] = position
      known[host] = position
      return position
    }
    isPending = operators.map { $0 != nil }
    for case let name? in operators {
      tally.expect(name)
      pending += 1
    }
  }

  /// A probe has finished, or never will.
  mutating func finished(_ index: Int, _ result: ProbeResult) {
    guard operators.indices.contains(index), let name = operators[index], isPending[index] else { return }
    isPending[index] = false
    pending -= 1
    while firstPending < isPending.count, !isPending[firstPending] { firstPending += 1 }
    tally.end(name)
    if result.outcome == .accepted, result.knownEncryption == .plaintext { tally.pass(name) }
    guard !result.isVerified, let analysis = result.analysis, analysis.shown != nil else { return }
    let isForeign = result.outcome == .intercepted
    tally.show(name, isForeign: isForeign || analysis.isStated)
    if analysis.isStated || analysis.isLocal { tally.isStated = true }
    if let portal = analysis.portal, portal.source == .location {
      redirected(index, to: PortalPlace(portal), isForeign: isForeign)
    }
  }

  private mutating func redirected(_ index: Int, to place: PortalPlace, isForeign: Bool) {
    let count = redirects[place, default: 0] + 1
    redirects[place] = count
    let first = isForeign ? index : isPending.count
    guard let lead else { return self.lead = (place, first) }
    if lead.place == place {
      self.lead?.first = min(lead.first, first)
    } else if count > redirects[lead.place, default: 0] {
      second = count - 1
      // Its first probe was not noted, so that only a run that is over settles it.
      self.lead = (place, isPending.count)
    } else {
      second = max(second, count)
    }
  }
}

extension PortalProgress {
  /// Whether the portal is proven, whatever comes.
  ///
  /// - Parameter mayBeOnline: Whether enough answers may yet be as expected.
  /// - Returns: Whether it is.
  func isProven(mayBeOnline: Bool) -> Bool { tally.provesForGood(mayBeOnline: mayBeOnline) }

  /// Whether a portal may yet show on a network that is online without it.
  var mayShow: Bool { tally.mayProve }

  /// Whether nothing that comes can change where to log in: a redirect is the weightiest source, and the place that most
  /// answers agree on, in the words of the first of them, is the one.
  var isPlaceSettled: Bool {
    guard pending > 0 else { return true }
    guard let lead else { return false }
    return lead.first < firstPending && redirects[lead.place, default: 0] - second > pending
  }
}

extension ProbeRequest {
  /// Whether its answer may come from somebody else: over a verified connection, and without a redirect out of it, only
  /// the server answers.
  fileprivate func isOpen(under policy: ProbePolicy, _ encryption: (URLScheme) -> Encryption?) -> Bool {
    encryption(url.scheme) != .encrypted || redirects > 0 && !policy.httpsOnly
  }
}
