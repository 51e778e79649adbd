public import ProbeCore

/// The problems of an invalid dialog.
public struct InvalidDialog: Error, Hashable, Sendable {
  /// One problem.
  public struct Problem: Hashable, Sendable {
    /// The number of the step, from 1, or nil if the problem concerns the dialog as a whole.
    public var step: Int?
    /// The keys in the step, such as `expect.matches`, or nil if the problem concerns the step as a whole.
    public var key: String?
    /// The text that `InvalidInput.offset` refers to, if there is an offset.
    public var value: String?
    /// The problem, and how to fix it.
    public var input: InvalidInput

    init(step: Int? = nil, key: String? = nil, value: String? = nil, _ input: InvalidInput) {
      self.step = step
      self.key = key
      self.value = value
      self.input = input
    }
  }

  /// The problems, in the order of the steps; never empty.
  public let problems: [Problem]

  init(_ problems: [Problem]) {
    self.problems = problems
  }
}

extension InvalidDialog.Problem {
  /// The problem as one error whose message names the step.
  package var namingStep: InvalidInput {
    let location = [step.map { "step \($0)" }, key].compactMap(\.self).map { "\($0): " }.joined()
    return InvalidInput(location + input.message, remedy: input.remedy, offset: input.offset)
  }
}

extension InvalidDialog.Problem: CustomStringConvertible {
  /// The location, the problem and its remedy, on one line.
  public var description: String { namingStep.descriptionWithOffset }
}

extension InvalidDialog: CustomStringConvertible {
  /// All problems, one per line.
  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

extension InvalidDialog: InvalidInputs {
  /// The problems, each with the number of its step, from 0, and the keys within the step.
  public var mistakes: [InvalidInput] {
    problems.map { problem in
      let keys = problem.key?.split(separator: ".").map(String.init) ?? []
      let words = problem.key.map { "\($0): \(problem.input.message)" } ?? problem.input.message
      let mistake = InvalidInput(words, remedy: problem.input.remedy, offset: problem.input.offset)
      return mistake.at((problem.step.map { ["\($0 - 1)"] } ?? []) + keys + problem.input.path)
    }
  }
}
