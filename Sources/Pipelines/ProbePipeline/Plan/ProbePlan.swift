public import ProbeCore

/// A complete, validated plan of a run: what to probe, how to judge it, and what counts as success.
public struct ProbePlan: Sendable {
  /// The pipeline's name, for reports.
  public let name: String
  /// The question that it answers.
  public let question: Question
  /// The kinds of exchanges that are allowed.
  public let policy: ProbePolicy
  /// The sets to probe, in the order of the file.
  public let sets: [PlannedSet]
  /// How many of the required sets must be met for the network to count as online, or for the services not to
  /// count as unhealthy.
  public let success: Threshold
  /// The limits of the run.
  public package(set) var run: RunLimits
  /// The https URL of the captive-portal API (RFC 8908) to query, or nil for none.
  public let capport: ProbeURL?
  /// Whether to query the captive-portal API that the network announces.
  public let asksAnnouncedCapport: Bool
  /// Whether to wait for the response of the API before anything is probed.
  public let asksCapportFirst: Bool
  /// The URL of the captive-portal API that the network announces, unvalidated; nil for none.
  ///
  /// Networks announce it by DHCPv4 option 114, DHCPv6 option 103 or an option of router advertisements (RFC
  /// 8910 §2). An announcement that is not an https URL is ignored.
  public var announcedCapport: String?
  /// How to connect to the API.
  var connectionOfCapport = Connection()
  /// The rules that determine the verdict, of which the first that applies counts; nil to decide from
  /// evidence.
  public let decide: [DecisionRule]?
  /// Whether the run ends when its verdict is certain: no further probe starts, and running ones have 500 ms
  /// to finish; a run about services never does.
  public var stopsEarly: Bool {
    get { question == .internet && mayStopEarly }
    set { mayStopEarly = newValue }
  }
  private var mayStopEarly: Bool
  /// The transports of plugins that the pipeline declares, besides those of the runner.
  var pluginTransports: [any ProbeTransport] = []
  /// Whether the run requests the target of a redirect, if nothing else decides what it is.
  public var followsRedirects = true

  /// Creates and validates a plan.
  ///
  /// - Parameters:
  ///   - name: The pipeline's name, for reports.
  ///   - question: The question that it answers.
  ///   - policy: The kinds of exchanges that are allowed.
  ///   - sets: The sets to probe.
  ///   - success: How many of the required sets must be met.
  ///   - run: The limits of the run.
  ///   - capport: The URL of the captive-portal API to query.
  ///   - asksAnnouncedCapport: Whether to query the API that the network announces.
  ///   - asksCapportFirst: Whether to wait for the response of the API before anything is probed.
  ///   - decide: The rules that determine the verdict, or nil to decide from evidence.
  ///   - stopsEarly: Whether the run ends when its verdict is certain.
  /// - Throws: ``InvalidPlan`` with every problem: an empty set, a duplicate name, a threshold that cannot be
  ///   met, a limit that lets nothing run, or a rule about something that does not exist.
  public init(
    name: String, question: Question = .internet, policy: ProbePolicy = .httpsOnly, sets: [PlannedSet],
    success: Threshold = .all,
    run: RunLimits = RunLimits(), capport: ProbeURL? = nil,
    asksAnnouncedCapport: Bool = false, asksCapportFirst: Bool = false, decide: [DecisionRule]? = nil,
    stopsEarly: Bool = true
  ) throws(InvalidPlan) {
    self.name = name
    self.question = question
    self.policy = policy
    self.sets = sets
    self.success = success
    self.run = run
    self.capport = capport
    self.asksAnnouncedCapport = asksAnnouncedCapport
    self.asksCapportFirst = asksCapportFirst
    self.decide = decide
    mayStopEarly = stopsEarly
    let problems = self.problems
    guard problems.isEmpty else { throw InvalidPlan(problems) }
  }

  /// Connection settings from the overrides of a pipeline.
  struct Connection: Sendable {
    /// Rules that replace hosts and ports.
    var rules: [ConnectTo] = []
    /// The DNS server that looks up every name; nil for the name services of this machine.
    var resolver: SocketAddress?
    /// A PEM file of authorities to trust in addition to the machine's own.
    var authorities: String?
    /// The timeout; nil for the default one of a request.
    var timeout: Duration?
  }

  /// The policy of the plan as a whole: HTTPS only if every set is.
  var overallPolicy: ProbePolicy {
    ProbePolicy(httpsOnly: sets.allSatisfy { ($0.policy ?? policy).httpsOnly })
  }

  /// All probes in the order of the sets; their positions here are the indices that a run reports.
  public var probes: [PlannedProbe] { sets.flatMap(\.probes) }
}

/// The problems of a plan that cannot be run.
public struct InvalidPlan: Error, Hashable, Sendable {
  /// One problem.
  public struct Problem: Hashable, Sendable {
    /// The position of the set with the problem, or nil if it concerns the plan as a whole.
    public var set: Int?
    /// The position of the URL in its set, or nil if the problem concerns no single URL.
    public var target: Int?
    /// The key of a pipeline file with the problem, such as `threshold` or `run.deadline`; nil if there is no
    /// single key.
    public var field: String?
    /// The position of the rule with the problem, or nil if it concerns no rule.
    public var rule: Int?
    /// The command-line option with the problem, if it overrides every request; otherwise nil.
    public var override: String?
    /// The problem, and how to fix it.
    public var input: InvalidInput

    init(
      set: Int? = nil, target: Int? = nil, field: String?, rule: Int? = nil, override: String? = nil,
      _ input: InvalidInput
    ) {
      self.set = set
      self.target = target
      self.field = field
      self.rule = rule
      self.override = override
      self.input = input
    }
  }

  /// The problems: first those of the sets, in order, then those of the whole plan, then those of `decide`;
  /// never empty.
  public let problems: [Problem]

  init(_ problems: [Problem]) {
    self.problems = problems
  }
}

extension InvalidPlan: CustomStringConvertible {
  /// All problems, one per line.
  public var description: String {
    problems.map(\.input.description).joined(separator: "\n")
  }
}
