import FixtureCapture
import FixtureReplay
import ProbeCore
import ProbePipeline
import ProbeReporting
import CommandKit

/// The report on a capture: its folder, findings and replacements, and whether the replay matches.
struct CaptureReport {
  let fixture: CapturedFixture
  /// The folder of the fixture.
  let path: String
  let files: [CapturedFixture.File]
  /// The result of its replay.
  let replayed: VerifiedRun
  /// The result of the run, or nil if nothing was probed.
  let result: RunResult?
  /// The replaced values.
  let replacements: [CaptureRedaction.Replacement]
  /// The pipeline file of the capture, if it must be given again for a replay.
  let pipeline: String?
  /// The program that creates the report.
  let program: ToolName

  /// Whether the replay has the same verdict and login URL as the capture.
  var isTrue: Bool { replayed.mismatches.isEmpty }

  /// The report for people.
  func text(_ style: TextStyle) -> String {
    var lines = ["captured \(style.shown(path)): \(files.count) files"]
    if let finding = fixture.finding {
      lines.append("  verdict: \(finding.verdict.rawValue)")
      if let url = finding.loginURL { lines.append("  login URL: \(url)") }
    }
    for replacement in replacements {
      lines.append(
        style.shown(
          "  redacted: \(replacement.kind.rawValue) in \(replacement.location), now \(replacement.placeholder)"
        ))
    }
    for loss in fixture.losses { lines.append(style.shown("  lost: \(loss)")) }
    for remark in fixture.remarks { lines.append(style.shown("  note: \(remark)")) }
    if isTrue {
      lines.append("  replayed: the same verdict")
    } else {
      for mismatch in replayed.mismatches { lines.append(style.shown("  replayed: \(mismatch)")) }
    }
    let option = pipeline.map { " --pipeline \($0)" } ?? ""
    lines.append(style.shown("  verify it with: \(program.name) verify\(option) \(path)"))
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report in an output format; the formats of runs report the captured run.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - style: The style of the text for people.
  /// - Returns: The text.
  /// - Throws: An error of the format, which no capture is known to cause.
  func text(as format: OutputFormat, _ style: TextStyle) throws -> String {
    switch format {
    case .text: return text(style)
    case .json: return try JSONLine.text(Record(self))
    default:
      let run = ReportedRun(
        source: path, result ?? replayed.result, mismatches: replayed.mismatches.map(\.description))
      return try ReportFormat.named(format.description)?.reporter().text(ofAll: [run]) ?? ""
    }
  }
}

extension CaptureReport {
  /// The report in JSON; the names are part of the format.
  private struct Record: Encodable {
    let schema = 1
    let path: String
    let name: String
    let verdict: String?
    let loginURL: String?
    let files: [String]
    let redacted: [CaptureRedaction.Replacement]
    let losses: [String]
    let remarks: [String]
    let replays: Bool

    init(_ report: CaptureReport) {
      path = report.path
      name = report.fixture.name
      verdict = report.fixture.finding?.verdict.rawValue
      loginURL = report.fixture.finding?.loginURL?.string
      files = report.files.map(\.name)
      redacted = report.replacements
      losses = report.fixture.losses
      remarks = report.fixture.remarks
      replays = report.isTrue
    }
  }
}
