/// How long an examination waits for something that may never happen.
///
/// The time passes in many steps, each of which has to be scheduled like everything else in the process. On a
/// busy machine, where a correct transport has to wait for the processor, the steps have to wait as well: what
/// needs few turns ends before a time that needs a hundred, however long a turn takes.
struct Patience: Sendable {
  private static let steps = 100

  /// The time that passes if nothing delays the process.
  let duration: Duration

  init(_ duration: Duration) {
    self.duration = duration
  }

  /// Waits for all of it, or until a condition is true, or the task is cancelled.
  func wait(until isOver: () -> Bool = { false }) async {
    for _ in 0..<Self.steps where !isOver() && !Task.isCancelled {
      try? await Task.sleep(for: duration / Self.steps)
    }
  }
}
