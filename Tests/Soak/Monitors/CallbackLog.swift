import ConnectivityMonitor
import ProbeLocking

/// Records the callbacks of a monitor: each change of the status, one at a time and in order.
final class CallbackLog: Sendable {
  private let last: Guarded<(mark: Int, status: ConnectivityStatus)?> = Guarded(nil)

  /// Records a change, and the errors in it.
  func note(_ state: ConnectivityState, _ tally: Tally) {
    tally.add(1, .told)
    let mark = state.path?.mark ?? -1
    let before = last.withLock { last in
      defer { last = (mark, state.status) }
      return last
    }
    guard let before else { return }
    if mark < before.mark {
      tally.problem("a change of the time \(mark) was called back after one of the time \(before.mark)")
    }
    if mark == before.mark, state.status == before.status {
      tally.problem("\(state.status) was called back twice in a row")
    }
  }
}
