import ProbeCore
import ProbePipeline
import ProbeReporting
import SourceDocuments
import ProbeBase

/// The findings of lint.
struct LintReport {
  /// The number of examined files, not counting those that a fixture names.
  private(set) var files = 0
  /// The findings, grouped by file.
  var findings: [SourceFinding] = []
  /// The variables of the examined pipelines.
  var variables: [String] = []

  /// Adds the findings in one file.
  mutating func add(_ findings: [SourceFinding]) {
    files += 1
    self.findings += findings
  }

  /// Adds the findings in a pipeline, or the reason why it cannot be read.
  mutating func add(_ loaded: Result<LoadedPipeline, InvalidInput>, path: String) {
    do throws(InvalidInput) {
      let loaded = try loaded.get()
      variables += loaded.variables
      add(loaded.findings())
    } catch {
      add([SourceFinding(path: path, error)])
    }
  }

  /// The report for people: each finding with its line and a caret, and a summary at the end.
  var text: String {
    findings.map { "\($0)\n" }.joined() + summary + "\n"
  }

  private var summary: String {
    let examined = "\(files.counted("file")) checked"
    guard !findings.isEmpty else { return "\(examined): nothing is wrong" }
    let warnings = findings.count { $0.severity == .warning }
    let ofThem = warnings == 0 ? "" : ", \(warnings.counted("warning"))"
    return "\(examined): \(findings.count.counted("finding"))\(ofThem) in "
      + Set(findings.map(\.path)).count.counted("file")
  }

  /// Whether the report fails.
  ///
  /// - Parameter isStrict: Whether warnings count as errors.
  /// - Returns: Whether there is an error.
  func isWrong(strict isStrict: Bool) -> Bool {
    findings.contains { isStrict || $0.severity == .error }
  }

  /// The report for programs: one line.
  ///
  /// - Throws: An error of `JSONEncoder`, which no finding is known to cause.
  func json() throws -> String {
    try JSONLine.text(Record(schema: 1, files: files, findings: findings.map(FindingRecord.init)))
  }

  private struct Record: Encodable {
    let schema: Int
    let files: Int
    let findings: [FindingRecord]
  }
}
