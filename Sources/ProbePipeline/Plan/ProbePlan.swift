public import ProbeCore

/// What a pipeline will do, checked and complete: what to probe, how to judge it, and what counts as success.
public struct ProbePlan: Sendable {
  /// The pipeline's name, for reports.
  public let name: String
  /// What is allowed on the wire.
  public let policy: ProbePolicy
  /// What to probe, in the order of the file.
  public let sets: [PlannedSet]
  /// How many of the required sets must be met for the network to count as online.
  public let success: Threshold
  /// What the run may cost.
  public let run: RunLimits
  /// The API of a captive portal (RFC 8908) to ask, by an https URL, or nil for none.
  public let capport: ProbeURL?
  /// Whether the API is asked that the network announces.
  public let asksAnnouncedCapport: Bool
  /// Whether the API is heard before anything is probed.
  public let asksCapportFirst: Bool
  /// What the network announces as the URL of its API, as it stands there; nil for nothing.
  ///
  /// Networks announce it by DHCPv4 option 114, DHCPv6 option 103 or an option of router advertisements (RFC 8910 §2). What
  /// comes from the network is passed over when it is no https URL.
  public var announcedCapport: String?
  /// How the API is reached.
  var connectionOfCapport = Connection()
  /// The rules that say the verdict, of which the first that applies counts; nil for the decision from evidence.
  public let decide: [DecisionRule]?
  /// Whether the run ends when its verdict is certain: no probe starts any more, and those that run have 500 ms.
  public var stopsEarly: Bool

  /// A plan, checked.
  ///
  /// - Parameters:
  ///   - name: The pipeline's name, for reports.
  ///   - policy: What is allowed on the wire.
  ///   - sets: What to probe.
  ///   - success: How many of the required sets must be met.
  ///   - run: What the run may cost.
  ///   - capport: The API of a captive portal to ask.
  ///   - asksAnnouncedCapport: Whether the API is asked that the network announces.
  ///   - asksCapportFirst: Whether the API is heard before anything is probed.
  ///   - decide: The rules that say the verdict, or nil for the decision from evidence.
  ///   - stopsEarly: Whether the run ends when its verdict is certain.
  /// - Throws: ``InvalidPlan`` with everything that is wrong: an empty set, a name given twice, a threshold that cannot
  ///   be met, a limit that lets nothing run, a rule that asks for what does not exist.
  public init(
    name: String, policy: ProbePolicy = .httpsOnly, sets: [PlannedSet], success: Threshold = .all,
    run: RunLimits = RunLimits(), capport: ProbeURL? = nil,
    asksAnnouncedCapport: Bool = false, asksCapportFirst: Bool = false, decide: [DecisionRule]? = nil,
    stopsEarly: Bool = true
  ) throws(InvalidPlan) {
    self.name = name
    self.policy = policy
    self.sets = sets
    self.success = success
    self.run = run
    self.capport = capport
    self.asksAnnouncedCapport = asksAnnouncedCapport
    self.asksCapportFirst = asksCapportFirst
    self.decide = decide
    self.stopsEarly = stopsEarly
    let problems = self.problems
    guard problems.isEmpty else { throw InvalidPlan(problems) }
  }

  /// Connection settings from the overrides of a pipeline.
  struct Connection: Sendable {
    /// Rules that replace hosts and ports.
    var rules: [ConnectTo] = []
    /// A PEM file of authorities to trust besides the machine's own.
    var authorities: String?
  }

  /// All probes in the order of the sets; their positions here are the indices that a run speaks of.
  public var probes: [PlannedProbe] { sets.flatMap(\.probes) }
}
