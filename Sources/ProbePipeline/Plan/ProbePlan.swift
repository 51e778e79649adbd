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
  /// The rules that say the verdict, of which the first that applies counts; nil for the decision from evidence.
  public let decide: [DecisionRule]?
  /// Whether probes that cannot change the verdict any more are cancelled, or not even started.
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
  ///   - decide: The rules that say the verdict, or nil for the decision from evidence.
  ///   - stopsEarly: Whether probes that cannot change the verdict any more are cancelled.
  /// - Throws: ``InvalidPlan`` with everything that is wrong: an empty set, a name given twice, a threshold that cannot
  ///   be met, a limit that lets nothing run.
  public init(
    name: String, policy: ProbePolicy = .httpsOnly, sets: [PlannedSet], success: Threshold = .all,
    run: RunLimits = RunLimits(), capport: ProbeURL? = nil, decide: [DecisionRule]? = nil,
    stopsEarly: Bool = true
  ) throws(InvalidPlan) {
    self.name = name
    self.policy = policy
    self.sets = sets
    self.success = success
    self.run = run
    self.capport = capport
    self.decide = decide
    self.stopsEarly = stopsEarly
    let problems = Self.problems(sets: sets, success: success, run: run)
    guard problems.isEmpty else { throw InvalidPlan(problems) }
  }

  /// All probes in the order of the sets; their positions here are the indices that a run speaks of.
  public var probes: [PlannedProbe] { sets.flatMap(\.probes) }
}

extension ProbePlan {
  private static func problems(sets: [PlannedSet], success: Threshold, run: RunLimits) -> [InvalidPlan
    .Problem]
  {
    var problems: [InvalidPlan.Problem] = []
    var names: Set<String> = []
    for (index, set) in sets.enumerated() {
      func add(_ message: String, remedy: String) {
        problems.append(InvalidPlan.Problem(set: index, InvalidInput(message, remedy: remedy)))
      }
      let name = Excerpt(set.name)
      if !names.insert(set.name).inserted {
        add("two sets have the name \(name)", remedy: "give each set a name of its own")
      }
      if set.probes.isEmpty {
        add("the set \(name) has no URLs", remedy: "give it at least one, or remove it")
      } else if !set.threshold.isReachable(of: set.probes.count) {
        add(
          "the threshold \(set.threshold) of the set \(name) cannot be met with \(set.probes.count) "
            + (set.probes.count == 1 ? "URL" : "URLs"),
          remedy: "use at most \(set.probes.count), or a percentage")
      }
    }
    func add(_ message: String, remedy: String) {
      problems.append(InvalidPlan.Problem(set: nil, InvalidInput(message, remedy: remedy)))
    }
    let required = sets.count { $0.required }
    if sets.isEmpty {
      add("there is no set of URLs", remedy: "give at least one")
    } else if required == 0 {
      add("no set is required, so nothing can count as success", remedy: "make at least one required")
    } else if !success.isReachable(of: required) {
      add(
        "the success threshold \(success) cannot be met with \(required) required sets",
        remedy: "use at most \(required), or a percentage")
    }
    if run.concurrency < 1 || run.perHost < 1 {
      add(
        "a run without any probe at a time never ends", remedy: "use at least 1 for concurrency and perHost")
    }
    if let deadline = run.deadline, deadline <= .zero {
      add("the deadline leaves no time", remedy: "give a time above zero")
    }
    return problems
  }
}

/// A plan that cannot be carried out, with everything that is wrong with it.
public struct InvalidPlan: Error, Hashable, Sendable {
  /// One thing that is wrong.
  public struct Problem: Hashable, Sendable {
    /// The position of the set it concerns, or nil when it concerns the plan as a whole.
    public var set: Int?
    /// The position of the URL in its set, or nil when it concerns no single one.
    public var target: Int?
    /// The position of the decision's rule it concerns, or nil.
    public var rule: Int?
    /// The field it concerns, as a pipeline file calls it, such as `threshold`, or nil.
    public var field: String?
    /// What is wrong, and the way out.
    public var input: InvalidInput

    init(
      set: Int? = nil, target: Int? = nil, rule: Int? = nil, field: String? = nil, _ input: InvalidInput
    ) {
      self.set = set
      self.target = target
      self.rule = rule
      self.field = field
      self.input = input
    }
  }

  /// What is wrong, in the order of the sets; never empty.
  public let problems: [Problem]

  init(_ problems: [Problem]) {
    self.problems = problems
  }
}

extension InvalidPlan: CustomStringConvertible {
  /// All problems, one a line.
  public var description: String {
    problems.map(\.input.description).joined(separator: "\n")
  }
}
