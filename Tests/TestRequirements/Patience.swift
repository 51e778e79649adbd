import TestSupport
package import Testing

extension Trait where Self == TimeLimitTrait {
  /// A time limit that only a test that hangs exceeds, in minutes; under a sanitizer it is ten times as long.
  package static func patience(minutes: Int) -> Self {
    .timeLimit(.minutes(Sanitizer.isPresent ? 10 * minutes : minutes))
  }
}
