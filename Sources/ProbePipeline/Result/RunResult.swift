public import PortalAnalysis
public import ProbeCore

/// What came of a whole run: the verdict, what it rests on, and every probe.
public struct RunResult: Sendable {
  /// The pipeline's name.
  public var pipeline: String
  /// What the run says of the network.
  public var verdict: Verdict
  /// The captive portal that was found, or nil.
  public var portal: Portal?
  /// The facts the verdict rests on.
  public var evidence: [Evidence]
  /// The sets in the order of the plan.
  public var sets: [SetResult]
  /// How long the run took.
  public var duration: Duration
  /// What the API of a captive portal said, or nil when none was asked.
  public var capport: CapportResult?

  /// A result.
  public init(
    pipeline: String, verdict: Verdict, portal: Portal?, evidence: [Evidence], sets: [SetResult],
    duration: Duration, capport: CapportResult? = nil
  ) {
    self.pipeline = pipeline
    self.verdict = verdict
    self.portal = portal
    self.evidence = evidence
    self.sets = sets
    self.duration = duration
    self.capport = capport
  }
}

/// What came of a set.
public struct SetResult: Sendable {
  /// The set's name.
  public let name: String
  /// How many of its probes had to be accepted.
  public let threshold: Threshold
  /// Whether it counts towards success.
  public let required: Bool
  /// Whether it was needed: false for a fallback that the sets before it made unnecessary, and which does not count
  /// among the required sets for that.
  public let isNeeded: Bool
  /// Its probes in the order of the plan.
  public let probes: [ProbeResult]
  /// How many of them were accepted.
  public let accepted: Int
  /// How many of them the verdict did not need.
  let unneeded: Int

  /// A set's result; what was accepted is counted.
  public init(
    name: String, threshold: Threshold, required: Bool = true, isNeeded: Bool = true, probes: [ProbeResult]
  ) {
    self.name = name
    self.threshold = threshold
    self.required = required
    self.isNeeded = isNeeded
    self.probes = probes
    accepted = probes.count { $0.outcome == .accepted }
    unneeded = probes.count { $0.outcome == .skipped && $0.reason == nil }
  }

  /// How many probes it has.
  public var total: Int { probes.count }
  /// Whether enough of them were accepted; nil where the verdict was certain before that was known.
  public var met: Bool? {
    if threshold.isMet(accepted: accepted, of: total) { return true }
    return threshold.isMet(accepted: accepted + unneeded, of: total) ? nil : false
  }
}

/// What came of a probe.
public struct ProbeResult: Hashable, Sendable {
  /// The URL as its author wrote it.
  public var url: String
  /// What became of it.
  public var outcome: Outcome
  /// Why it was not accepted, or nil when it was.
  public var reason: ReasonCode?
  /// Why, in words: one line, safe to print; nil when it was accepted.
  public var detail: String?
  /// What came back, as far as it came; nil when nothing did.
  ///
  /// A run leaves out the body once it is judged, and what else is unusually long, such as header fields beyond two
  /// kilobytes, so that a hundred thousand answers fit into memory.
  public var response: ProbeResponse?
  /// What the named groups of patterns matched, by name.
  public var captures: [String: String]
  private var reading: CopyOnWrite<AnswerAnalysis>?
  /// Whether it was asked over an encrypted exchange; nil when nothing is known of its scheme.
  public var encryption: Encryption?
  /// The address family by which its set asked it, or nil when the set asks by one request alone.
  public var family: IPFamily?
  /// Whether the request itself said where to connect, by `connectTo` or a proxy: then the address tells nothing of
  /// what the host's name leads to.
  public var isRouted: Bool

  /// What came of a probe.
  public init(
    url: String, outcome: Outcome, reason: ReasonCode? = nil, detail: String? = nil,
    response: ProbeResponse? = nil, captures: [String: String] = [:], analysis: AnswerAnalysis? = nil,
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
  /// What the answer tells of whoever gave it; nil when it is the expected one, or could only be the server's own.
  public var analysis: AnswerAnalysis? {
    get { reading?.value }
    set { reading = newValue.map { CopyOnWrite($0) } }
  }

  /// The captive portal this answer gives away, or nil.
  public var portal: Portal? { analysis?.portal }

  /// The same, be it one whose login page nobody is sent to.
  var shownPortal: Portal? { analysis?.shown }
}

extension RunResult {
  /// A probe that failed for want of something on this machine.
  package var localFailure: ProbeResult? {
    sets.lazy.flatMap(\.probes).first { $0.failed(with: .thisMachine) }
  }
}

extension ProbeResult {
  /// Whether its reason has one of some traits.
  package func failed(with traits: ReasonCode.Traits) -> Bool {
    reason.map { !$0.traits.isDisjoint(with: traits) } ?? false
  }
}
