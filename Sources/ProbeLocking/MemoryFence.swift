internal import Synchronization

/// What one thread wrote before the release, another sees after it has acquired.
///
/// A continuation does the same. But one that is resumed before its task has come to rest does it inside the runtime,
/// where the thread sanitizer cannot see it, and every result that comes that fast would look like a race.
package struct MemoryFence: ~Copyable {
  private let isReleased = Atomic(false)

  /// Nothing is released yet.
  package init() {}

  /// Releases what was written so far.
  package func release() {
    isReleased.store(true, ordering: .releasing)
  }

  /// Acquires it.
  package func acquire() {
    _ = isReleased.load(ordering: .acquiring)
  }
}
