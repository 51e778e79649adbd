import FuzzSupport
@testable public import PortalSurvey
@testable import ProbeCommand
import ProbeCore
@testable import ProbeJSON
@testable public import ProbePipeline
@testable import ProbeReporting
@testable import ProbeScan
@testable import ProbeBase

/// Writes a result in every format, and checks that each is safe to print and that JSON is JSON.
///
/// - Parameters:
///   - result: The result.
///   - probes: The results of probes with their bodies.
public func checkReports(_ result: RunResult, _ probes: [ProbeResult]) {
  let run = ReportedRun(source: "fuzzed.yaml", result)
  for format in ReportFormat.all {
    let reporter = format.reporter()
    let text = written {
      try result.sets.map { set in
        try set.probes.map { try reporter.text(of: $0, in: set.name, of: result.pipeline) }.joined()
      }.joined() + reporter.text(ofAll: format.name == "text" ? [run, run] : [run])
    }
    checkLines(text)
    if format.name == "json" { checkJSON(text) }
    if format.name == "ndjson" { text.split(separator: "\n").forEach { checkJSON(String($0)) } }
  }
  let ascii = ReportFormat.Style(usesASCII: true)
  let text = written { try ReportFormat.text.reporter(ascii).text(of: [run]) }
  precondition(text.utf8.allSatisfy { $0 < 0x80 }, "not ASCII: \(text)")
  let report = VerboseReport(of: result.question)
  for (number, probe) in probes.enumerated() {
    checkLines(report.text(of: probe))
    let line = ScanLine(number: number, url: probe.url, target: .success(probedURL))
    checkJSON(String(decoding: ScanRecords.line(of: line, in: "fuzzed", probe), as: UTF8.self))
  }
}

/// Writes a report on a portal as text, as JSON and in one of the other formats, which the number of bytes chooses
/// because they take most of the time, and checks that each is safe to print.
public func checkReports(_ report: PortalReport, of count: Int) {
  checkLines(PortalText(report, style: TextStyle(usesColor: false), width: 80).text)
  for stage in report.stages { checkSafeToPrint(PortalText.line(for: stage)) }
  checkJSON(written { try JSONLine.text(PortalReportRecord(report)) })
  switch count % 3 {
  case 0: checkLines(PortalPage(report).text)
  case 1: checkLines(PortalMarkdown(report).text)
  default: checkLines(PortalJUnit(report).text)
  }
}

private func written(_ body: () throws -> String) -> String {
  do { return try body() } catch { preconditionFailure("a report cannot be written: \(error)") }
}

/// Checks that each line of a text is safe to print; DNS records have tabs between their fields.
public func checkLines(_ text: String) {
  var lines = text
  // Almost all of it is printable ASCII, which needs no closer look.
  let isPlain = lines.withUTF8 { bytes in
    for index in bytes.indices {
      let byte = unsafe bytes[index]
      if byte < 0x20 && byte != 0x0A && byte != 0x09 || byte > 0x7E { return false }
    }
    return true
  }
  guard !isPlain else { return }
  for part in lines.utf8.split(whereSeparator: { $0 == 0x09 || $0 == 0x0A }) {
    checkSafeToPrint(String(part) ?? "\u{7F}")
  }
}

private func checkJSON(_ text: String) {
  do { _ = try JSONParser(maximumLength: 16 << 20).value(of: Array(text.utf8)) } catch {
    preconditionFailure("not JSON: \(error): \(text)")
  }
}
