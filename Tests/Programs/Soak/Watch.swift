import Glibc
import ProbeBase
import LoopbackServer
import ProbeSystem

/// Reports the progress every ten seconds, and ends the program if a round hangs.
///
/// It has its own thread, which runs even when tasks do not.
final class Watch: Sendable {
  private struct State {
    var isOver = false
    var words = ""
    var start = ContinuousClock.now
    var end: ContinuousClock.Instant
  }

  private let tally: Tally
  private let patience: Duration
  private let state: Guarded<State>

  init(_ tally: Tally, patience: Duration) {
    self.tally = tally
    self.patience = patience
    state = Guarded(State(end: .now + patience))
  }

  /// Begins to watch.
  func start() throws {
    try WorkerThread(named: "soak-watch") { [self] in run() }.detach()
  }

  /// Begins a round, and starts to measure its time.
  func begin(_ words: String) {
    state.withLock { state in
      state.words = words
      state.end = .now + patience
    }
  }

  /// Ends watching.
  func stop() {
    state.withLock { $0.isOver = true }
  }

  private func run() {
    var next = ContinuousClock.now + .seconds(10)
    while true {
      usleep(100_000)
      let state = state.withLock(\.self)
      if state.isOver { return }
      if ContinuousClock.now > state.end {
        Report.line("soak: ERROR: hung in \(state.words): \(tally.counts)")
        for problem in tally.problems.first { Report.line("soak: ERROR: \(problem)") }
        _exit(1)
      }
      guard ContinuousClock.now > next else { continue }
      next += .seconds(10)
      let seconds = Int(state.start.duration(to: .now) / .seconds(1))
      let use = ProcessUse.now
      Report.line(
        "soak: \(seconds) s, \(use.descriptors) descriptors, \(use.threads) threads, "
          + "\(ProcessUse.residentBytes >> 20) MiB, \(tally.problems.count) errors; \(tally.counts)")
    }
  }
}
