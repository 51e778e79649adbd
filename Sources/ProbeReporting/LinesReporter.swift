import FoundationEssentials
import ProbePipeline

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
