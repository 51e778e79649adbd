import ProbeCore

/// A probe of a module in progress: its samples and its log.
struct ModuleRun: Sendable {
  /// The target as received from Prometheus.
  let target: String
  /// The deadline of the probe.
  let deadline: ContinuousClock.Instant
  var samples = ProbeSamples()
  /// The metrics of a pipeline, in the text format.
  var furtherMetrics = ""
  /// The lines of the log, for the page about the probe.
  private(set) var log: [String] = []
  /// The reason for the failure; nil while the probe has not failed.
  private(set) var failure: ProbeFailure?
  /// Removes the secrets of the request from log lines about the response.
  var redactor: Redactor?

  /// A run that has not begun.
  init(target: String, deadline: ContinuousClock.Instant) {
    (self.target, self.deadline) = (target, deadline)
  }

  /// The remaining time.
  var remaining: Duration { max(.zero, ContinuousClock.now.duration(to: deadline)) }

  /// Adds a line to the log.
  mutating func note(_ line: String) {
    log.append(redactor?.text(line) ?? line)
  }

  /// Records a failure; only the first one is kept.
  mutating func fail(_ reason: ReasonCode, _ detail: String) {
    fail(ProbeFailure(reason, detail))
  }

  /// Records a failure; only the first one is kept.
  mutating func fail(_ failure: ProbeFailure) {
    // Without the partial response, which would fill the memory of the history.
    let detail = redactor?.text(failure.detail) ?? failure.detail
    let failure = ProbeFailure(failure.reason, detail)
    note("failed: \(failure)")
    if self.failure == nil { self.failure = failure }
  }
}
