import ProbeCore
import ProbeLocking

/// The latest probes, and failed ones beyond them, for the pages about them.
final class ProbeHistory: Sendable {
  /// A probe with its number.
  struct Entry: Sendable {
    let id: Int
    let report: ProbeReport
  }

  private struct State: Sendable {
    var next = 0
    /// The probe with the number n is at n modulo the limit.
    var latest: [Entry] = []
    /// Failed probes that are no longer among the latest.
    var failed: [Entry] = []
  }

  private let limit: Int
  private let state = Guarded(State())

  /// An empty history.
  ///
  /// - Parameter limit: The maximum number of the latest probes, and of failed ones beyond them.
  init(limit: Int) {
    self.limit = limit
  }

  /// Adds a probe that has ended.
  func add(_ report: ProbeReport) {
    // What is forgotten is freed outside the lock.
    _ = state.withLock { state -> Entry? in
      var entry = Entry(id: state.next, report: report)
      state.next += 1
      guard limit > 0 else { return entry }
      guard state.latest.count == limit else {
        state.latest.append(entry)
        return nil
      }
      let place = entry.id % limit
      swap(&entry, &state.latest[place])
      guard entry.report.failure != nil else { return entry }
      state.failed.append(entry)
      return state.failed.count > limit ? state.failed.removeFirst() : nil
    }
  }

  /// All probes, the oldest first.
  var all: [Entry] {
    state.withLock { state in
      let oldest = state.latest.count < limit ? 0 : state.next % max(1, limit)
      return state.failed + state.latest[oldest...] + state.latest[..<oldest]
    }
  }

  /// The probe with a number; nil if there is none any more.
  func entry(_ id: Int) -> Entry? { all.first { $0.id == id } }

  /// The latest probe of a target, with a module if that is not nil.
  func entry(target: String, module: String?) -> Entry? {
    all.last { $0.report.target == target && (module == nil || $0.report.module.name == module) }
  }
}
