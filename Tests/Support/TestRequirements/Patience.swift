import FoundationEssentials
import TestSupport
package import Testing

extension Trait where Self == TimeLimitTrait {
  /// A time limit that only a test that hangs exceeds: twenty minutes or more, because a test that shares a busy
  /// machine with all others waits for its turn most of the time.
  ///
  /// Under a sanitizer it is also at least ten times as long as on a machine without other work. `TEST_PATIENCE` sets
  /// other minutes than twenty: the deliberate faults that only hang are found sooner with less.
  ///
  /// - Parameter minutes: The time on a machine without other work.
  /// - Returns: The trait.
  package static func patience(minutes: Int) -> Self {
    let least = ProcessInfo.processInfo.environment["TEST_PATIENCE"].flatMap { Int($0) } ?? 20
    return .timeLimit(.minutes(max(least, Sanitizer.isPresent ? 10 * minutes : minutes)))
  }
}
