public import ProbeCore

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
