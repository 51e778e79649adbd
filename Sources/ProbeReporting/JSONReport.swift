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

/// The report for programs: an object for a single run, an array for several.
struct JSONReporter: Reporter {
  var reportsProbes: Bool { false }

  func text(of runs: [ReportedRun]) throws -> String {
    let results = runs.map(\.result)
    if let only = results.first, results.count == 1 { return try JSONReport(only).text() }
    return try JSONReport(results).text()
  }
}

/// A JSON object a line, as things happen: one of type `probe` for each probe that has finished, one of type `run` for
/// each run.
///
/// A probe has the fields it has in ``JSONReport``, with its `pipeline` and `set`; a run has those of the report, its
/// sets without their probes. Probes come in the order they finish; those that never started do not come at all.
struct LinesReporter: Reporter {
  func text(of probe: ProbeResult, in set: String, of pipeline: String) throws -> String {
    try JSONText.line(ProbeLine(pipeline: pipeline, set: set, probe: probe))
  }

  func text(ofFinished run: ReportedRun) throws -> String {
    try JSONText.line(RunLine(run: run))
  }

  func text(of runs: [ReportedRun]) -> String { "" }
}

private struct ProbeLine: Encodable {
  private enum Key: CodingKey {
    case type, pipeline, set
  }

  let pipeline: String
  let set: String
  let probe: ProbeResult

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("probe", forKey: .type)
    try container.encode(pipeline, forKey: .pipeline)
    try container.encode(set, forKey: .set)
    try ProbeRecord(probe).encode(to: encoder)
  }
}

private struct RunLine: Encodable {
  private enum Key: CodingKey {
    case type, source, expected, mismatches
  }

  let run: ReportedRun

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("run", forKey: .type)
    if let mismatches = run.mismatches {
      try container.encode(run.source, forKey: .source)
      try container.encode(run.isExpected, forKey: .expected)
      try container.encode(mismatches, forKey: .mismatches)
    }
    try RunRecord(run.result, hasProbes: false).encode(to: encoder)
  }
}

/// The report for programs: JSON with fixed field names.
///
/// Every field is always there, null where nothing is known; times are seconds. A threshold is a text such as
/// `"75%"`, or a number when it is a count. The text holds no control, C1 or bidirectional characters other than
/// as JSON escapes, so that it can be shown on a terminal, and ends in a line end.
public struct JSONReport: Sendable {
  private let results: [RunResult]
  private let isList: Bool

  /// The report of one run: an object.
  public init(_ result: RunResult) {
    results = [result]
    isList = false
  }

  /// The report of several runs: an array of objects, however many there are.
  public init(_ results: [RunResult]) {
    self.results = results
    isList = true
  }

  /// The report as text.
  ///
  /// - Throws: What `JSONEncoder` throws; no result is known to make it.
  public func text() throws -> String {
    if let only = results.first, !isList { return try JSONText.line(RunRecord(only)) }
    return try JSONText.line(results.map { RunRecord($0) })
  }
}

/// Text of JSON that is safe to show.
package enum JSONText {
  /// A value on a line of its own, its keys in order.
  ///
  /// - Throws: What `JSONEncoder` throws.
  package static func line(_ record: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(jsonForDisplay: try encoder.encode(record)) + "\n"
  }
}
