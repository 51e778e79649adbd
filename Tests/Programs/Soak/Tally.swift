import ProbeBase

/// The counts so far, and all problems.
final class Tally: Sendable {
  /// The counted events.
  enum Counted: String, CaseIterable {
    case rounds, runs, probes, whole, cancelled, abandoned, deadlines, disturbed, exchanges
    case cancelledExchanges = "cancelled exchanges"
    case monitors, epochs, checks, reported, reloads
    case responses = "answers"
    case programs
  }

  private struct State {
    var counts: [Counted: Int] = [:]
    var endings: [String: Int] = [:]
    var problems: [String] = []
    var problemCount = 0
    var context = ""
  }

  private let state = Guarded(State())

  /// Adds to a count.
  func add(_ count: Int = 1, _ what: Counted) {
    state.withLock { $0.counts[what, default: 0] += count }
  }

  /// Counts how a probe ended.
  func add(ending: String) {
    state.withLock { $0.endings[ending, default: 0] += 1 }
  }

  /// Sets the round to which further problems belong.
  func enter(_ context: String) {
    state.withLock { $0.context = context }
  }

  /// Adds a problem; only the first ones are kept.
  func problem(_ text: String) {
    state.withLock { state in
      state.problemCount += 1
      if state.problems.count < 40 { state.problems.append("\(state.context): \(text)") }
    }
  }

  /// The number of problems, and the first of them.
  var problems: (count: Int, first: [String]) { state.withLock { ($0.problemCount, $0.problems) } }

  /// All counts in words.
  var counts: String {
    let counts = state.withLock(\.counts)
    return Counted.allCases.map { "\($0.rawValue) \(counts[$0] ?? 0)" }.joined(separator: ", ")
  }

  /// How probes ended, the most frequent first.
  var endings: String {
    state.withLock(\.endings).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
