import EngineProfiles
import FixtureReplay
import ProbePipeline
import ProbeReporting
import SourceDocuments

/// What `probekit verify` prints: a report of each fixture, or the matrix when it asked by profiles.
struct VerifyAnswer {
  private let report: VerifyReport
  private let matrix: VerdictMatrix?
  private let matrixText: MatrixText?

  /// The answer to a command line.
  ///
  /// - Parameters:
  ///   - verifications: What came of each fixture, in the order they are told.
  ///   - options: The command line.
  ///   - duration: How long it all took.
  ///   - style: How the text for a person is written.
  ///   - width: How wide the text of a matrix may be.
  init(
    _ verifications: [FixtureVerification], _ options: VerifyCommand.Options, duration: Duration,
    style: TextStyle, width: Int
  ) {
    report = VerifyReport(
      verifications, duration: duration, showsAllEvidence: options.isVerbose, style: style)
    matrix =
      options.wantsMatrix
      ? VerdictMatrix(verifications, profiles: options.profiles.map(\.name)) : nil
    matrixText = matrix.map {
      MatrixText($0, duration: duration, showsEvidence: options.isVerbose, style: style, width: width)
    }
  }

  /// The answer for a person.
  var text: String { matrixText?.text ?? report.text }

  /// The answer in a form of output.
  ///
  /// - Parameter format: The form; those of matrices give nothing where there is none.
  /// - Returns: The text.
  /// - Throws: What `JSONEncoder` throws; nothing that can be found is known to make it.
  func text(as format: OutputFormat) throws -> String {
    switch format {
    case .json: try report.json(withEvidence: matrix != nil)
    case .html: matrix.map { MatrixPage($0).text } ?? ""
    case .markdown: matrix.map { MatrixMarkdown($0).text } ?? ""
    case .text: text
    default: try ReportFormat.named(format.description)?.reporter().text(ofAll: report.runs) ?? ""
    }
  }
}

extension VerifyReport {
  /// Each run, held against what its fixture expects; a fixture that was not replayed has one that failed.
  fileprivate var runs: [ReportedRun] {
    verifications.flatMap { verification in
      let path = verification.path
      let problems = verification.findings.map(\.description) + [verification.shortage].compactMap(\.self)
      guard problems.isEmpty else {
        let nothing = RunResult(
          pipeline: verification.name ?? path, verdict: .inconclusive, portal: nil, evidence: [], sets: [],
          duration: .zero)
        return [ReportedRun(source: path, nothing, mismatches: problems)]
      }
      return verification.runs.map { run in
        ReportedRun(source: path, run.result, mismatches: run.mismatches.map(\.description))
      }
    }
  }
}
