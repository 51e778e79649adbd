import CYardsticks

/// A measurement and its yardstick.
public struct Comparison {
  /// What is measured.
  public let name: String
  /// The limit of the ratio, such as `≥ 0.9`, or empty if there is none.
  public let bar: String
  /// Whether a call of ours and one of the yardstick give the right result.
  public let isRight: () -> Bool
  /// One call.
  public let ours: () -> Bool
  /// One call of the yardstick.
  public let yardstick: () -> Bool

  /// Creates a comparison.
  public init(
    name: String, bar: String, isRight: @escaping () -> Bool, ours: @escaping () -> Bool,
    yardstick: @escaping () -> Bool
  ) {
    self.name = name
    self.bar = bar
    self.isRight = isRight
    self.ours = ours
    self.yardstick = yardstick
  }
}

/// The times of one call, as medians over alternating rounds.
public struct Timing {
  /// Nanoseconds of one call of ours.
  public let ours: Double
  /// Nanoseconds of one call of the yardstick.
  public let yardstick: Double

  /// Measures in turns, so that temporary load affects both.
  ///
  /// - Parameters:
  ///   - comparison: What to measure.
  ///   - rounds: The number of turns of each.
  ///   - nanoseconds: The duration of a turn.
  public init(_ comparison: Comparison, rounds: Int, nanoseconds: UInt64) {
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
    precondition(found == 0 || found == calls, "the same call gave different results")
    return Double(end - start) / Double(calls)
  }
}
