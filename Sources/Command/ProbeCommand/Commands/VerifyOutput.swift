import CommandKit
import EngineProfiles
import FixtureReplay
import ProbeBase
import ProbePipeline
import ProbeReporting
import ProbeSystem
import ProfileMatrix
import SourceDocuments

/// The output of `probekit verify`: a report on each fixture, or the matrix if profiles were named.
struct VerifyOutput {
  private let report: VerifyReport
  private let matrix: VerdictMatrix?
  private let matrixText: MatrixText?

  /// Creates the output for a command line.
  ///
  /// - Parameters:
  ///   - verifications: The results, in the order in which they are reported.
  ///   - options: The command line.
  ///   - duration: The total time.
  ///   - style: The style of the text for people.
  ///   - width: The maximum width of the text of a matrix.
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

  /// The output for people.
  var text: String { matrixText?.text ?? report.text }

  /// The output in an output format.
  ///
  /// - Parameters:
  ///   - format: The format; a matrix format has no text if there is no matrix.
  ///   - program: The program, for pages that name their generator.
  /// - Returns: The text.
  /// - Throws: An error of `JSONEncoder`, which no finding is known to cause.
  func text(as format: OutputFormat, by program: ToolName) throws -> String {
    switch format {
    case .json: try report.json(withEvidence: matrix != nil)
    case .html: matrix.map { MatrixPage($0).text } ?? ""
    case .markdown: matrix.map { MatrixMarkdown($0, by: program.name).text } ?? ""
    case .text: text
    default: try ReportFormat.named(format.description)?.reporter().text(ofAll: report.runs) ?? ""
    }
  }
}

extension VerifyReport {
  /// Each run compared with its fixture's expectation; a fixture that was not replayed has one failed run.
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

extension OutputFormat {
  static let html = OutputFormat("html")
  static let markdown = OutputFormat("markdown")
  /// The formats that only a matrix has.
  static let ofMatrices = [html, markdown]
}

extension MatrixText {
  /// The width of a matrix: the value of `COLUMNS`, or the width of the terminal.
  ///
  /// - Parameters:
  ///   - context: The context of the output.
  ///   - isFile: Whether it is written to a file instead.
  /// - Returns: The maximum number of characters in a line.
  static func width(in context: CommandContext, isFile: Bool) -> Int {
    if isFile { return usualWidth }
    if let columns = context.environment["COLUMNS"].flatMap({ Int(text: $0) }), columns > 0 { return columns }
    return context.output.isTerminal ? TerminalSize.ofOutput.columns : usualWidth
  }
}
