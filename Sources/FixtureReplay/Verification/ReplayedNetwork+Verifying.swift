internal import ProbeCore
public import ProbePipeline

extension ReplayedNetwork {
  /// Runs a pipeline, and demands that it finds what the fixture expects: the verdict, and where to log in.
  ///
  /// What a fixture expects holds for its initial state. One that expects nothing passes when it replays.
  ///
  /// - Parameters:
  ///   - pipeline: What to ask.
  ///   - comparesQueries: Whether login URLs must have the same query, too.
  /// - Returns: What was found.
  /// - Throws: `InvalidPlan` with everything that is wrong with the pipeline, ``UnexpectedFindings`` when it finds
  ///   something else.
  @discardableResult
  public func verify(_ pipeline: Pipeline, comparesQueries: Bool = false) async throws -> RunResult {
    try held(try await run(pipeline), comparesQueries)
  }

  /// Runs a plan, and demands that it finds what the fixture expects: the verdict, and where to log in.
  ///
  /// What a fixture expects holds for its initial state. One that expects nothing passes when it replays.
  ///
  /// - Parameters:
  ///   - plan: What to ask.
  ///   - comparesQueries: Whether login URLs must have the same query, too.
  /// - Returns: What was found.
  /// - Throws: ``UnexpectedFindings`` when it finds something else.
  @discardableResult
  public func verify(
    _ plan: ProbePlan, comparesQueries: Bool = false
  ) async throws(UnexpectedFindings) -> RunResult {
    try held(await run(plan), comparesQueries)
  }

  private func held(_ result: RunResult, _ comparesQueries: Bool) throws(UnexpectedFindings) -> RunResult {
    var verification = FixtureVerification(
      path: fixture.name, name: fixture.name, expectation: fixture.expectation)
    if let probe = result.localFailure {
      verification.shortage = probe.detail ?? probe.reason?.rawValue
    } else {
      verification.runs = [
        VerifiedRun(result, against: fixture.expectation, comparesQueries: comparesQueries)
      ]
    }
    guard verification.hasPassed else { throw UnexpectedFindings(verification) }
    return result
  }
}

/// A pipeline found something else in a network than its fixture expects.
public struct UnexpectedFindings: Error, Sendable {
  /// What was expected and what was found, or what the machine lacked to find out.
  public let verification: FixtureVerification

  init(_ verification: FixtureVerification) {
    self.verification = verification
  }
}

extension UnexpectedFindings: CustomStringConvertible {
  /// What was expected and what was found, and below it what that rests on; safe to print.
  public var description: String {
    let name = (verification.name ?? verification.path).escapedForDisplay
    if let shortage = verification.shortage { return "\(name) could not be asked: \(shortage)" }
    return verification.runs.flatMap { run in
      run.mismatches.map { "\(name), asked by \(run.pipeline.escapedForDisplay): \($0)" }
        + run.evidence.map { "  \($0.summary)" }
    }.joined(separator: "\n")
  }
}
