import PortalAnalysis
import ProbeCore

/// Tracks whether pending responses can still change the result about a captive portal: whether there is one,
/// and its login URL.
///
/// Of the responses without encryption, which can be from a third party, each matters; of the encrypted ones, only
/// whether any passes. Each event costs constant time on average over the run.
struct PortalProgress {
  /// The operator of each probe; nil if no third party can respond.
  private let operators: [Int?]
  /// The names of the operators, at the positions that `operators` has.
  private let names: [OperatorName]
  /// Whether each probe is encrypted.
  private let areEncrypted: [Bool]
  private var encrypted = EncryptedTraffic()
  private var tally = PortalTally<Int>()
  private var isPending: [Bool]
  private var pending = 0
  /// No probe before this position is pending.
  private var firstPending = 0
  /// The number of responses that redirect to each login page.
  private var redirects: [PortalLocation: Int] = [:]
  /// The login page that most of them redirect to, and the first probe for which a third party did so.
  private var topRedirect: (location: PortalLocation, first: Int)?
  /// Whether a response shows a portal by nothing but a redirect, whose target may show that there is none.
  private var isBasedOnRedirects = false
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
    var names: [OperatorName] = []
    var known: [String: Int] = [:]
    let requests = probes.map { try? $0.request.get() }
    areEncrypted = requests.map { $0.map { encryption($0.url.scheme) == .encrypted } ?? false }
    operators = requests.map { request in
      guard let request, request.isOpen(under: policy, encryption) else { return nil }
      let host = request.url.host
      if let position = known[host] { return position }
      let name = OperatorName(ofHost: host)
      let position = positions[name] ?? names.count
      if position == names.count { names.append(name) }
      positions[name] = position
      known[host] = position
      return position
    }
    self.names = names
    isPending = probes.map { _ in true }
    for case let name? in operators {
      tally.expect(name)
      pending += 1
    }
    for case true in areEncrypted { encrypted.expect() }
    skipFinished()
  }

  /// Moves past the probes that are not pending, and those to which no third party can respond.
  private mutating func skipFinished() {
    while firstPending < isPending.count, !isPending[firstPending] || operators[firstPending] == nil {
      firstPending += 1
    }
  }

  /// A probe has finished, or never will.
  mutating func finished(_ index: Int, _ result: ProbeResult) {
    guard isPending.indices.contains(index), isPending[index] else { return }
    isPending[index] = false
    if areEncrypted[index] {
      encrypted.end()
      encrypted.record(result)
    }
    guard let name = operators[index] else { return }
    pending -= 1
    skipFinished()
    tally.end(name)
    guard !result.isFromThisMachine else { return }
    if result.outcome == .accepted, result.knownEncryption == .plaintext { tally.pass(name) }
    guard !result.isVerified, let analysis = result.analysis, analysis.shown != nil else { return }
    let isFromThirdParty = result.outcome == .intercepted
    tally.show(
      name, isFromThirdParty: isFromThirdParty || analysis.isStated,
      isOwn: result.redirectsToOwnLogin(of: names[name]))
    if analysis.isStated || analysis.isLocal { tally.isStated = true }
    if analysis.isBasedOnRedirect { isBasedOnRedirects = true }
    if let portal = analysis.portal, portal.source == .location {
      redirected(index, to: PortalLocation(portal), isFromThirdParty: isFromThirdParty)
    }
  }

  private mutating func redirected(_ index: Int, to location: PortalLocation, isFromThirdParty: Bool) {
    let count = redirects[location, default: 0] + 1
    redirects[location] = count
    let first = isFromThirdParty ? index : isPending.count
    guard let topRedirect else { return self.topRedirect = (location, first) }
    if topRedirect.location == location {
      self.topRedirect?.first = min(topRedirect.first, first)
    } else if count > redirects[topRedirect.location, default: 0] {
      second = count - 1
      // The first probe of this page was not recorded, so only the end of the run settles it.
      self.topRedirect = (location, isPending.count)
    } else {
      second = max(second, count)
    }
  }
}

extension PortalProgress {
  /// Whether the portal is proven, whatever the pending responses are.
  ///
  /// If the pages behind redirects may refute it, the pending responses decide whether the network is online.
  ///
  /// - Parameter mayBeOnline: Whether enough responses may still be as expected.
  /// - Returns: Whether it is proven.
  func isProven(mayBeOnline: Bool) -> Bool {
    if isBasedOnRedirects, mayBeOnline, pending > 0 { return false }
    return tally.provesForGood(mayBeOnline: mayBeOnline, encrypted)
  }

  /// Whether pending responses may still show a portal on a network that is otherwise online.
  var mayShow: Bool { tally.mayProve(encrypted) }

  /// Whether pending responses can no longer change the login URL.
  ///
  /// A redirect is the most credible source. Of all pages that responses redirect to, the most frequent one
  /// is chosen, with the URL from the first response.
  var isLoginURLSettled: Bool {
    guard pending > 0 else { return true }
    guard let topRedirect else { return false }
    return topRedirect.first < firstPending && redirects[topRedirect.location, default: 0] - second > pending
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
