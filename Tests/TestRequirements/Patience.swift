import Glibc
package import Testing

extension Trait where Self == TimeLimitTrait {
  /// A time limit that only a test that hangs exceeds, in minutes; under a sanitizer it is ten times as long.
  package static func patience(minutes: Int) -> Self {
    .timeLimit(.minutes(isUnderSanitizer ? 10 * minutes : minutes))
  }

  /// Whether the address or the thread sanitizer watches this process.
  private static var isUnderSanitizer: Bool {
    unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  }
}
