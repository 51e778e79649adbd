import PortalAnalysis
import ProbeCore
import ProbePipeline

/// Surveys a network again whenever its verdict changes: before the login, after it, and when the session ends.
package struct PortalWatch: Sendable {
  private let survey: NetworkSurvey
  private let clock: any Clock<Duration>

  /// The time between two checks.
  package var interval = Duration.seconds(3)

  /// Whether the network may still change after this number of checks, the first survey included; nil if it always may.
  package var mayChange: (@Sendable (_ checks: Int) -> Bool)?

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - survey: The survey.
  ///   - clock: The clock for the time between two checks.
  package init(_ survey: NetworkSurvey, clock: any Clock<Duration> = ContinuousClock()) {
    self.survey = survey
    self.clock = clock
  }

  /// Watches until a session has ended, the network cannot change any more, or the task is cancelled.
  ///
  /// - Parameter stageBegan: Receives each stage as soon as it is known.
  /// - Returns: The report; nil if the task was cancelled before the first stage was complete.
  @concurrent
  package func run(_ stageBegan: @Sendable (PortalReport.Stage) -> Void) async -> PortalReport? {
    guard let first = await survey.survey() else { return nil }
    var report = PortalReport(first)
    var last = first
    if let stage = report.stages.last { stageBegan(stage) }
    var checks = 1
    while !Task.isCancelled, mayChange?(checks) ?? true {
      guard (try? await clock.sleep(for: interval)) != nil, let result = await survey.runProbeKitProfile()
      else { break }
      guard !Task.isCancelled else { break }
      checks += 1
      guard Self.isOther(result, than: last.probeKitRun), let facts = await survey.survey() else { continue }
      // The network may have changed back in the meantime.
      guard Self.isOther(facts.probeKitRun, than: last.probeKitRun) else { continue }
      last = facts
      report.add(facts)
      guard let stage = report.stages.last else { break }
      stageBegan(stage)
      if stage.kind == .sessionEnd { break }
    }
    return report
  }

  /// Whether a result begins a new stage: the network opens or closes, or names a login at another host.
  ///
  /// A change between kinds of obstacles, such as a moment without any response, is no stage.
  private static func isOther(_ result: RunResult, than last: RunResult) -> Bool {
    if (result.verdict == .online) != (last.verdict == .online) { return true }
    guard let host = result.loginURL?.host, let before = last.loginURL?.host else {
      return false
    }
    return host != before
  }
}
