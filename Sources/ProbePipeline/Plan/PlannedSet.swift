public import ProbeCore

/// A named group of probes with the measure by which it is met.
public struct PlannedSet: Sendable {
  /// The name, unique within a plan.
  public var name: String
  /// How many of its probes must be accepted.
  public var threshold: Threshold
  /// Whether it counts towards the plan's success.
  public var required: Bool
  /// Its probes, in the order of the file.
  public var probes: [PlannedProbe]

  /// A set.
  public init(name: String, threshold: Threshold = .all, required: Bool = true, probes: [PlannedProbe]) {
    self.name = name
    self.threshold = threshold
    self.required = required
    self.probes = probes
  }
}

/// One URL to probe and how to judge its answer.
public struct PlannedProbe: Sendable {
  /// The URL as its author wrote it.
  public let url: String
  /// What to send, or why this line cannot be probed; then the probe fails with that.
  public let request: Result<ProbeRequest, ProbeFailure>
  /// The judge of the answer, the demand for a 2xx status included.
  public let validator: any ResponseValidator
  /// Whether the plan says what the true answer is, so that another one tells that somebody else gave it.
  public let knowsTrueAnswer: Bool

  /// A probe.
  ///
  /// - Parameters:
  ///   - url: The URL as its author wrote it.
  ///   - request: What to send.
  ///   - validator: The judge of the answer, or nil to accept any answer with a 2xx status and without a redirect.
  public init(url: String, request: ProbeRequest, validator: (any ResponseValidator)? = nil) {
    self.url = url
    self.request = .success(request)
    self.validator = validator.map(SuccessfulStatus.guarding) ?? SuccessfulStatus()
    knowsTrueAnswer = validator?.judgesContent ?? false
  }

  /// A line that cannot be probed.
  ///
  /// - Parameters:
  ///   - url: The line as its author wrote it.
  ///   - failure: What is wrong with it.
  public init(url: String, failure: ProbeFailure) {
    self.url = url
    self.request = .failure(failure)
    self.validator = SuccessfulStatus()
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
