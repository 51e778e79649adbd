import PortalAnalysis
import ProbeCore

/// Tracks whether pending responses can still change the result about a captive portal: whether there is one,
/// and its login URL.
///
/// Only responses that can be from a third party matter, which are those without encryption. Each event costs
/// constant time on average over the run.
struct PortalProgress {
  /// The operator of each probe; nil if no third party can respond.
  private let operators: [Int?]
  private var tally = PortalTally<Int>()
  private var isPending: [Bool]
  private var pending = 0
  /// No probe before this position is pending.
  private var firstPending = 0
  /// The number of responses that redirect to each login page.
  private var redirects: [PortalPlace: Int] = [:]
  /// The login page that most of them redirect to, and the first probe for which a third party did so.
  private var lead: (place: PortalPlace, first: Int)?
  /// The number of redirects to the second most frequent login page.
  private var second = 0

  /// Creates the state before any response.
  ///
  /// - Parameters:
  ///   - probes: The probes of the run, or none if portals do not matter.
  ///   - policy: The policy of the run.
  ///   - encryption: Whether a scheme is encrypted; nil for an unknown scheme.
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
    guard !result.isOfThisMachine else { return }
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
      // The first probe of this page was not recorded, so only the end of the run settles it.
      self.lead = (place, isPending.count)
    } else {
      second = max(second, count)
    }
  }
}

extension PortalProgress {
  /// Whether the portal is proven, whatever the pending responses are.
  ///
  /// - Parameter mayBeOnline: Whether enough responses may still be as expected.
  /// - Returns: Whether it is proven.
  func isProven(mayBeOnline: Bool) -> Bool { tally.provesForGood(mayBeOnline: mayBeOnline) }

  /// Whether pending responses may still show a portal on a network that is otherwise online.
  var mayShow: Bool { tally.mayProve }

  /// Whether pending responses can no longer change the login URL.
  ///
  /// A redirect is the most credible source. Of all pages that responses redirect to, the most frequent one
  /// is chosen, with the URL from the first response.
  var isPlaceSettled: Bool {
    guard pending > 0 else { return true }
    guard let lead else { return false }
    return lead.first < firstPending && redirects[lead.place, default: 0] - second > pending
  }
}

extension ProbeRequest {
  /// Whether a third party can respond to the request.
  ///
  /// Over a verified connection, and without a redirect to an unencrypted URL, only the server can.
  fileprivate func isOpen(under policy: ProbePolicy, _ encryption: (URLScheme) -> Encryption?) -> Bool {
    encryption(url.scheme) != .encrypted || redirects > 0 && !(self.policy ?? policy).httpsOnly
  }
}
