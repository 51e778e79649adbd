public import FoundationEssentials
public import PortalAnalysis
public import ProbeCore

/// The result of a whole run: the verdict, its evidence, and the result of every probe.
public struct RunResult: Sendable {
  /// The pipeline's name.
  public var pipeline: String
  /// The question of the pipeline.
  public var question: Question { verdict.question }
  /// When the run started; nil if that is not known.
  public var time: Date?
  /// The verdict.
  public var verdict: Verdict
  /// The captive portal that was found, or nil.
  ///
  /// In a run about services, it is one that may be in the way. If the verdict is `online`, it is one that the redirect
  /// of a single operator suggests, and nothing else; its login is not required.
  public var portal: Portal?
  /// The third party that intercepts requests, without a login; nil unless the verdict is
  /// `intercepted` or `partial`.
  public var interception: Interception?
  /// The facts that the verdict is based on.
  public var evidence: [Evidence]
  /// The sets in the order of the plan.
  public var sets: [SetResult]
  /// How long the run took.
  public var duration: Duration
  /// The response of the captive-portal API, or nil if none was queried.
  public var capport: CapportResult?

  /// Creates a result.
  public init(
    pipeline: String, verdict: Verdict, portal: Portal?, evidence: [Evidence], sets: [SetResult],
    duration: Duration, capport: CapportResult? = nil, interception: Interception? = nil, time: Date? = nil
  ) {
    self.pipeline = pipeline
    self.verdict = verdict
    self.portal = portal
    self.evidence = evidence
    self.sets = sets
    self.duration = duration
    self.capport = capport
    self.interception = interception
    self.time = time
  }
}

/// The result of a set.
public struct SetResult: Sendable {
  /// The set's name.
  public let name: String
  /// Its labels: text by name.
  public var labels: [String: String] = [:]
  /// How many of its probes had to be accepted.
  public let threshold: Threshold
  /// Whether it counts towards success.
  public let isRequired: Bool
  /// Whether it was needed: false for a fallback that previous sets made unnecessary.
  ///
  /// A set that was not needed does not count among the required sets.
  public let isNeeded: Bool
  /// Whether its probes are steps, each of which starts once the one before it is accepted.
  public var isSequence = false
  /// Its probes in the order of the plan.
  public let probes: [ProbeResult]
  /// How many of them were accepted.
  public let accepted: Int
  /// How many of them the verdict did not need.
  let unneeded: Int

  /// Creates a set's result, and counts its accepted probes.
  public init(
    name: String, threshold: Threshold, required: Bool = true, isNeeded: Bool = true, probes: [ProbeResult]
  ) {
    self.name = name
    self.threshold = threshold
    self.isRequired = required
    self.isNeeded = isNeeded
    self.probes = probes
    accepted = probes.count { $0.outcome == .accepted }
    unneeded = probes.count { $0.outcome == .skipped && $0.reason == nil }
  }

  /// The number of its probes.
  public var total: Int { probes.count }
  /// Whether enough of them were accepted; nil if the verdict was certain before that was known.
  public var isMet: Bool? {
    if threshold.isMet(accepted: accepted, of: total) { return true }
    return threshold.isMet(accepted: accepted + unneeded, of: total) ? nil : false
  }
}

/// The result of a probe.
public struct ProbeResult: Hashable, Sendable {
  /// The URL as its author wrote it.
  public var url: String
  /// The name that its pipeline gave it, or nil for none.
  public var name: String?
  /// Its labels, including those of its set: text by name.
  public var labels: [String: String] = [:]
  /// The outcome.
  public var outcome: Outcome
  /// The reason why it was not accepted, or nil if it was.
  public var reason: ReasonCode?
  /// The reason for a person: one line, safe to print; nil if it was accepted.
  public var detail: String?
  /// The response, as far as it was received; nil if nothing was received.
  ///
  /// A run removes the body once it is judged, and anything unusually long, such as header fields beyond two
  /// kilobytes, so that a hundred thousand responses fit into memory.
  public var response: ProbeResponse?
  /// The text matched by the named groups of patterns, by name.
  public var captures: [String: String]
  private var reading: CopyOnWrite<ResponseAnalysis>?
  /// Whether the request was encrypted; nil for an unknown scheme.
  public var encryption: Encryption?
  /// The address family of the request, or nil if its set makes only one request for each URL.
  public var family: IPFamily?
  /// Whether the request overrode the address, by `connectTo` or a proxy; the address is then no evidence about
  /// name resolution.
  public var isRouted: Bool

