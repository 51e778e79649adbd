/// Groups a burst of messages into one change: it ends after a quiet period, or at a maximum duration.
///
/// Times are those since any fixed moment.
package struct Coalescing: Sendable {
  /// The quiet period that ends a burst.
  package var quiet = Duration.milliseconds(10)
  /// The maximum time after the first message.
  package var maximumDuration = Duration.milliseconds(50)

  private var begun: Duration?
  private var last = Duration.zero

  /// The default: quiet for 10 ms, at most 50 ms.
  package init() {}

  /// Records a message.
  package mutating func note(at now: Duration) {
    begun = begun ?? now
    last = now
  }

  /// The end of the burst if no further message arrives; nil if there is none.
  package var end: Duration? {
    begun.map { min($0 + maximumDuration, last + quiet) }
  }

  /// Ends the burst if its time has come.
  ///
  /// - Returns: Whether it ended.
  package mutating func finish(at now: Duration) -> Bool {
    guard let end, end <= now else { return false }
    begun = nil
    return true
  }
}
