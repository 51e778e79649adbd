/// A difference between two reports.
package struct ReportChange: Hashable, Sendable {
  /// The kind of the change.
  enum Subject: String, Sendable {
    case pipeline, verdict, loginURL, set, met, probe, outcome, reason, certificate, issuer, time
  }

  /// Whether the change is for the worse.
  package enum Effect: String, Sendable, CaseIterable {
    case worse, better, neutral
  }

  /// The pipeline.
  var pipeline: String
  /// The set, or nil for a change of the pipeline.
  var set: String?
  /// The URL or the name of the probe, or nil for a change of a set or a pipeline.
  var probe: String?
  /// The kind of the change.
  var subject: Subject
  /// The value in the first report, or nil if there is none.
  var before: String?
  /// The value in the second report, or nil if there is none.
  var after: String?
  /// Whether the change is for the worse.
  var effect = Effect.neutral
}
