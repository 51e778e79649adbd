import ConnectivityMonitor
import ProbeCore
import ProbePipeline

/// One who listens to a monitor for a while, and notes what should not be said.
enum MonitorListener {
  /// Listens to the states.
  ///
  /// - Parameters:
  ///   - changes: What it hears.
  ///   - mark: Where the paths of all states must come from that know of one.
  ///   - isFirst: Whether it has started the monitor, and so must hear first that nothing is known.
  ///   - count: After how many states it leaves; nil for when there are no more.
  ///   - tally: Told what should not have been said.
  static func hear(
    _ changes: ConnectivityChanges<ConnectivityState>.Iterator, mark: Int, isFirst: Bool, upTo count: Int?,
    _ tally: Tally
  ) async {
    var changes = changes
    var heard = 0
    while count.map({ heard < $0 }) ?? true, let state = await changes.next() {
      heard += 1
      tally.add(1, .told)
      if heard == 1, isFirst, state.status != .determining {
        tally.problem("the first state is \(state.status)")
      }
      if heard > 1, state.status == .determining, state.path == nil {
        tally.problem("after \(heard - 1) states nothing is known")
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
        tally.problem("a check that was cancelled was told")
      }
    }
  }

  private static func judge(_ state: ConnectivityState, _ mark: Int, _ tally: Tally) {
    if let found = state.path?.mark, found != mark {
      tally.problem("a state of the time \(found) was told in the time \(mark)")
    }
    // What is known is of one piece.
    if state.isConnected != (state.verdict == .online) {
      tally.problem("\(state.status) with the verdict \(state.verdict.map(\.rawValue) ?? "none")")
    }
  }
}
