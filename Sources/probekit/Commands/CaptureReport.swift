import FixtureCapture
import FixtureReplay
import ProbeCore
import ProbePipeline
import ProbeReporting

/// The report on a capture: its folder, findings and replacements, and whether the replay matches.
struct CaptureReport {
  /// The fixture.
  let fixture: CapturedFixture
  /// Its folder.
  let path: String
  /// The files.
  let files: [CapturedFixture.File]
  /// The result of its replay.
  let replayed: VerifiedRun
  /// The result of the run, or nil if nothing was probed.
  let result: RunResult?
  /// The replaced values.
  let replacements: [CaptureRedaction.Replacement]
  /// The pipeline file it was captured with, if that must be named again.
  let pipeline: String?

  /// Whether its replay has the verdict and the login URL of the capture.
  var isTrue: Bool { replayed.mismatches.isEmpty }

  /// The report for people.
  var text: String {
    var lines = ["captured \(path.escapedForDisplay): \(files.count) files"]
    if let finding = fixture.finding {
      lines.append("  verdict: \(finding.verdict.rawValue)")
      if let url = finding.loginURL { lines.append("  login URL: \(url)") }
    }
    for replacement in replacements {
      lines.append(
        "  redacted: \(replacement.kind.rawValue) in \(replacement.place), now \(replacement.standIn)"
          .escapedForDisplay)
    }
    for loss in fixture.losses { lines.append("  lost: \(loss)".escapedForDisplay) }
    for remark in fixture.remarks { lines.append("  note: \(remark)".escapedForDisplay) }
    if isTrue {
      lines.append("  replayed: the same verdict")
    } else {
      for mismatch in replayed.mismatches { lines.append("  replayed: \(mismatch)".escapedForDisplay) }
    }
    let option = pipeline.map { " --pipeline \($0)" } ?? ""
    lines.append("  verify it with: probekit verify\(option) \(path)".escapedForDisplay)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report in an output format; the formats of runs report the captured run.
  ///
  /// - Parameter format: The format.
  /// - Returns: The text.
  /// - Throws: An error of the format, which no capture is known to cause.
  func text(as format: OutputFormat) throws -> String {
    switch format {
    case .text: return text
    case .json: return try JSONText.line(Record(self))
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
