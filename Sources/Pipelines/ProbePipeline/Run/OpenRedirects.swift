import PortalAnalysis
package import ProbeCore

/// The redirects of a run that alone show a portal, and the pages that they redirect to.
///
/// A redirect to another host is evidence of a portal, but a filter redirects to its block page too, and a portal to
/// its page for clients that are logged in; and if other operators respond as expected, a site may have moved to a
/// login of its own. If nothing else decides what it is, the run requests the target once, and the page decides:
///
/// - A login confirms the portal, also that of a single operator.
/// - A block page, a page for a client that is logged in, and the login of a device's owner are no portal.
/// - Anything else, and no page, changes nothing.
///
/// It is pure apart from ``follow(over:within:_:)``.
struct OpenRedirects {
  /// A login URL without its query, which often repeats the probed URL.
  private struct Location: Hashable {
    let scheme: URLScheme
    let host: String
    let port: UInt16?
    let path: String

    init(_ url: ProbeURL) {
      (scheme, host, port, path) = (url.scheme, url.host, url.port, url.path)
    }
  }

  /// A target, and the probes that were redirected there.
  struct Target {
    let request: ProbeRequest
    /// The positions of the probes in the plan.
    var probes: [Int]
  }

  /// The maximum number of targets to request in a run.
  static let maximumTargets = 4
  /// The weight of a sign that is sufficient alone.
  private static let sufficient = 4

  /// The targets to request.
  private(set) var targets: [Target] = []
  private let plan: ProbePlan
  private let results: [SetResult]
  private let encryption: @Sendable (URLScheme) -> Encryption?
  /// Whether only a page can show a portal: then the URL of a redirect is not enough.
  private let needsPage: Bool

  var isEmpty: Bool { targets.isEmpty }

  /// Finds the redirects on which the verdict may depend.
  ///
  /// - Parameters:
  ///   - plan: The plan of the run; its own rules decide alone.
  ///   - sets: The results of all sets.
  ///   - decision: The decision without the targets.
  ///   - transports: The transports of the run.
  init(_ plan: ProbePlan, _ sets: [SetResult], _ decision: RunDecision, transports: TransportRegistry) {
    self.plan = plan
    results = sets
    encryption = { transports.encryption(of: $0) }
    needsPage = decision.verdict != .captivePortal
    let isOpen =
      plan.question == .internet && plan.followsRedirects && plan.decide == nil
      && (decision.verdict != .online || decision.portal != nil)
    guard isOpen, decision.portal.map({ $0.source.isAutomatic }) ?? true else { return }
    let probes = plan.probes
    var positions: [Location: Int] = [:]
    var found: [Target] = []
    for (index, result) in sets.lazy.flatMap(\.probes).enumerated() {
      guard let request = request(after: result, to: probes[index]) else {
        // A portal that something else shows needs no page.
        if decision.verdict == .captivePortal, result.analysis?.portal != nil { return }
        continue
      }
      if let position = positions[Location(request.url)] {
        found[position].probes.append(index)
      } else {
        positions[Location(request.url)] = found.count
        found.append(Target(request: request, probes: [index]))
      }
    }
    // Those of most probes, and of these the first of the plan.
    targets = found.enumerated().sorted { left, right in
      (-left.element.probes.count, left.offset) < (-right.element.probes.count, right.offset)
    }.prefix(Self.maximumTargets).map(\.element)
  }
}

/// The choice of redirects to follow.
extension OpenRedirects {
  /// The request for the target of a probe's redirect; nil if it is not followed.
  private func request(after result: ProbeResult, to probe: PlannedProbe) -> ProbeRequest? {
    guard case .validator = probe.judge, case .success(let request) = probe.request,
      result.outcome == .intercepted, let analysis = result.analysis, isBasedOnRedirect(analysis),
      !needsPage || !result.redirectsToOwnLogin(of: OperatorName(ofHost: request.url.host)),
      let response = result.response, let target = target(of: response, analysis, requestedURL: request.url),
      target.scheme == .http || target.scheme == .https, target.reach == .network,
      // A proxy may connect to any address.
      request.proxy == nil || target.address?.isSpecialPurpose != true
    else { return nil }
    let left = request.timeout - (response.timings.total ?? .zero)
    guard left > .zero else { return nil }
    return request.following(target, within: left, after: result.isRouted ? nil : response.remoteAddress)
  }

