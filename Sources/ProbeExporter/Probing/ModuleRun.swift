import ProbeCore

/// A probe of a module while it runs: what it has measured, and what it has to say.
struct ModuleRun: Sendable {
  /// The target as Prometheus wrote it.
  let target: String
  /// When the probe must have ended.
  let deadline: ContinuousClock.Instant
  var samples = ProbeSamples()
  /// Metrics of a pipeline, in the text format.
  var furtherMetrics = ""
  /// What happened, a line each, for the page of the probe's log.
  private(set) var log: [String] = []
  /// Why the probe failed; nil as long as it has not.
  private(set) var failure: ProbeFailure?
  /// Removes the secrets of the request from what the log says about the response.
  var redactor: Redactor?

  /// A run that has not begun.
  init(target: String, deadline: ContinuousClock.Instant) {
    (self.target, self.deadline) = (target, deadline)
  }

  /// The time that is left.
  var remaining: Duration { max(.zero, ContinuousClock.now.duration(to: deadline)) }

  /// Adds a line to the log.
  mutating func note(_ line: String) {
    log.append(redactor?.text(line) ?? line)
  }

  /// The probe has failed; the first reason counts.
  mutating func fail(_ reason: ReasonCode, _ detail: String) {
    fail(ProbeFailure(reason, detail))
  }

  /// The probe has failed; the first reason counts.
  mutating func fail(_ failure: ProbeFailure) {
    // Without what was received, which would fill the memory of the history.
    let detail = redactor?.text(failure.detail) ?? failure.detail
    let failure = ProbeFailure(failure.reason, detail)
    note("failed: \(failure)")
    if self.failure == nil { self.failure = failure }
  }
}
