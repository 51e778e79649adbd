public import ProbeCore

/// A named group of probes with a threshold.
public struct PlannedSet: Sendable {
  /// The name, unique within a plan.
  public var name: String
  /// Labels for reports: text by name.
  public var labels: [String: String] = [:]
  /// The kinds of exchanges that its requests allow, or nil for those of the plan.
  public var policy: ProbePolicy?
  /// How many of its probes must be accepted.
  public var threshold: Threshold
  /// Whether it counts towards the plan's success.
  public var isRequired: Bool
  /// When the set starts.
  public var start: SetStart
  /// Whether its probes are steps, each of which starts once the one before it is accepted.
  public var isSequence = false
  /// Its probes, in the order of the file.
  public var probes: [PlannedProbe]

  /// Creates a set.
  public init(
    name: String, threshold: Threshold = .all, required: Bool = true, start: SetStart = .always,
    probes: [PlannedProbe]
  ) {
    self.name = name
    self.threshold = threshold
    self.isRequired = required
    self.start = start
    self.probes = probes
  }
}

/// When a set starts.
public enum SetStart: String, Hashable, Sendable, CaseIterable, Codable {
  /// At the start of the run.
  case always
  /// Only if the previous sets do not determine the verdict: a fallback.
  case undecided
}

/// One URL to probe, and how to judge its response.
public struct PlannedProbe: Sendable {
  /// The URL as its author wrote it.
  public let url: String
  /// The name for reports, or nil for none.
  public var name: String?
  /// Labels for reports, including those of its set.
  public var labels: [String: String] = [:]
  /// The request to send, or the failure of a line that cannot be probed.
  public let request: Result<ProbeRequest, ProbeFailure>
  /// The judge of the outcome; a validator includes the check for a 2xx status.
  public let judge: ProbeJudge
  /// Whether the plan defines the genuine response, so that a different one must be from a third party.
  package let knowsTrueResponse: Bool
  /// Whether a program takes part in the judgement.
  let isJudgedByProgram: Bool
  /// The address family of the request, or nil if the set makes only one request for each URL.
  public var family: IPFamily?

  /// Creates a probe with a validator.
  ///
  /// - Parameters:
  ///   - url: The URL as its author wrote it.
  ///   - request: The request to send.
  ///   - validator: The judge of the response, or nil to accept any response with a 2xx status and without a
  ///     redirect.
  public init(url: String, request: ProbeRequest, validator: (any ResponseValidator)? = nil) {
    self.url = url
    self.request = .success(request)
    judge = .validator(validator.map(SuccessfulStatus.guarding) ?? SuccessfulStatus())
    knowsTrueResponse = validator?.judges.contains(.content) ?? false
    isJudgedByProgram = validator?.judges.contains(.program) ?? false
  }

  /// Creates a probe with rules that determine its outcome.
  ///
  /// - Parameters:
  ///   - url: The URL as its author wrote it.
  ///   - request: The request to send.
  ///   - rules: The rules, of which the first that applies counts.
  public init(url: String, request: ProbeRequest, classify rules: [ClassifyRule]) {
    self.url = url
    self.request = .success(request)
    judge = .rules(rules)
    knowsTrueResponse = false
    isJudgedByProgram = rules.contains { $0.condition.judges.contains(.program) }
  }

  /// Creates a probe with the judge of another one in its set.
  package init(url: String, request: ProbeRequest, judgedAs other: PlannedProbe) {
    self.url = url
    self.request = .success(request)
    judge = other.judge
    knowsTrueResponse = other.knowsTrueResponse
    isJudgedByProgram = other.isJudgedByProgram
  }

  func requesting(_ request: ProbeRequest) -> PlannedProbe {
    PlannedProbe(self, request)
  }

  private init(_ other: PlannedProbe, _ request: ProbeRequest) {
    self.init(url: other.url, request: request, judgedAs: other)
    (family, name, labels) = (other.family, other.name, other.labels)
  }

  /// Creates a probe for a line that cannot be probed.
  ///
  /// - Parameters:
  ///   - url: The line as its author wrote it.
  ///   - failure: The failure of the probe.
  package init(url: String, failure: ProbeFailure) {
    self.url = url
    self.request = .failure(failure)
    judge = .validator(SuccessfulStatus())
    knowsTrueResponse = false
    isJudgedByProgram = false
  }
}

/// The limits of a run.
public struct RunLimits: Hashable, Sendable {
  /// The maximum number of concurrent probes.
  public var concurrency: Int
  /// The maximum number of concurrent probes to one host.
  public var perHost: Int
  /// The timeout of the whole run, or nil for none.
  public var deadline: Duration?

  /// Creates limits; those not given have their defaults.
  public init(concurrency: Int = 64, perHost: Int = 8, deadline: Duration? = nil) {
    self.concurrency = concurrency
    self.perHost = perHost
    self.deadline = deadline
  }
}
