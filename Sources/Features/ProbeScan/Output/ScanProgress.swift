internal import ProbeReporting
package import ProbeCore
package import ProbePipeline
package import ProbeSystem

/// Displays the progress of a scan on a terminal.
package struct ScanProgress: Sendable {
  /// Standard error.
  let errors: OutputSink
  /// Measures the time since the start, and the interval of updates.
  let clock: any Clock<Duration>
  /// The number of columns of the terminal.
  let width: Int

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
    if tally.results > 0 { parts.append(tally.outcomesDescription) }
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

/// The results of a scan so far, in bounded memory.
package struct ScanTally: Sendable {
  /// The number of hosts that are named as slow.
  private static let maximumHosts = 5

  /// The number of results by outcome.
  package private(set) var outcomes: [Outcome: Int] = [:]
  /// The number of results by reason code.
  private var reasons: [ReasonCode: Int] = [:]
  /// The hosts with the longest probes, the slowest first.
  private var slowest: [(host: String, time: Duration)] = []

  /// Creates a tally without results.
  package init() {}

  /// The number of results.
  package var results: Int { outcomes.values.reduce(0, +) }

  /// Counts a result.
  package mutating func add(_ result: ProbeResult, of line: ScanLine) {
    outcomes[result.outcome, default: 0] += 1
    if let reason = result.reason { reasons[reason, default: 0] += 1 }
    guard let time = result.response?.timings.total, time > slowest.last?.time ?? .zero || !isFull,
      case .success(let url) = line.target
    else { return }
    if let known = slowest.firstIndex(where: { $0.host == url.host }) {
      guard slowest[known].time < time else { return }
      slowest.remove(at: known)
    }
    slowest.insert((url.host, time), at: slowest.firstIndex { $0.time < time } ?? slowest.count)
    if slowest.count > Self.maximumHosts { slowest.removeLast() }
  }

  private var isFull: Bool { slowest.count == Self.maximumHosts }

  /// The outcomes for a person: `9812 accepted, 188 failed`.
  package var outcomesDescription: String { Self.words(for: outcomes) }

  /// Numbers of results by outcome for a person.
  package static func words(for outcomes: [Outcome: Int]) -> String {
    let parts = [Outcome.accepted, .intercepted, .failed, .skipped].compactMap { outcome in
      outcomes[outcome].flatMap { $0 > 0 ? "\($0) \(outcome.rawValue)" : nil }
    }
    return parts.isEmpty ? "no results" : parts.joined(separator: ", ")
  }

  /// The summary for a person, a line each: the number of results by reason code, the most frequent first, and
  /// the slowest hosts.
  ///
  /// - Parameter remedies: What to do about a reason.
  /// - Returns: The lines.
  package func summary(remedies: [ReasonCode: String] = [:]) -> [String] {
    let width = reasons.values.max().map { "\($0)".count } ?? 0
    let counts = reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map {
      reason, count in
      "  " + String(repeating: " ", count: width - "\(count)".count) + "\(count) \(reason.rawValue)"
        + (remedies[reason].map { ": \($0)" } ?? "")
    }
    let hosts = slowest.map { "\($0.host.escapedForDisplay) \($0.time.forPerson)" }.joined(separator: ", ")
    return counts + (hosts.isEmpty ? [] : ["slowest hosts: \(hosts)"])
  }
}