  /// Creates a result.
  public init(
    url: String, outcome: Outcome, reason: ReasonCode? = nil, detail: String? = nil,
    response: ProbeResponse? = nil, captures: [String: String] = [:], analysis: ResponseAnalysis? = nil,
    encryption: Encryption? = nil, family: IPFamily? = nil, isRouted: Bool = false
  ) {
    self.url = url
    self.outcome = outcome
    self.reason = reason
    self.detail = detail
    self.response = response
    self.captures = captures
    reading = analysis.map { CopyOnWrite($0) }
    self.encryption = encryption
    self.family = family
    self.isRouted = isRouted
  }
}

extension ProbeResult {
  /// The analysis of an unexpected response; nil if the response is the expected one, or can only be from the
  /// server.
  public var analysis: ResponseAnalysis? {
    get { reading?.value }
    set { reading = newValue.map { CopyOnWrite($0) } }
  }

  /// Whether it reached this machine itself, or tried to, instead of the network.
  var isFromThisMachine: Bool { response?.isFromThisMachine == true }

  /// The captive portal that this response shows, or nil.
  public var portal: Portal? { analysis?.portal }

  /// The captive portal, even if its login page is not safe to open.
  var shownPortal: Portal? { analysis?.shown }
}

extension RunResult {
  /// The login URL to open; nil if there is none, or if the network is open without it.
  package var loginURL: ProbeURL? { verdict == .online ? nil : portal?.loginURL }

  /// A probe that failed because this machine lacks a resource.
  package var localFailure: ProbeResult? {
    sets.lazy.flatMap(\.probes).first { $0.failed(with: .thisMachine) }
  }
}

extension ProbeResult {
  /// Whether its reason has at least one of these traits.
  package func failed(with traits: ReasonCode.Traits) -> Bool {
    reason.map { !$0.traits.isDisjoint(with: traits) } ?? false
  }
}

/// A third party that intercepts requests, without a login.
public struct Interception: Hashable, Sendable {
  /// The kind of response: the name of a `ResponseKind`, `tls` for certificates that are not the servers' own,
  /// or `dns` for names that resolve to non-public addresses.
  public let kind: String
  /// Its identity: the host of its page, its address, or the issuer of its certificates; nil if unknown.
  public let by: String?

  /// Creates an interception.
  public init(kind: String, by: String?) {
    self.kind = kind
    self.by = by
  }

  /// Creates the interception with the strongest evidence; nil if there is none.
  ///
  /// - Parameters:
  ///   - thirdParty: Responses of a third party.
  ///   - certificates: Certificates of a third party.
  ///   - addresses: Addresses that a third party gives.
  init?(
    _ thirdParty: ThirdPartyFindings?, _ certificates: CertificateFindings?, _ addresses: AddressFindings?
  ) {
    if let group = thirdParty?.groups.first {
      self.init(
        kind: (group.first.analysis?.kind ?? .unknown).name,
        by: group.host ?? (group.operators.count >= 2 ? group.address?.description : nil))
    } else if let certificates {
      self.init(kind: "tls", by: certificates.commonIssuer)
    } else if let addresses {
      self.init(kind: "dns", by: addresses.foremost?.description)
    } else {
      return nil
    }
  }
}

extension ThirdPartyFindings.Group {
  /// The host that the response redirects to, unless it is the requested one.
  fileprivate var host: String? {
    guard let requestedURL = try? ProbeURL(first.url), let target = first.response?.redirects.last?.target,
      requestedURL.isOffHost(target)
    else { return nil }
    return target.host
  }
}
