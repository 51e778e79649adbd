public import ProbeCore

/// A named group of probes with the measure by which it is met.
public struct PlannedSet: Sendable {
  /// The name, unique within a plan.
  public var name: String
  /// How many of its probes must be accepted.
  public var threshold: Threshold
  /// Whether it counts towards the plan's success.
  public var required: Bool
  /// When it is started.
  public var start: SetStart
  /// Its probes, in the order of the file.
  public var probes: [PlannedProbe]

  /// A set.
  public init(
    name: String, threshold: Threshold = .all, required: Bool = true, start: SetStart = .always,
    probes: [PlannedProbe]
  ) {
    self.name = name
    self.threshold = threshold
    self.required = required
    self.start = start
    self.probes = probes
  }
}

/// When a set is started.
public enum SetStart: String, Hashable, Sendable, CaseIterable, Codable {
  /// With the run.
  case always
  /// Only if the sets before it leave the verdict open: a fallback.
  case undecided
}

/// One URL to probe and how to judge its answer.
public struct PlannedProbe: Sendable {
  /// The URL as its author wrote it.
  public let url: String
  /// What to send, or why this line cannot be probed; then the probe fails with that.
  public let request: Result<ProbeRequest, ProbeFailure>
  /// The judge of what comes of it; a validator includes the demand for a 2xx status.
  public let judge: ProbeJudge
  /// Whether the plan says what the true answer is, so that another one tells that somebody else gave it.
  public let knowsTrueAnswer: Bool
  /// The address family by which its set asks it, or nil when the set asks it by one request alone.
  public var family: IPFamily?

  /// A probe.
  ///
  /// - Parameters:
  ///   - url: The URL as its author wrote it.
  ///   - request: What to send.
  ///   - validator: The judge of the answer, or nil to accept any answer with a 2xx status and without a redirect.
  public init(url: String, request: ProbeRequest, validator: (any ResponseValidator)? = nil) {
    self.url = url
    self.request = .success(request)
    judge = .validator(validator.map(SuccessfulStatus.guarding) ?? SuccessfulStatus())
    knowsTrueAnswer = validator?.judges.contains(.content) ?? false
  }

  /// A probe whose outcome its own rules say.
  ///
  /// - Parameters:
  ///   - url: The URL as its author wrote it.
  ///   - request: What to send.
  ///   - rules: The rules, of which the first that applies counts.
  public init(url: String, request: ProbeRequest, classify rules: [ClassifyRule]) {
    self.url = url
    self.request = .success(request)
    judge = .rules(rules)
    knowsTrueAnswer = false
  }

  /// A probe like another one of its set, judged alike.
  init(url: String, request: ProbeRequest, judgedAs other: PlannedProbe) {
    self.url = url
    self.request = .success(request)
    judge = other.judge
    knowsTrueAnswer = other.knowsTrueAnswer
  }

  /// A line that cannot be probed.
  ///
  /// - Parameters:
  ///   - url: The line as its author wrote it.
  ///   - failure: What is wrong with it.
  public init(url: String, failure: ProbeFailure) {
    self.url = url
    self.request = .failure(failure)
    judge = .validator(SuccessfulStatus())
    knowsTrueAnswer = false
  }
}

/// What a run may cost.
public struct RunLimits: Hashable, Sendable {
  /// How many probes run at a time.
  public var concurrency: Int
  /// How many of them may go to one host.
  public var perHost: Int
  /// The time for the whole run, or nil for as long as the probes take.
  public var deadline: Duration?

  /// Limits; those not given have their default.
  public init(concurrency: Int = 64, perHost: Int = 8, deadline: Duration? = nil) {
    self.concurrency = concurrency
    self.perHost = perHost
    self.deadline = deadline
  }
}
