import FoundationEssentials
import ProbeCore
public import ProbePipeline

extension ReportFormat {
  static let json = ReportFormat("json", "for a program, once everything has finished") { _ in
    JSONReporter()
  }
  static let ndjson = ReportFormat("ndjson", "for a program, a line for each probe as it finishes") { _ in
    LinesReporter()
  }
}

/// The report for programs: a JSON object for a single run, an array for several.
struct JSONReporter: Reporter {
  var reportsProbes: Bool { false }

  func text(of runs: [ReportedRun]) throws -> String {
    let results = runs.map(\.result)
    if let only = results.first, results.count == 1 { return try JSONReport(only).text() }
    return try JSONReport(results).text()
  }
}

/// JSON objects, one per line: one of type `probe` for each finished probe, and one of type `run` for each
/// run.
///
/// The object for a probe has the fields of ``JSONReport``, and its `pipeline` and `set`. The object for a
/// run has the fields of the report, with sets that do not contain their probes. Probes are in the order in
/// which they finish; probes that never started are left out.
struct LinesReporter: Reporter {
  func text(of probe: ProbeResult, in set: String, of pipeline: String) throws -> String {
    try JSONLine.text(ProbeLine(pipeline: pipeline, set: set, probe: probe))
  }

  func text(ofFinished run: ReportedRun) throws -> String {
    try JSONLine.text(RunLine(run: run))
  }

  func text(of runs: [ReportedRun]) -> String { "" }
}

private struct ProbeLine: FieldRecord {
  let pipeline: String
  let set: String
  let probe: ProbeResult

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("type", "probe")
    try sink.field("pipeline", pipeline)
    try sink.field("set", set)
    try ProbeRecord(probe).write(to: &sink)
  }
}

private struct RunLine: FieldRecord {
  let run: ReportedRun

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("type", "run")
    if let mismatches = run.mismatches {
      try sink.field("source", run.source)
      try sink.field("expected", run.isExpected)
      try sink.field("mismatches", mismatches)
    }
    try RunRecord(result: run.result, hasProbes: false).write(to: &sink)
  }
}

/// The report for programs: JSON with fixed field names.
///
/// Every field is always present, and null if its value is not known; times are in seconds. A threshold is
/// text such as `"75%"`, or a number if it is a count. The text contains no control, C1 or bidirectional
/// characters except as JSON escapes, so it can be shown on a terminal. It ends with a line break.
public struct JSONReport: Sendable {
  private let results: [RunResult]
  private let isList: Bool

  /// Creates a report of one run: an object.
  public init(_ result: RunResult) {
    results = [result]
    isList = false
  }

  /// Creates a report of several runs: an array of objects, whatever their number.
  public init(_ results: [RunResult]) {
    self.results = results
    isList = true
  }

  /// The report as text.
  ///
  /// - Throws: An error of `JSONEncoder`; no result is known to cause one.
  public func text() throws -> String {
    if let only = results.first, !isList { return try JSONLine.text(RunRecord(result: only)) }
    return try JSONLine.text(results.map { RunRecord(result: $0) })
  }
}
