public import ProbeCore

/// A plan that cannot be carried out, with everything that is wrong with it.
public struct InvalidPlan: Error, Hashable, Sendable {
  /// One thing that is wrong.
  public struct Problem: Hashable, Sendable {
    /// The position of the set it concerns, or nil when it concerns the plan as a whole.
    public var set: Int?
    /// The position of the URL in its set, or nil when it concerns none alone.
    public var target: Int?
    /// The key of a pipeline file it concerns, such as `threshold` or `run.deadline`; nil when it is none alone.
    public var field: String?
    /// The position of the rule it concerns, or nil when it concerns none.
    public var rule: Int?
    /// The option that it concerns, of those that hold for every request; nil when it concerns none.
    public var override: String?
    /// What is wrong, and the way out.
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

  /// What is wrong: first the sets in their order, then the plan as a whole, then the rules of `decide`; never empty.
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
