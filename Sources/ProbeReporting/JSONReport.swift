import FoundationEssentials
import ProbeCore
public import ProbePipeline

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
