/// When a burst of messages counts as one change: once it has been quiet for a while, or has gone on for too long.
///
/// Times are those since any fixed moment.
package struct Coalescing: Sendable {
  /// How long nothing must come.
  package var quiet = Duration.milliseconds(10)
  /// How long after the first message it ends in any case.
  package var longest = Duration.milliseconds(50)

  private var begun: Duration?
  private var last = Duration.zero

  /// The default: quiet for 10 ms, at most 50 ms.
  package init() {}

  /// Notes that something came.
  package mutating func note(at now: Duration) {
    begun = begun ?? now
    last = now
  }

  /// When the burst ends, if nothing more comes; nil while there is none.
  package var end: Duration? {
    begun.map { min($0 + longest, last + quiet) }
  }

  /// Ends the burst when it is time for that.
  ///
  /// - Returns: Whether it was.
  package mutating func finish(at now: Duration) -> Bool {
    guard let end, end <= now else { return false }
    begun = nil
    return true
  }
}
