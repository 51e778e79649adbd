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
      state.latest.append(Entry(id: state.next, report: report))
      state.next += 1
      guard state.latest.count > limit else { return nil }
      let oldest = state.latest.removeFirst()
      guard oldest.report.failure != nil, limit > 0 else { return oldest }
      state.failed.append(oldest)
      return state.failed.count > limit ? state.failed.removeFirst() : nil
    }
  }

  /// All probes, the oldest first.
  var all: [Entry] { state.withLock { $0.failed + $0.latest } }

  /// The probe with a number; nil if there is none any more.
  func entry(_ id: Int) -> Entry? { all.first { $0.id == id } }

  /// The latest probe of a target, with a module if that is not nil.
  func entry(target: String, module: String?) -> Entry? {
    all.last { $0.report.target == target && (module == nil || $0.report.module.name == module) }
  }
}
