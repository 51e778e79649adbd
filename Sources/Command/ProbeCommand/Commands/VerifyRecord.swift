import FixtureReplay
import ProbeCore
import ProbePipeline
import ProbeReporting

extension VerifyReport {
  /// The report for programs: one line; the names are part of the format.
  ///
  /// A fixture that could not be replayed has no results; one that could not be read has no name and no
  /// expectation.
  ///
  /// - Parameter withEvidence: Whether to include the evidence of each result.
  /// - Returns: The line.
  /// - Throws: An error of `JSONEncoder`, which no finding is known to cause.
  func json(withEvidence: Bool = false) throws -> String {
    let record = VerifyRecord(
      total: verifications.count, passed: passed, failed: verifications.count - passed,
      fixtures: verifications.map { VerifyRecord.Fixture(verification: $0, includesEvidence: withEvidence) })
    return try JSONLine.text(record)
  }
}

/// The JSON form of the results.
private struct VerifyRecord: Encodable {
  let schema = 1
  let total: Int
  let passed: Int
  let failed: Int
  let fixtures: [Fixture]

  struct Fixture: Encodable {
    private enum Key: CodingKey {
      case path, name, expected, results
    }

    let verification: FixtureVerification
    let includesEvidence: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(verification.path, forKey: .path)
      try container.encode(verification.name, forKey: .name)
      try container.encode(verification.expectation.map(Expectation.init), forKey: .expected)
      try container.encode(
        verification.runs.map { Run(run: $0, includesEvidence: includesEvidence) }, forKey: .results)
    }
  }

  struct Expectation: Encodable {
    private enum Key: CodingKey {
      case verdict, loginURL
    }

    let expectation: FixtureExpectation

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      let verdicts = expectation.verdicts
      // As in the fixture: one, or a list.
      if let only = verdicts.first, verdicts.count == 1 {
        try container.encode(only, forKey: .verdict)
      } else {
        try container.encode(verdicts, forKey: .verdict)
      }
      try container.encode(expectation.loginURL, forKey: .loginURL)
    }
  }

  struct Run: Encodable {
    private enum Key: CodingKey {
      case profile, verdict, loginURL, pass, evidence
    }

    let run: VerifiedRun
    let includesEvidence: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(run.pipeline, forKey: .profile)
      try container.encode(run.verdict, forKey: .verdict)
      try container.encode(run.loginURL?.string, forKey: .loginURL)
      try container.encode(run.hasPassed, forKey: .pass)
      if includesEvidence { try container.encode(run.evidence.map(\.summary), forKey: .evidence) }
    }
  }
}