  /// The URL that an unencrypted response goes to by itself: by a redirect, a refresh, or a script.
  private func target(of response: ProbeResponse, _ analysis: ResponseAnalysis, requestedURL: ProbeURL)
    -> ProbeURL?
  {
    guard response.head?.isRedirect == true else {
      guard encryption(response.url.scheme) == .plaintext, let portal = analysis.portal,
        portal.source == .metaRefresh || portal.source == .javascript
      else { return nil }
      return portal.loginURL
    }
    guard let hop = response.redirects.last, hop.url == response.url, let target = hop.target else {
      return nil
    }
    if response.plainRedirectOffHost(from: requestedURL, encryption: encryption) != nil { return target }
    return encryption(hop.url.scheme) == .plaintext && encryption(target.scheme) == .plaintext ? target : nil
  }

  /// Whether nothing but a redirect or the like shows what a response is.
  private func isBasedOnRedirect(_ analysis: ResponseAnalysis) -> Bool {
    guard [.login, .unknown, .programLogin].contains(analysis.kind), !analysis.isStated,
      analysis.refusedPortal == nil,
      analysis.portal.map({ $0.source.isAutomatic }) ?? true
    else { return false }
    return needsPage && analysis.portal != nil || analysis.isBasedOnRedirect
  }
}

extension ProbeRequest {
  /// The maximum number of bytes to receive of a page that the network redirects to.
  package static let maximumBodyAfterRedirect = 256 * 1024

  /// Applies the rule for pages that the network redirects to: not on this machine or its link, in private networks only
  /// inside the subnet of the interface in use, and at most ``maximumBodyAfterRedirect`` bytes.
  ///
  /// - Parameter peer: The address of the response that has the redirect, or nil if it is not known.
  package mutating func restrictToRedirects(after peer: SocketAddress?) {
    maxBody = Self.maximumBodyAfterRedirect
    staysOffThisMachine = true
    addressRules = [.networkInUse(peer: peer?.address)]
  }

  /// The request for the target of a redirect: a GET without the credentials, the cookies, the body and the other
  /// header fields of this request.
  fileprivate func following(
    _ target: ProbeURL, within time: Duration, after peer: SocketAddress?
  ) -> ProbeRequest {
    var request = ProbeRequest(target)
    request.timeout = time
    request.connectTimeout = connectTimeout
    request.family = family
    request.source = source
    request.connectTo = connectTo
    request.resolver = resolver
    request.proxy = proxy
    request.restrictToRedirects(after: peer)
    request.http.client = http.client
    if !holdsSecret(in: http.userAgent.utf8) { request.http.userAgent = http.userAgent }
    request.policy = policy
    request.tls.additionalAuthorities = tls.additionalAuthorities
    request.tls.onlyAuthorities = tls.onlyAuthorities
    return request
  }
}

