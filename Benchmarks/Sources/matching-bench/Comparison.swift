import CYardsticks

/// One thing measured beside its yardstick.
struct Comparison {
  /// What is measured.
  let name: String
  /// The ratio asked for, or nil where none is.
  let bar: Double?
  /// Whether a call of ours and one of the yardstick's give the right answer.
  let isRight: () -> Bool
  /// One call.
  let ours: () -> Bool
  /// One call of the yardstick.
  let yardstick: () -> Bool
}

/// The times of one call, as medians over alternating rounds.
struct Timing {
  let ours: Double
  let yardstick: Double

  /// The speed of ours in parts of the yardstick's.
  var ratio: Double { yardstick / ours }

  /// Measures in turns, so that whatever slows the machine slows both.
  ///
  /// - Parameters:
  ///   - comparison: What to measure.
  ///   - rounds: How often each has its turn.
  ///   - nanoseconds: How long a turn lasts.
  init(_ comparison: Comparison, rounds: Int, nanoseconds: UInt64) {
    let calls = Self.calls(in: nanoseconds, comparison.yardstick)
    var ours: [Double] = []
    var yardstick: [Double] = []
    for _ in 0..<rounds {
      ours.append(Self.time(calls, comparison.ours))
      yardstick.append(Self.time(calls, comparison.yardstick))
    }
    self.ours = ours.sorted()[rounds / 2]
    self.yardstick = yardstick.sorted()[rounds / 2]
  }

  private static func calls(in nanoseconds: UInt64, _ call: () -> Bool) -> Int {
    _ = time(10, call)
    return max(1, Int(Double(nanoseconds) / max(1, time(10, call))))
  }

  private static func time(_ calls: Int, _ call: () -> Bool) -> Double {
    var found = 0
    let start = yardstick_now()
    for _ in 0..<calls where call() { found += 1 }
    let end = yardstick_now()
    precondition(found == 0 || found == calls, "the same call gave two answers")
    return Double(end - start) / Double(calls)
  }
}
