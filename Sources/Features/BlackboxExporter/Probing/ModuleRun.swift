import ProbeBase
import ProbeCore
import ProbePatterns

/// A probe of a module in progress: its samples and its log.
struct ModuleRun: Sendable {
  /// The target as received from Prometheus.
  let target: String
  let deadline: ContinuousClock.Instant
  var samples = ProbeSamples()
  /// The metrics of a pipeline, in the text format.
  var furtherMetrics = ""
  /// The lines of the log up to its limit.
  private var lines: [String] = []
  private var logBytes = 0
  /// The number of further lines, which are left out.
  private var omittedLines = 0
  /// The lines about failures and the end, which are never left out.
  private var conclusions: [String] = []
  /// The reason for the failure; nil while the probe has not failed.
  private(set) var failure: ProbeFailure?
  /// Removes the secrets of the request from log lines about the response.
  var redactor: Redactor?

  /// A run that has not begun.
  init(target: String, deadline: ContinuousClock.Instant) {
    (self.target, self.deadline) = (target, deadline)
  }

  var remaining: Duration { max(.zero, ContinuousClock.now.duration(to: deadline)) }

  /// The maximum number of bytes of a log, besides its conclusions.
  static let maximumLogBytes = 64 << 10

  /// The lines of the log, for the page about the probe.
  var log: [String] {
    let omission = omittedLines == 0 ? [] : ["… \(omittedLines) further lines were left out"]
    return lines + omission + conclusions
  }

  /// Adds a line to the log, unless the log is full.
  mutating func note(_ line: @autoclosure () -> String) {
    guard omittedLines == 0 else {
      omittedLines += 1
      return
    }
    let line = redacted(line())
    logBytes += line.utf8.count + 1
    guard logBytes <= Self.maximumLogBytes else {
      omittedLines = 1
      return
    }
    lines.append(line)
  }

  /// Adds a line about a failure or the end to the log, even if the log is full.
  mutating func conclude(_ line: String) {
    if omittedLines == 0 { lines.append(redacted(line)) } else { conclusions.append(redacted(line)) }
  }

  private func redacted(_ line: String) -> String { redactor?.redacted(line) ?? line }

  /// Records a failure; only the first one is kept.
  mutating func fail(_ reason: ReasonCode, _ detail: String) {
    fail(ProbeFailure(reason, detail))
  }

  /// Records a failure; only the first one is kept.
  mutating func fail(_ failure: ProbeFailure) {
    // Without the partial response, which would fill the memory of the history.
    let detail = redactor?.redacted(failure.detail) ?? failure.detail
    let failure = ProbeFailure(failure.reason, detail)
    conclude("failed: \(failure)")
    if self.failure == nil { self.failure = failure }
  }
}

extension ModuleRun {
  /// The failure of a probe for an error, which is about the target unless it is a failure itself.
  func failure(for error: any Error) -> ProbeFailure {
    error as? ProbeFailure
      ?? ProbeFailure(.invalidRequest, "the target \(Excerpt(target.withoutCredentials)): \(error)")
  }
}

/// Searches of probes, which fail if a search exceeds its limit.
extension GoPattern {
  /// Whether the expression matches somewhere.
  ///
  /// - Throws: `ProbeFailure` with `match.limit`.
  func isFound(in bytes: [UInt8]) throws(ProbeFailure) -> Bool {
    do throws(GaveUp) { return try matches(bytes) } catch { throw gaveUp }
  }

  /// The first match; nil if there is none.
  ///
  /// - Throws: `ProbeFailure` with `match.limit`.
  func firstMatch(in bytes: [UInt8]) throws(ProbeFailure) -> Match? {
    do throws(GaveUp) { return try match(in: bytes) } catch { throw gaveUp }
  }

  private var gaveUp: ProbeFailure {
    ProbeFailure(.matchLimit, "the search for \(Excerpt(text)) exceeded its limit")
  }
}