/// Requesting the targets.
extension OpenRedirects {
  /// Requests each target once, all at the same time.
  ///
  /// - Parameters:
  ///   - transports: The transports of the run.
  ///   - left: The time until the deadline of the run, or nil for none.
  ///   - clock: The clock of the run.
  /// - Returns: The analysis of each page, in the order of ``targets``; nil if there is none.
  func follow(
    over transports: TransportRegistry, within left: Duration?, _ clock: any Clock<Duration>
  ) async -> [ResponseAnalysis?] {
    let prober = Prober(transports, policy: plan.policy, clock: clock)
    return await withTaskGroup(of: (Int, ResponseAnalysis?).self) { group in
      for (index, target) in targets.enumerated() {
        var request = target.request
        if let left { request.timeout = min(request.timeout, left) }
        request.checksOwnAddress = true
        guard request.timeout > .zero else { continue }
        group.addTask { [request, encryption] in
          // Like a probe that fails, a target without a page is no evidence.
          guard let page = try? await prober.response(to: request) else { return (index, nil) }
          // A further redirect, refresh or script is no more conclusive than the first.
          guard page.redirects.isEmpty, page.head?.isRedirect != true else { return (index, nil) }
          // Nor is a page of this machine, to which an address in its subnet may belong.
          let isOwn = page.connectsToItself && !request.isRouted(request.url)
          guard !isOwn, !page.isFromThisMachine else { return (index, nil) }
          let analysis = ResponseAnalysis(of: page, asked: request.url, encryption: encryption)
          return (index, analysis.isBasedOnRedirect ? nil : analysis)
        }
      }
      var pages = [ResponseAnalysis?](repeating: nil, count: targets.count)
      for await (index, page) in group { pages[index] = page }
      return pages
    }
  }
}

/// The effect of the pages on the results.
extension OpenRedirects {
  /// The results of all sets with what the pages show; nil if they show nothing.
  func sets(with pages: [ResponseAnalysis?]) -> [SetResult]? {
    var probes = results.map(\.probes)
    var hasChanged = false
    let redactor = Redactors(plan.probes).ofAll
    for (target, page) in zip(targets, pages) {
      guard let page else { continue }
      for index in target.probes {
        let (set, position) = location(of: index)
        let url = target.request.url
        guard let changed = analysis(probes[set][position], at: url, page) else { continue }
        probes[set][position].analysis = redactor?.redacted(changed) ?? changed
        hasChanged = true
      }
    }
    guard hasChanged else { return nil }
    return zip(results, probes).map { set, probes in
      var result = SetResult(
        name: set.name, threshold: set.threshold, required: set.isRequired, isNeeded: set.isNeeded,
        probes: probes)
      (result.labels, result.isSequence) = (set.labels, set.isSequence)
      return result
    }
  }

  private func location(of index: Int) -> (set: Int, position: Int) {
    var rest = index
    for (set, result) in results.enumerated() {
      if rest < result.probes.count { return (set, rest) }
      rest -= result.probes.count
    }
    preconditionFailure("a position of the plan is in one of its sets")
  }

  /// The analysis of a response whose redirect target has a page; nil if that changes nothing.
  private func analysis(_ probe: ProbeResult, at url: ProbeURL, _ page: ResponseAnalysis) -> ResponseAnalysis?
  {
    // If the network responds to every request alike, the page is the same response.
    guard let old = probe.analysis, page.likeness != old.likeness, page.kind.decidesRedirect else {
      return nil
    }
    // If other operators respond as expected, a site may have moved to any page with a form.
    if page.kind.role == .portal, needsPage, !page.isCertain { return nil }
    let location = Excerpt(url.string, limit: 100)
    var changed = page
    changed.signs =
      [ResponseSign(page.kind.role, Self.sufficient * 2, "the page at \(location) is \(page.kind.words)")]
      + changed.signs
    changed.likeness = old.likeness
    (changed.isStated, changed.isLocal, changed.refusedPortal) = (false, false, nil)
    changed.portal = nil
    if page.kind.role == .portal {
      let target = probe.response?.redirects.last?.target
      changed.portal =
        old.portal ?? target.map { Portal(loginURL: $0, source: .location, wispr: page.shown?.wispr) }
      changed.portal?.kind = page.kind
      changed.portal?.confidence = page.shown?.confidence
      changed.isConfirmed = true
    }
    return changed
  }
}

extension ResponseKind {
  /// Whether the page of a redirect's target decides what the redirect is; an error at the target does not.
  fileprivate var decidesRedirect: Bool {
    switch role {
    case .portal, .admitted, .administration: true
    case .notice: [.blockPage, .nameErrorHelp, .parked].contains(self)
    case .failure, .unclear: false
    }
  }
}
