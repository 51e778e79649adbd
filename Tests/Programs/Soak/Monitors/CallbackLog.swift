import ConnectivityMonitor
import ProbeBase

/// Records the callbacks of a monitor: each change of the status, one at a time and in order.
final class CallbackLog: Sendable {
  private let last: Guarded<(mark: Int, status: ConnectivityStatus)?> = Guarded(nil)

  /// Records a change, and reports the errors in it.
  func note(_ state: ConnectivityState, _ tally: Tally) {
    tally.add(1, .reported)
    let mark = state.path?.mark ?? -1
    let before = last.withLock { last in
      defer { last = (mark, state.status) }
      return last
    }
    guard let before else { return }
    if mark < before.mark {
      tally.problem("a change of the period \(mark) was reported after one of the period \(before.mark)")
    }
    if mark == before.mark, state.status == before.status {
      tally.problem("\(state.status) was reported twice in a row")
    }
  }
}
