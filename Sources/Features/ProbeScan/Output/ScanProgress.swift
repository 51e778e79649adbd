import ProbeCore
import ProbePipeline
import ProbeReporting
package import ProbeSystem

/// Displays the progress of a scan on a terminal.
package struct ScanProgress: Sendable {
  /// Standard error.
  let errors: OutputSink
  /// Measures the time since the start, and the interval of updates.
  let clock: any Clock<Duration>
  /// The number of columns of the terminal.
  let width: Int

  /// Creates a display.
  package init(errors: OutputSink, clock: any Clock<Duration>, width: Int) {
    self.errors = errors
    self.clock = clock
    self.width = width
  }

  /// Displays progress during a scan.
  static func show<Result>(
    _ progress: ScanProgress?, of output: ScanOutput, _ runner: ScanRunner, _ input: ScanInput,
    during body: () async -> Result
  ) async -> Result {
    guard let progress else { return await body() }
    let line = RunProgress(on: progress.errors, clock: progress.clock) { elapsed in
      // A longer line would wrap, and could not be overwritten.
      String(
        text(
          output.tally, inFlight: runner.inFlight, read: input.bytesRead, size: input.size, elapsed: elapsed
        ).prefix(progress.width - 1))
    }
    return await RunProgress.show(line, during: body)
  }

  /// The line, such as `120 000 done, 8 120/s, 256 in flight, 118 000 accepted, 2 000 failed, 3 min left`.
  static func text(_ tally: ScanTally, inFlight: Int, read: Int, size: Int?, elapsed: Duration) -> String {
    let seconds = max(elapsed.inSeconds, 0.001)
    var parts = [
      "\(tally.results) done", "\(Int(bounding: Double(tally.results) / seconds))/s", "\(inFlight) in flight",
    ]
    if tally.results > 0 { parts.append(tally.outcomesInWords) }
    if let size, read > 0, size > read {
      parts.append("\(Self.words(forSeconds: seconds * Double(size - read) / Double(read))) left")
    }
    return parts.joined(separator: ", ")
  }

  private static func words(forSeconds seconds: Double) -> String {
    switch seconds {
    case ..<90: "\(Int(bounding: seconds)) s"
    case ..<5400: "\(Int(bounding: seconds / 60)) min"
    default: "\(Int(bounding: seconds / 3600)) h"
    }
  }
}
