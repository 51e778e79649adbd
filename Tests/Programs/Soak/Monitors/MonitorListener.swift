import ConnectivityMonitor
import ProbeCore
import ProbePipeline

/// Listens to a monitor for some time, and reports invalid states.
enum MonitorListener {
  /// Listens to the states.
  ///
  /// - Parameters:
  ///   - changes: The sequence of states.
  ///   - mark: The expected mark of the path in every state that has one.
  ///   - isFirst: Whether the listener starts the monitor, so that the first state must be undetermined.
  ///   - count: The number of states after which the listener stops; nil for no limit.
  ///   - tally: Receives the problems.
  static func hear(
    _ changes: ConnectivityChanges<ConnectivityState>.Iterator, mark: Int, isFirst: Bool, upTo count: Int?,
    _ tally: Tally
  ) async {
    var changes = changes
    var heard = 0
    while count.map({ heard < $0 }) ?? true, let state = await changes.next() {
      heard += 1
      tally.add(1, .reported)
      if heard == 1, isFirst, state.status != .determining {
        tally.problem("the first state is \(state.status)")
      }
      if heard > 1, state.status == .determining, state.path == nil {
        tally.problem("after \(heard - 1) states, the status is undetermined")
      }
      judge(state, mark, tally)
    }
  }

  /// Listens to the checks; see ``hear(_:mark:isFirst:upTo:_:)``.
  static func hear(
    _ checks: ConnectivityChanges<ConnectivityCheck>.Iterator, mark: Int, upTo count: Int?, _ tally: Tally
  ) async {
    var checks = checks
    var heard = 0
    while count.map({ heard < $0 }) ?? true, let check = await checks.next() {
      heard += 1
      tally.add(1, .checks)
      judge(check.state, mark, tally)
      let probes = check.result.sets.flatMap(\.probes)
      if probes.isEmpty || probes.contains(where: { $0.reason == .cancelled }) {
        tally.problem("a cancelled check was reported")
      }
    }
  }

  private static func judge(_ state: ConnectivityState, _ mark: Int, _ tally: Tally) {
    if let found = state.path?.mark, found != mark {
      tally.problem("a state of the period \(found) was reported in the period \(mark)")
    }
    // The parts of a state must be consistent.
    if state.isConnected != (state.verdict == .online) {
      tally.problem("\(state.status) with the verdict \(state.verdict.map(\.rawValue) ?? "none")")
    }
  }
}
