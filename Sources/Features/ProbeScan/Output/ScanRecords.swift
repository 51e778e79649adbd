package import ProbeCore
package import ProbePipeline
import ProbeReporting

/// The lines that a scan writes: one for each probe, and a last one; the names are part of the format.
package enum ScanRecords {
  /// The line of a result, with a line break.
  ///
  /// - Parameters:
  ///   - line: The line of the input.
  ///   - set: The set of the pipeline that it was probed with.
  ///   - result: The result of its probe.
  /// - Returns: JSON in UTF-8.
  package static func line(of line: ScanLine, in set: String, _ result: ProbeResult) -> [UInt8] {
    FieldText.line(ScanProbeRecord(line: line, set: set, probe: ProbeRecord(result)))
  }

  /// The last line, with a line break.
  package static func line(of end: ScanEnd) -> [UInt8] { FieldText.line(ScanEndRecord(end: end)) }
}

/// The end of a scan, or of a part of it.
package struct ScanEnd: Sendable {
  /// The number of lines that were read, including empty ones and comments.
  package var lines = 0
  /// The number of results by outcome.
  package var outcomes: [Outcome: Int] = [:]
  package var duration = Duration.zero
  /// The SHA-256 of the input, in hexadecimal digits.
  package var digest = ""
  /// The number of the part, from 1; nil if the scan is not divided.
  package var part: Int?
  /// The share of the input that was scanned, such as `1/4`; nil for all of it.
  package var shard: String?

  /// Creates an end without lines.
  package init() {}

  /// The number of results.
  package var results: Int { outcomes.values.reduce(0, +) }
}

private struct ScanProbeRecord: FieldRecord {
  let line: ScanLine
  let set: String
  let probe: ProbeRecord

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("schema", 1)
    try sink.field("type", "probe")
    switch line.id {
    case nil: try sink.field("id", nil as String?)
    case .text(let text)?: try sink.field("id", text)
    case .number(let number)?: try sink.field("id", number)
    }
    try sink.field("line", line.number)
    try sink.field("set", set)
    try probe.write(to: &sink)
  }
}

private struct ScanEndRecord: FieldRecord {
  let end: ScanEnd

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("schema", 1)
    try sink.field("type", "end")
    try sink.field("lines", end.lines)
    try sink.field("results", end.results)
    for outcome in [Outcome.accepted, .failed, .intercepted, .skipped] {
      try sink.field(Self.name(of: outcome), end.outcomes[outcome] ?? 0)
    }
    try sink.field("seconds", end.duration.inSeconds)
    try sink.field("digest", end.digest)
    if let part = end.part { try sink.field("part", part) }
    if let shard = end.shard { try sink.field("shard", shard) }
  }

  private static func name(of outcome: Outcome) -> StaticString {
    switch outcome {
    case .accepted: "accepted"
    case .failed: "failed"
    case .intercepted: "intercepted"
    case .skipped: "skipped"
    }
  }
}
